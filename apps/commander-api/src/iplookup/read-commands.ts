import { pipeline } from 'node:stream/promises';
import {
  diffLookupFiles,
  drawInspection,
  dumpLookupFile,
  dumpLookupToFile,
  inspectLookupFile,
  type NetworkMatch,
  readLookupFile,
} from '@svc/iplookup-core';
import type { CommandContext } from '../command-line/command-context.js';
import { escapeControls } from '../command-line/escape-controls.js';
import { CommandError, EXIT } from '../errors/command-error.js';
import { diffText } from './diff-text.js';
import { inspectionJson, inspectionText } from './inspection-text.js';
import { orCommandError } from './iplookup-failure.js';
import { lookupPath } from './lookup-paths.js';
import { toJsonRecord } from './record-json.js';

/** `svccmd iplookup show` */
export async function show(
  context: CommandContext,
  lookup: string,
  addresses: readonly string[],
): Promise<void> {
  const open = await orCommandError(async () => readLookupFile(lookupPath(context.config, lookup)));
  const found = addresses.map((ip) => {
    const match = open.findNetwork(ip);
    if (match === undefined) throw new CommandError(`${JSON.stringify(ip)} is not an IP address`, EXIT.usage);
    return { ip, ...match };
  });
  context.answer({
    text: found.map(({ ip, network, record }) => matchText(ip, { network, record })).join('\n'),
    value: found.map(({ ip, network, record }) => ({ ip, network, record: toJsonRecord(record) })),
  });
}

function matchText(ip: string, { network, record }: NetworkMatch): string {
  if (record === undefined) return `${ip} (${network}): nothing known`;
  const json = toJsonRecord(record);
  const lines = Object.entries(json ?? {}).map(([column, value]) => `  ${column}: ${plain(value)}`);
  return [`${ip} (${network})`, ...lines].join('\n');
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
  const toFile: { picture?: string } = out === undefined || out === '-' ? {} : { picture: out };
  const found = await orCommandError(() =>
    inspectLookupFile(path, {
      ...toFile,
      ...(column === undefined ? {} : { column }),
      signal: context.signal,
    }),
  );
  const value = { ...inspectionJson(path, found), ...toFile };
  if (out === '-') return context.answer({ text: drawInspection(found), value, raw: true });
  context.answer({ text: inspectionText(path, found, toFile.picture), value });
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
  const found = await orCommandError(() => diffLookupFiles(former, latter, limit));
  const differences = found.differences.map((difference) => ({
    network: difference.network,
    before: toJsonRecord(difference.before),
    after: toJsonRecord(difference.after),
  }));
  context.answer({
    text: diffText(former, latter, { ...found, differences }),
    value: { old: former, new: latter, ...found, differences },
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
  if (out === undefined || out === '-') {
    await orCommandError(() => dumpLookupFile(path, (content) => print(content, context), { form }));
    return;
  }
  const { rows, columns } = await orCommandError(() =>
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
