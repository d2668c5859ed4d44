import { pipeline } from 'node:stream/promises';
import { escapeControls, escapeLines } from '@svc/foundation';
import {
  diffLookupFiles,
  drawInspection,
  dumpLookupFile,
  dumpLookupToFile,
  inspectLookupFile,
  type FileVerification,
  type LookupManifest,
  type NetworkMatch,
  readManifest,
  readLookupFile,
  type VerifyAgainst,
  verifyLookupFile,
} from '@svc/iplookup-core';
import type { CommandContext } from '../../command-line/command-context.js';
import { isStandardOutput } from '../../command-line/is-standard-output.js';
import { CommanderError } from '../../errors/commander-error.js';
import { splitColumnNames, toBuildOptions, type VerifyFlags } from '../build/build-flags.js';
import { diffText, inspectionJson, inspectionText } from './lookup-text.js';
import { withLookupErrors } from '../files/iplookup.errors.js';
import { deleteLookupFiles, lookupName } from '../files/lookup-files.js';
import { inputPath, lookupFolder, lookupPath } from '../files/lookup-paths.js';
import { differencesJson, toJsonRecord, verificationJson } from '../files/record-json.js';

/** `svccmd iplookup show` */
export async function show(
  context: CommandContext,
  lookup: string,
  addresses: readonly string[],
): Promise<void> {
  const open = await withLookupErrors(async () => readLookupFile(lookupPath(context.config, lookup)));
  const found = addresses.map((ip) => {
    const match = open.findNetwork(ip);
    if (match === undefined) throw new CommanderError('usage', `${JSON.stringify(ip)} is not an IP address`);
    return { ip, ...match };
  });
  context.answer({
    text: found.map(({ ip, network, record }) => matchText(ip, { network, record })).join('\n'),
    value: found.map(({ ip, network, record }) => ({ ip, network, record: toJsonRecord(record) })),
  });
}

