import { write, type LoadWriter } from './commit-load.js';
import type { WriteOperation } from './ports/library-store.js';
import { type LoadState, readRecord } from './load-state.js';
import { isAhead, loadPath } from './manifest.js';
import { UnreadableStateError } from './load.errors.js';

/** How many finished loads' records are kept, including the newest. */
const KEPT_LOADS = 10;

/**
 * Removes the records of unfinished loads, so that repeated failures do not pile them up. The pending load's record
 * is kept: it lists what that load has written.
 *
 * @returns numbers of the finished loads, ascending
 */
export async function sweepUnfinished(
  writer: LoadWriter,
  { loads, manifest }: Pick<LoadState, 'loads' | 'manifest'>,
): Promise<number[]> {
  const areFinished = await Promise.all(
    loads.map(async (load) => !isAhead(load, manifest) && isFinished(writer, load)),
  );
  for (const [index, load] of loads.entries()) {
    if (!areFinished[index] && load !== manifest?.pending?.load) await removeRecord(writer, load);
  }
  return loads.filter((_, index) => areFinished[index]);
}

/**
 * Called after a load: removes records beyond the last ten, and that of the load this one completed.
 *
 * @param finished as returned by `sweepUnfinished`
 * @param done the load just written
 */
export async function forgetOldLoads(
  writer: LoadWriter,
  finished: readonly number[],
  done: number,
  pending: number | undefined,
): Promise<void> {
  const old = finished.slice(0, Math.max(0, finished.length + 1 - KEPT_LOADS));
  for (const load of [...old, ...(pending === undefined ? [] : [pending])]) {
    if (load !== done) await removeRecord(writer, load);
  }
}

/** An unreadable record is treated as unfinished. */
async function isFinished({ store }: LoadWriter, load: number): Promise<boolean> {
  try {
    return (await readRecord(store, load))?.finished_at !== undefined;
  } catch (error) {
    if (error instanceof UnreadableStateError) return false;
    throw error;
  }
}

async function removeRecord(writer: LoadWriter, load: number): Promise<void> {
  const names = await writer.store.children('state', loadPath(load));
  const paths = [...names.map((name) => `${loadPath(load)}/${name}`), loadPath(load)];
  const nodes = await writer.store.read('state', paths);
  const removals = paths.flatMap((path): WriteOperation[] => {
    const node = nodes.get(path);
    return node ? [{ type: 'remove', area: 'state', path, version: node.version }] : [];
  });
  await write(writer, removals);
}
