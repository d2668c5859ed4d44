import { findingText, type WatchEvent } from '@svc/library-sync';
import type { CommandContext } from '../command-line/command-context.js';
import type { LibrarySettings } from '../config/commander-config.js';
import { chooseLibrary } from './choose-library.js';
import { withLibraryErrors } from './libraries.errors.js';
import * as tasks from './library-tasks.js';
import { driftLines, reportText } from './report-text.js';

const DEFAULT_INTERVAL_MS = 60_000;

/** Watches one library, or all of them without a name, until the signal aborts. If one fails, the others continue. */
export async function watch(
  context: CommandContext,
  name: string | undefined,
  intervalS: number | undefined,
): Promise<void> {
  const config = context.config();
  const libraries = name === undefined ? config.libraries : [chooseLibrary(config, name)];
  if (libraries.length === 1) return watchOne(libraries[0]!, context, intervalS);
  const endings = await Promise.allSettled(
    libraries.map(async (library) => {
      const own = prefixed(context, library);
      await watchOne(library, own, intervalS).catch((error: Error) => {
        if (!context.signal.aborted) own.note(`no longer watched: ${error.message}`);
        throw error;
      });
    }),
  );
  const failed = endings.find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}

/** A context that prefixes all output with the library's name. */
function prefixed(context: CommandContext, { name = 'unnamed' }: LibrarySettings): CommandContext {
  return {
    ...context,
    note: (line) => context.note(`${name}: ${line}`),
    answer: ({ text, value }) =>
      context.answer({
        text: text.replace(/^/gm, `${name}: `),
        value: { library: name, ...(value as object) },
      }),
  };
}

async function watchOne(
  library: LibrarySettings,
  context: CommandContext,
  intervalS: number | undefined,
): Promise<void> {
  const intervalMs =
    intervalS === undefined ? (library.source.intervalMs ?? DEFAULT_INTERVAL_MS) : intervalS * 1000;
  context.note(`checking every ${intervalMs / 1000} s`);
  await withLibraryErrors(() => tasks.watch(library, intervalMs, context, (event) => print(event, context)));
}

function print(event: WatchEvent, { note, answer }: Pick<CommandContext, 'note' | 'answer'>): void {
  if (event.kind === 'loaded') {
    for (const problem of event.report.problems) note(findingText(problem));
    answer({ text: reportText(event.report), value: event.report });
  } else if (event.kind === 'changing') {
    note(`the source keeps changing; next check in ${event.nextMs / 1000} s`);
  } else if (event.kind === 'failed') {
    const lines = event.error.message.split('\n');
    for (const line of lines.slice(0, -1)) note(line);
    note(`${lines.at(-1)}; next check in ${event.nextMs / 1000} s`);
  } else if (event.kind === 'drift-failed') {
    for (const line of driftLines(event.drift ?? [])) note(line);
    note(`${event.drift ? 'cannot repair the drift' : 'cannot detect drift'}: ${event.error.message}`);
  } else if (event.kind === 'drifted' || event.kind === 'repaired') {
    for (const line of driftLines(event.drift)) note(line);
    if (event.kind === 'repaired') answer({ text: reportText(event.report), value: event.report });
  }
}