function matchText(ip: string, { network, record }: NetworkMatch): string {
  if (record === undefined) return `${ip} (${network}): no record`;
  const json = toJsonRecord(record);
  const lines = Object.entries(json ?? {}).map(([column, value]) => `  ${column}: ${plain(value)}`);
  return escapeLines([`${ip} (${network})`, ...lines]);
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The options of `inspect`. */
export interface InspectFlags {
  readonly column?: string;
  readonly out?: string;
}

/** `svccmd iplookup inspect` */
export async function inspect(
  context: CommandContext,
  lookup: string,
  { column, out }: InspectFlags,
): Promise<void> {
  const path = lookupPath(context.config, lookup);
  const isPrinted = isStandardOutput(out);
  const toFile: { picture?: string } = out === undefined || isPrinted ? {} : { picture: out };
  const found = await withLookupErrors(() =>
    inspectLookupFile(path, {
      ...toFile,
      ...(column === undefined ? {} : { column }),
      signal: context.signal,
    }),
  );
  const manifest = await readManifest(path);
  const value = { ...inspectionJson(path, found), ...toFile, ...(manifest && { manifest }) };
  if (isPrinted) return context.answer({ text: drawInspection(found), value, raw: true });
  const text = [inspectionText(path, found, toFile.picture), ...manifestText(manifest)].join('\n');
  context.answer({ text, value });
}

function manifestText(manifest: LookupManifest | undefined): string[] {
  return manifest === undefined ? [] : ['', 'manifest:', JSON.stringify(manifest, undefined, 2)];
}

/** The options of `diff`. */
export interface DiffFlags {
  readonly limit?: number;
}

/** `svccmd iplookup diff` */
export async function diff(
  context: CommandContext,
  before: string,
  after: string,
  { limit = 20 }: DiffFlags,
): Promise<void> {
  const [former, latter] = [lookupPath(context.config, before), lookupPath(context.config, after)];
  const found = await withLookupErrors(() => diffLookupFiles(former, latter, limit));
  const json = differencesJson(found);
  context.answer({
    text: diffText(former, latter, json),
    value: { old: former, new: latter, ...json },
  });
}

/** The options of `dump`. */
export interface DumpFlags {
  readonly cidr?: boolean;
  readonly out?: string;
}

/** `svccmd iplookup dump` */
export async function dump(context: CommandContext, lookup: string, { cidr, out }: DumpFlags): Promise<void> {
  const path = lookupPath(context.config, lookup);
  const form = cidr === true ? 'cidr' : 'range';
  if (out === undefined || isStandardOutput(out)) {
    await withLookupErrors(() => dumpLookupFile(path, (content) => print(content, context), { form }));
    return;
  }
  const { rows, columns } = await withLookupErrors(() =>
    dumpLookupToFile(path, out, { form, signal: context.signal }),
  );
  context.answer({
    text: `${out}: ${rows} rows, ${columns.length} columns`,
    value: { file: out, rows, columns },
  });
}

/** Writes to standard output as fast as it takes it. A terminal never gets control characters. */
async function print(content: AsyncIterable<Uint8Array>, { stdout, signal }: CommandContext): Promise<void> {
  const text = async function* (): AsyncGenerator<Uint8Array | string> {
    for await (const chunk of content)
      yield stdout.isTTY ? escapeControls(Buffer.from(chunk).toString()) : chunk;
  };
  await pipeline(text, stdout, { signal, end: false });
}

/**
 * `svccmd iplookup delete`: deletes all that it can.
 *
 * @throws {CommanderError} after the answer, if a lookup does not exist or cannot be deleted
 */
export async function deleteLookups(context: CommandContext, lookups: readonly string[]): Promise<void> {
  const folder = lookupFolder(context.config());
  const deleted: string[] = [];
  const errors: CommanderError[] = [];
  for (const lookup of new Set(lookups)) {
    try {
      await deleteLookupFiles(folder, lookup, (file) => deleted.push(file));
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      // A lookup's file may also be named by itself.
      const isDeleted = deleted.some((file) => file === lookup || lookupName(file) === lookup);
      if (error.code !== 'lookup_not_found' || !isDeleted) errors.push(error);
    }
  }
  if (deleted.length > 0)
    context.answer({ text: deleted.map((file) => `deleted ${file}`).join('\n'), value: { deleted } });
  const [first] = errors;
  if (first === undefined) return;
  const messages = errors.map(({ message }) => message);
  throw errors.length === 1 ? first : new CommanderError(first.code, messages);
}

/** `svccmd iplookup verify` */
export async function verify(context: CommandContext, lookup: string, flags: VerifyFlags): Promise<void> {
  const path = lookupPath(context.config, lookup);
  const found = await withLookupErrors(() => verifyLookupFile(path, toAgainst(context, flags)));
  const { problemCount, comparison } = found;
  context.answer({ text: verificationText(path, found), value: verificationJson(path, found) });
  if (problemCount > 0) throw new CommanderError('failed', `${path} is not a valid lookup file`);
  if (comparison && comparison.differenceCount > 0)
    throw new CommanderError('failed', `${path} differs from ${flags.against}`);
}

function toAgainst(
  context: CommandContext,
  { against, vendor, ...flags }: VerifyFlags,
): VerifyAgainst | undefined {
  if (against === undefined) return undefined;
  if (against === '-') throw new CommanderError('usage', '--against takes a file, not standard input');
  const { columnNames } = splitColumnNames(against, flags.columnNames);
  const { kind: _, ...options } = toBuildOptions(
    'csv',
    { ...flags, ...(columnNames === undefined ? {} : { columnNames }) },
    0,
  );
  return {
    ...options,
    ...(vendor === true ? { kind: 'vendor' } : {}),
    lookupName: 'verified',
    input: inputPath(context.config(), against),
  };
}

function verificationText(path: string, found: FileVerification): string {
  const { metadata, problems, problemCount, warnings, records, comparison } = found;
  const lines = [`${path}`];
  if (metadata)
    lines.push(`lookup ${metadata.databaseType}: ${records} records, ${metadata.nodeCount} nodes`);
  lines.push(...problems.map((problem) => `problem: ${problem}`));
  if (problemCount > problems.length) lines.push(`... and ${problemCount - problems.length} more problems`);
  lines.push(...warnings.map((warning) => `warning: ${warning}`));
  if (comparison) {
    const { rows, addresses, differences, differenceCount } = comparison;
    lines.push(`compared ${addresses} addresses of ${rows} rows: ${differenceCount} differ`);
    lines.push(...differences.map((difference) => `differs: ${difference}`));
  }
  if (problemCount === 0 && !comparison?.differenceCount) lines.push('sound');
  return escapeLines(lines);
}
