import type { FamilyCount, Inspection } from '@svc/iplookup-core';

/** Values told to people; programs get them all. */
const MAX_LINES = 20;

/**
 * What a lookup file holds, for people.
 *
 * @param picture the file it was drawn into
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
  if (groups.length === 0) return lines.join('\n');
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
  return lines.join('\n');
}

/** The same for programs. */
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
