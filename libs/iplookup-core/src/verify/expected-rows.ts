import { parseStream } from 'fast-csv';
import ipaddr from 'ipaddr.js';
import { Readable } from 'node:stream';
import type { BuildPlan } from '../build/build-plan.js';
import type { LookupRecord, LookupValue } from '../mmdb/decode-value.js';

/** One row of the input as the lookup should have it. Addresses are 128-bit numbers, IPv4 ones IPv4-mapped. */
export interface ExpectedRow {
  readonly first: bigint;
  readonly last: bigint;
  readonly record: LookupRecord;
}

const MAPPED = 0xffffn << 32n;

/**
 * Reads the rows that a build with this plan keeps, by other means than the builder: fast-csv splits the text, ipaddr.js
 * and bigints read the addresses. Slow, and that is no matter.
 *
 * @param content the CSV text, which must be valid
 */
export async function* expectedRows(
  content: AsyncIterable<Uint8Array>,
  plan: BuildPlan,
): AsyncGenerator<ExpectedRow> {
  const options = { delimiter: String.fromCharCode(plan.separator), ignoreEmpty: false };
  const rows = parseStream<string[], string[]>(
    Readable.from(copies(content), { objectMode: false }),
    options,
  );
  let layout: Layout | undefined;
  let header: readonly string[] | undefined;
  for await (const row of rows as AsyncIterable<string[]>) {
    if (row.length === 1 && row[0] === '') continue;
    if (plan.columns === undefined && header === undefined) {
      header = row;
      continue;
    }
    layout ??= layoutOf(row, header, plan);
    const expected = toExpected(row, layout, plan);
    if (expected !== undefined) yield expected;
  }
}

/** A stream keeps several chunks at once, each of which is valid only until the next. */
async function* copies(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}

interface Layout {
  readonly addressColumns: number;
  readonly columns: readonly string[];
}

function layoutOf(row: readonly string[], header: readonly string[] | undefined, plan: BuildPlan): Layout {
  const oneColumn =
    plan.format.addressColumns === 1 || (plan.format.name === 'auto' && !ipaddr.isValid(row[1] ?? ''));
  const addressColumns = oneColumn || row[0]!.includes('/') ? 1 : 2;
  if (header !== undefined) return { addressColumns, columns: header.slice(addressColumns) };
  const columns = plan.columns?.find((names) => names.length + addressColumns === row.length) ?? [];
  return { addressColumns, columns };
}

function toExpected(row: readonly string[], layout: Layout, plan: BuildPlan): ExpectedRow | undefined {
  const [first, last] = rangeOf(row, layout.addressColumns, plan);
  const cells = row.slice(layout.addressColumns);
  const isEmpty = (cell: string): boolean => cell === '' || (plan.dashIsEmpty && cell === '-');
  const isNothing = (cell: string, index: number): boolean =>
    isEmpty(cell) || (/^(latitude|longitude|elevation)$/.test(layout.columns[index]!) && Number(cell) === 0);
  const emptyCells = cells.filter(isEmpty).length;
  const drop = emptyCells > 0 && { none: false, all: cells.every(isNothing), any: true }[plan.dropEmptyRows];
  if (drop) return undefined;
  const record: Record<string, LookupValue> = {};
  for (const [index, cell] of cells.entries()) {
    const column = layout.columns[index]!;
    if (!isEmpty(cell)) record[column] = isNumeric(column, plan) ? Number(cell) : cell;
    else if (plan.keepEmptyCells) record[column] = '-';
  }
  return { first, last, record };
}

function isNumeric(column: string, plan: BuildPlan): boolean {
  return plan.typed && /^(latitude|longitude|elevation|fraud_score|last_seen)$/.test(column);
}

function rangeOf(row: readonly string[], addressColumns: number, { format }: BuildPlan): [bigint, bigint] {
  const [from = '', to = ''] = row;
  if (format.name === 'ipv4-int') return [MAPPED + BigInt(from), MAPPED + BigInt(to)];
  if (format.name === 'ipv6-int') return [BigInt(from), BigInt(to)];
  if (addressColumns === 2) return [toNumber(ipaddr.parse(from)), toNumber(ipaddr.parse(to))];
  const [address, length] = from.includes('/') ? ipaddr.parseCIDR(from) : [ipaddr.parse(from), undefined];
  const bits = address.kind() === 'ipv4' ? 32 : 128;
  const first = toNumber(address);
  return [first, first + (1n << BigInt(bits - (length ?? bits))) - 1n];
}

function toNumber(address: ipaddr.IPv4 | ipaddr.IPv6): bigint {
  const value = address.toByteArray().reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return address.kind() === 'ipv4' ? MAPPED + value : value;
}

/** The text form of a 128-bit address number. */
export function toText(address: bigint): string {
  const bytes = Array.from({ length: 16 }, (_, index) => Number((address >> BigInt(120 - 8 * index)) & 255n));
  return new ipaddr.IPv6(bytes).toNormalizedString();
}
