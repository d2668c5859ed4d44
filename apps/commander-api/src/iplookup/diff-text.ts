import type { LookupDiff } from '@svc/iplookup-core';

/** A difference whose records are fit for JSON. */
interface ToldDifference {
  readonly network: string;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

/** What differs between two lookups, for people. */
export function diffText(
  before: string,
  after: string,
  {
    ipv4,
    ipv6,
    differences,
  }: Omit<LookupDiff, 'differences'> & { readonly differences: readonly ToldDifference[] },
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
  return lines.join('\n');
}

/** Only the columns that differ are shown of a record that changed. */
function differenceText({ network, before, after }: ToldDifference): string {
  if (before === null) return `+ ${network} ${JSON.stringify(after)}`;
  if (after === null) return `- ${network} ${JSON.stringify(before)}`;
  const columns = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = columns
    .map((column) => [column, JSON.stringify(before[column]), JSON.stringify(after[column])] as const)
    .filter(([, was, is]) => was !== is)
    .map(([column, was = 'nothing', is = 'nothing']) => `${column}: ${was} -> ${is}`);
  return `~ ${network} ${changes.join(', ')}`;
}
