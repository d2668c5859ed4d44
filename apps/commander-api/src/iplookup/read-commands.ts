import { type NetworkMatch, readLookupFile } from '@svc/iplookup-core';
import type { CommandContext } from '../cli/command-context.js';
import { CommandError, EXIT } from '../cli/exit-code.js';
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
