import { type BuildOptions, buildLookup, LookupInputError, spellFault } from '@svc/iplookup-core';
import type { CommandContext } from '../command-line/command-context.js';
import { CommandError, EXIT } from '../errors/command-error.js';
import { buildEpoch } from './build-epoch.js';
import { type BuildFlags, splitColumnNames, toBuildOptions } from './build-flags.js';
import { drawProgress } from './draw-progress.js';
import { orCommandError } from './iplookup-failure.js';
import { inputPath, lookupFolder } from './lookup-paths.js';
import { summaryNotes, summaryText } from './summary-text.js';

/** `svccmd iplookup from-csv` and `from-vendor` */
export async function build(
  context: CommandContext,
  kind: BuildOptions['kind'],
  given: string | undefined,
  flags: BuildFlags,
): Promise<void> {
  const { file, columnNames } = splitColumnNames(given, flags.columnNames);
  if (file === undefined) {
    const remedy =
      flags.columnNames === undefined
        ? 'see --help'
        : 'it stands before --column-names, or the names in one quoted string';
    throw new CommandError(`the file name is missing: ${remedy}`, EXIT.usage);
  }
  await run(context, kind, file, { ...flags, ...(columnNames === undefined ? {} : { columnNames }) });
}

async function run(
  context: CommandContext,
  kind: BuildOptions['kind'],
  file: string,
  flags: BuildFlags,
): Promise<void> {
  const progress = context.interactive ? drawProgress(context.stderr) : undefined;
  const summary = await orCommandError(async () => {
    try {
      return await buildLookup({
        ...toBuildOptions(kind, flags, buildEpoch(context.env, Date.now())),
        input: inputPath(context.config(), file),
        folder: lookupFolder(context.config()),
        signal: context.signal,
        onProgress: progress?.draw,
      });
    } catch (error) {
      throw withRemedy(error);
    } finally {
      progress?.clear();
    }
  });
  for (const note of summaryNotes(summary)) context.note(note);
  const skippedRows = summary.skippedRows.map((fault) => spellFault(fault));
  context.answer({ text: summaryText(summary), value: { ...summary, skippedRows } });
}

function withRemedy(error: unknown): unknown {
  if (!(error instanceof LookupInputError) || !error.skippable) return error;
  const remedy = 'no lookup was written; --skip-invalid leaves out rows that are not valid';
  return new CommandError(`${error.message}\n${remedy}`, EXIT.failed, { cause: error });
}
