import { setTimeout as sleep } from 'node:timers/promises';
import type { LibraryProblem } from './ports/library-problem.js';
import type { LoadRun } from './load-task.js';
import type { ReadLibrary } from './checked-source.js';

/** How long a copy may take before the lock is given back without it, in milliseconds: a disk may never answer. */
const COPY_MS = 300_000;

/** The copy for rollback. @returns a warning when none could be kept */
export async function keepCopy(
  run: LoadRun,
  load: number,
  { library }: ReadLibrary,
): Promise<LibraryProblem[]> {
  if (!run.keepCopy) return [];
  const late = new AbortController();
  const tooLate = sleep(COPY_MS, undefined, { signal: late.signal, ref: false }).then(() => {
    throw new Error(`it took more than ${COPY_MS / 1000} s`);
  });
  const kept = Promise.race([run.keepCopy(load, library), tooLate]);
  return warnOf(kept, 'copy', 'no copy for rollback could be kept').finally(() => late.abort());
}

/** The load is done: what fails after it is worth a warning, not a failure. */
export async function warnOf(work: Promise<void>, code: string, what: string): Promise<LibraryProblem[]> {
  try {
    await work;
    return [];
  } catch (error) {
    const message = `${what}: ${(error as Error).message}`;
    return [{ severity: 'warning', path: '', code, message }];
  }
}
