import { parseStream } from 'fast-csv';
import ipaddr from 'ipaddr.js';
import { Readable } from 'node:stream';
import type { BuildPlan } from '../build/build-plan.js';
import type { LookupRecord, LookupValue } from '../mmdb/decode-value.js';
import { recordOf, type StoredColumn, storedColumns } from './expected-values.js';

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
  readonly columns: readonly StoredColumn[];
}

function layoutOf(row: readonly string[], header: readonly string[] | undefined, plan: BuildPlan): Layout {
  const oneColumn =
    plan.format.addressColumns === 1 || (plan.format.name === 'auto' && !ipaddr.isValid(row[1] ?? ''));
  const addressColumns = oneColumn || row[0]!.includes('/') ? 1 : 2;
  const fitting = plan.columns?.find((names) => names.length + addressColumns === row.length);
  const names = header?.slice(addressColumns) ?? fitting ?? [];
  return { addressColumns, columns: storedColumns(names, plan) };
}

function toExpected(row: readonly string[], layout: Layout, plan: BuildPlan): ExpectedRow | undefined {
  const [first, last] = rangeOf(row, layout.addressColumns, plan);
  const cells = layout.columns.map((column) => ({
    column,
    cell: row[layout.addressColumns + column.index]!,
  }));
  const isEmpty = (cell: string): boolean => cell === '' || (plan.dashIsEmpty && cell === '-');
  const isZero = (name: string, cell: string): boolean =>
    plan.dashIsEmpty && /^(latitude|longitude|elevation)$/.test(name) && Number(cell) === 0;
  if (cells.some(({ cell }) => isEmpty(cell))) {
    const isNothing = cells.every(({ cell, column }) => isEmpty(cell) || isZero(column.name, cell));
    if ({ none: false, all: isNothing, any: true }[plan.dropEmptyRows]) return undefined;
  }
  const values = cells.flatMap(({ column: { path, read }, cell }): [readonly string[], LookupValue][] => {
    if (isEmpty(cell)) return plan.keepEmptyCells ? [[path, '-']] : [];
    return [[path, read(cell)]];
  });
  return { first, last, record: recordOf(values) };
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
