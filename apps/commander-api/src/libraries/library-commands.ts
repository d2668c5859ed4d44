import { problemText, type LoadProgress } from '@svc/library-sync';
import type { CommandContext } from '../cli/command-context.js';
import { CommandError } from '../cli/exit-code.js';
import { toLibraryFailure } from './library-failure.js';
import { reportText } from './report-text.js';
import { runLoad, type LoadRequest } from './run-load.js';

export async function load(context: CommandContext, request: LoadRequest): Promise<void> {
  const report = await orCommandError(() =>
    runLoad(context.config(), request, {
      signal: context.signal,
      onProgress: context.interactive ? drawProgress() : undefined,
    }),
  );
  for (const problem of report.problems) context.note(problemText(problem));
  context.answer({ text: reportText(report), value: report });
}

/** Errors of libraries as the command line tells them. */
async function orCommandError<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const failure = toLibraryFailure(error);
    throw failure ? new CommandError(failure.message, failure.exitCode, { cause: error }) : error;
  }
}

const REDRAW_MS = 100;

/** One line on the terminal, redrawn in place. */
function drawProgress(): (progress: LoadProgress) => void {
  let last = 0;
  return ({ phase, done = 0, total = 0 }) => {
    const isEnd = total > 0 && done === total;
    if (Date.now() - last < REDRAW_MS && !isEnd) return;
    last = Date.now();
    const text = total > 0 ? `${phase} ${done} of ${total}` : phase;
    process.stderr.write(`\r\u001b[K${isEnd ? '' : text}`);
  };
}
