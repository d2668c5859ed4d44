import { availableParallelism } from 'node:os';
import {
  type BuildSummary,
  buildLookup,
  LookupGuardError,
  LookupInputError,
  nameOptions,
} from '@svc/iplookup-core';
import type { CommandContext } from '../../command-line/command-context.js';
import { CommanderError } from '../../errors/commander-error.js';
import { buildNotes } from './build-notes.js';
import {
  buildEpoch,
  type BuildFlags,
  type BuildKind,
  splitColumnNames,
  splitTypes,
  toBuildOptions,
} from './build-flags.js';
import { drawProgress } from './draw-progress.js';
import { currentUser } from '../../command-line/current-user.js';
import { toGuards } from './guard-flags.js';
import { guardNotes, guardRefusal, guardText } from './guard-text.js';
import { withLookupErrors } from '../files/iplookup.errors.js';
import { parseJoin } from './join-flag.js';
import { manifestTool } from './manifest-tool.js';
import { inputPath, lookupFolder } from '../files/lookup-paths.js';

/** `svccmd iplookup from-csv`, `from-vendor` and `from-maxmind` */
export async function build(
  context: CommandContext,
  kind: BuildKind,
  [given, ...more]: readonly string[],
  flags: BuildFlags,
): Promise<void> {
  const { file: word, types } = splitTypes(given, flags.types);
  const { file, columnNames } = splitColumnNames(word, flags.columnNames);
  if (file === undefined) {
    const remedy =
      flags.columnNames === undefined
        ? 'see --help'
        : 'put it before --column-names, or quote the names as one string';
    throw new CommanderError('usage', `missing file name: ${remedy}`);
  }
  await run(context, kind, [file, ...more], {
    ...flags,
    ...(types === undefined ? {} : { types }),
    ...(columnNames === undefined ? {} : { columnNames }),
  });
}

async function run(
  context: CommandContext,
  kind: BuildKind,
  [file, ...more]: readonly [string, ...string[]],
  flags: BuildFlags,
): Promise<void> {
  const progress = context.interactive ? drawProgress(context.stderr) : undefined;
  const summary = await withLookupErrors(async () => {
    try {
      return await buildLookup({
        ...toBuildOptions(kind, flags, buildEpoch(context.env, Date.now())),
        guards: toGuards(flags),
        forcedBy: flags.force === true ? currentUser() : undefined,
        joinFiles: (flags.join ?? []).map((text) => {
          const join = parseJoin(text);
          return { ...join, path: inputPath(context.config(), join.name) };
        }),
        input: inputPath(context.config(), file),
        moreInputs: more.map((name) => inputPath(context.config(), name)),
        stdin: context.stdin,
        folder: lookupFolder(context.config()),
        keepVersions: context.config().iplookup.keep_versions,
        manifestTool: manifestTool(context.config()),
        signal: context.signal,
        onProgress: progress?.draw,
        threads: flags.threads ?? availableParallelism(),
      });
    } catch (error) {
      throw withRemedy(error);
    } finally {
      progress?.clear();
    }
  });
  for (const note of [...guardNotes(summary), ...buildNotes(summary, flags)]) context.note(note);
  const skippedRows = summary.skippedRows.map((violation) => nameOptions(violation));
  context.answer({ text: summaryText(summary), value: { ...summary, skippedRows } });
}

function withRemedy(error: unknown): unknown {
  if (error instanceof LookupGuardError) return guardRefusal(error);
  if (!(error instanceof LookupInputError) || !error.skippable) return error;
  const remedy = 'no lookup was written; pass --skip-invalid to leave out invalid rows';
  return new CommanderError('failed', [...error.message.split('\n'), remedy], { cause: error });
}

/** A build's result as text. */
function summaryText(summary: BuildSummary): string {
  const { file, lookup, bytes, rows, kept, dropped, skipped, leftOut, merged, seconds } = summary;
  const lost = [
    dropped > 0 ? `${dropped} dropped as empty` : '',
    skipped > 0 ? `${skipped} invalid and skipped` : '',
    leftOut > 0 ? `${leftOut} without IPv4 address left out` : '',
    merged > 0 ? `${merged} merged with the row before` : '',
    summary.overlaps > 0 ? `${summary.overlaps} overlapping` : '',
  ].filter(Boolean);
  return [
    `${file}`,
    `lookup:   ${lookup}, ${summary.ipVersion === 6 ? 'IPv4 and IPv6' : 'IPv4'}`,
    `rows:     ${rows} read, ${kept} kept${lost.map((part) => `, ${part}`).join('')}`,
    `          ${summary.emptyRows} without any value, ${summary.partlyEmptyRows} with some values missing`,
    `contents: ${summary.records} records, ${summary.nodes} nodes of ${summary.recordSize}-bit records, ${bytes} bytes`,
    ...guardText(summary),
    `time:     ${seconds} s`,
  ].join('\n');
}
