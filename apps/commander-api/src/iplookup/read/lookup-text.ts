import { escapeLines } from '@svc/foundation';
import type { FamilyCount, Inspection, LookupDiff } from '@svc/iplookup-core';

/** Values listed in text output; JSON has all of them. */
const MAX_LINES = 20;

/**
 * Summarizes a lookup file as text.
 *
 * @param picture the file with the picture
 */
export function inspectionText(path: string, inspection: Inspection, picture?: string): string {
  const { metadata, bytes, records, ipv4, ipv6, groups, column } = inspection;
  const lines = [
    path,
    `lookup:      ${metadata.databaseType}, ${metadata.ipVersion === 6 ? 'IPv4 and IPv6' : 'IPv4 only'}`,
    ...Object.entries(metadata.description).map(([language, text]) => `description: ${text} (${language})`),
    `built:       ${new Date(metadata.buildEpoch * 1000).toISOString()}`,
    `contents:    ${records} records, ${metadata.nodeCount} nodes of ${metadata.recordSize}-bit records, ${bytes} bytes`,
    `IPv4:        ${ipv4.networks} networks, ${ipv4.addresses} addresses (${percent(ipv4.addresses, 2 ** 32)})`,
    `IPv6:        ${ipv6.networks} networks`,
  ];
  if (picture !== undefined) lines.push(`picture:     ${picture}`);
  if (groups.length === 0) return escapeLines(lines);
  const table = groups
    .slice(0, MAX_LINES)
    .map((group) => [group.value ?? '(none)', share(group.ipv4), `${group.ipv6.networks}`]);
  const width = Math.max(column.length, ...table.map(([value]) => value!.length));
  lines.push(
    '',
    `${column.padEnd(width)}  ${'IPv4 addresses'.padStart(24)}  ${'IPv6 networks'.padStart(13)}`,
  );
  for (const [value = '', addresses = '', networks = ''] of table)
    lines.push(`${value.padEnd(width)}  ${addresses.padStart(24)}  ${networks.padStart(13)}`);
  if (groups.length > MAX_LINES) lines.push(`... and ${groups.length - MAX_LINES} more values`);
  return escapeLines(lines);
}

/** Summarizes a lookup file as JSON. */
export function inspectionJson(path: string, { maps, ...inspection }: Inspection): Record<string, unknown> {
  const groups = inspection.groups.map(({ value = null, ipv4, ipv6 }) => ({ value, ipv4, ipv6 }));
  return { file: path, ...inspection, groups };
}

function share({ addresses }: FamilyCount): string {
  return `${addresses} ${`(${percent(addresses, 2 ** 32)})`.padStart(10)}`;
}

function percent(part: number, whole: number): string {
  const share = (100 * part) / whole;
  return share > 0 && share < 0.01 ? '< 0.01 %' : `${share.toFixed(2)} %`;
}

/** A difference whose records can be serialized as JSON. */
interface JsonDifference {
  readonly network: string;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

/** Lists the differences of two lookups as text. */
export function diffText(
  before: string,
  after: string,
  {
    ipv4,
    ipv6,
    differences,
  }: Omit<LookupDiff, 'differences'> & { readonly differences: readonly JsonDifference[] },
): string {
  const total = [ipv4, ipv6].reduce((sum, { added, removed, changed }) => sum + added + removed + changed, 0);
  const families = [
    ['IPv4', ipv4],
    ['IPv6', ipv6],
  ] as const;
  const lines = [`${before} -> ${after}`];
  for (const [family, { added, removed, changed }] of families)
    lines.push(`${family} networks: ${added} added, ${removed} removed, ${changed} changed`);
  lines.push(...differences.map(differenceText));
  if (total > differences.length && differences.length > 0)
    lines.push(`... and ${total - differences.length} more`);
  return escapeLines(lines);
}

/** Shows only the changed columns of a record. */
function differenceText({ network, before, after }: JsonDifference): string {
  if (before === null) return `+ ${network} ${JSON.stringify(after)}`;
  if (after === null) return `- ${network} ${JSON.stringify(before)}`;
  const columns = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = columns
    .map((column) => [column, JSON.stringify(before[column]), JSON.stringify(after[column])] as const)
    .filter(([, was, is]) => was !== is)
    .map(([column, was = 'nothing', is = 'nothing']) => `${column}: ${was} -> ${is}`);
  return `~ ${network} ${changes.join(', ')}`;
}
