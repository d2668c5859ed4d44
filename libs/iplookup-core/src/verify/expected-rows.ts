import { parseStream } from 'fast-csv';
import ipaddr from 'ipaddr.js';
import { Readable } from 'node:stream';
import type { BuildPlan } from '../build/build-plan.js';
import type { LookupRecord, LookupValue } from '../mmdb/decode-value.js';
import { recordOf, type StoredColumn, storedColumns } from './expected-values.js';
import { malformedQuotes, TextCheck } from './text-check.js';

/** An input row as the lookup should contain it. Addresses are 128-bit numbers, with IPv4 as IPv4-mapped. */
export interface ExpectedRow {
  readonly first: bigint;
  readonly last: bigint;
  readonly record: LookupRecord;
  /** If it is part of a split row: the number of addresses of the whole row, less one. */
  readonly whole?: bigint;
}

const MAPPED = 0xffffn << 32n;

/** Starts of the blocks at whose boundaries rows are split. */
const BLOCK_STARTS = [1n << 32n, MAPPED, MAPPED + (1n << 32n)];

/**
 * Reads the rows that a build with this plan keeps, independently of the builder: with fast-csv, ipaddr.js and
 * bigints. Its slowness does not matter here.
 *
 * @param content the CSV text
 * @param invalidLines starts of rows that the build skipped as invalid
 * @throws {LookupInputError} if invalid rows make the others ambiguous, or fast-csv reads some differently
 */
export async function* expectedRows(
  content: AsyncIterable<Uint8Array>,
  plan: BuildPlan,
  invalidLines: ReadonlySet<number> = new Set(),
): AsyncGenerator<ExpectedRow> {
  try {
    for await (const row of keptRows(content, plan, invalidLines)) {
      if (plan.includeIpRange) yield* inPieces(row);
      else yield row;
    }
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('Parse Error')) throw error;
    throw malformedQuotes(plan.file);
  }
}

async function* keptRows(
  content: AsyncIterable<Uint8Array>,
  plan: BuildPlan,
  invalidLines: ReadonlySet<number>,
): AsyncGenerator<ExpectedRow> {
  const { separator, rest } = await splitSeparatorLine(copies(content));
  const delimiter = separator ?? String.fromCharCode(plan.separator);
  const check = new TextCheck(plan.file, delimiter, separator === undefined ? 1 : 2);
  const text = Readable.from(checked(rest, check), { objectMode: false });
  const rows = parseStream<string[], string[]>(text, { delimiter, ignoreEmpty: false });
  text.on('error', (error) => rows.destroy(error));
  let layout: Layout | undefined;
  let header: readonly string[] | undefined;
  let next = separator === undefined ? 1 : 2;
  for await (const row of rows as AsyncIterable<string[]>) {
    const line = next;
    next += 1 + row.reduce((count, cell) => count + cell.split('\n').length - 1, 0);
    if (invalidLines.has(line)) continue;
    if (row.length === 0) continue;
    if (plan.columns === undefined && header === undefined) {
      header = row;
      continue;
    }
    layout ??= layoutOf(row, header, plan);
    const expected = toExpected(row, layout, plan);
    if (expected !== undefined) yield expected;
  }
}

/** Splits the row at block boundaries; each piece's record has its own addresses. */
function* inPieces({ first, last, record }: ExpectedRow): Generator<ExpectedRow> {
  const starts = [first, ...BLOCK_STARTS.filter((start) => first < start && start <= last)];
  for (const [index, start] of starts.entries()) {
    const end = (starts[index + 1] ?? last + 1n) - 1n;
    yield {
      first: start,
      last: end,
      record: { ...record, ip_from: textOf(start), ip_to: textOf(end) },
      ...(starts.length > 1 && { whole: last - first }),
    };
  }
}

function textOf(address: bigint): string {
  if (address >> 32n === 0xffffn) return new ipaddr.IPv4(bytesOf(address, 4)).toString();
  return new ipaddr.IPv6(bytesOf(address, 16)).toRFC5952String();
}

function bytesOf(address: bigint, length: number): number[] {
  return Array.from({ length }, (_, index) => Number((address >> BigInt(8 * (length - 1 - index))) & 0xffn));
}

/** Streams buffer several chunks, but each is valid only until the next one. */
async function* copies(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}

/** Checks each chunk before it is parsed. */
async function* checked(chunks: AsyncIterable<Uint8Array>, check: TextCheck): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    check.push(decoder.decode(chunk, { stream: true }));
    yield chunk;
  }
}

/** Excel's first line, such as `sep=;`, names the separator and is not a row. */
async function splitSeparatorLine(chunks: AsyncGenerator<Uint8Array>) {
  const head: Uint8Array[] = [];
  for (let next; Buffer.concat(head).length < 32 && !(next = await chunks.next()).done;)
    head.push(next.value);
  const start = Buffer.concat(head);
  const [line = '', separator] =
    /^(?:\u{feff})?"?sep=([^\w".:/-])"?\r?\n/iu.exec(start.toString().slice(0, 32)) ?? [];
  async function* rest(): AsyncGenerator<Uint8Array> {
    yield start.subarray(Buffer.byteLength(line));
    yield* chunks;
  }
  return { separator, rest: rest() };
}

interface Layout {
  readonly addressColumns: number;
  /** Names of the value columns, stored or not. */
  readonly names: readonly string[];
  readonly columns: readonly StoredColumn[];
  readonly constants: readonly (readonly [path: readonly string[], value: LookupValue])[];
}

function layoutOf(row: readonly string[], header: readonly string[] | undefined, plan: BuildPlan): Layout {
  const oneColumn =
    plan.format.addressColumns === 1 || (plan.format.name === 'auto' && !isAddressText(row[1]?.trim() ?? ''));
  const addressColumns = oneColumn || /[/-]/.test(row[0]!) ? 1 : 2;
  const fitting = plan.columns?.find((names) => names.length + addressColumns === row.length);
  const names = header?.slice(addressColumns) ?? fitting ?? [];
  const stored = storedColumns(names, plan);
  const columns = stored.filter(({ constant }) => constant === undefined);
  const constants = stored.flatMap(({ constant, path, read }) =>
    constant === undefined ? [] : [[path, read(constant)] as const],
  );
  return { addressColumns, names, columns, constants };
}

/** ipaddr.js takes numbers, `1.2` and addresses with zones for addresses, too. */
function isAddressText(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || (ipaddr.IPv6.isValid(text) && !text.includes('%'));
}

function toExpected(row: readonly string[], layout: Layout, plan: BuildPlan): ExpectedRow | undefined {
  const [first, last] = rangeOf(row, layout.addressColumns, plan);
  const cells = layout.columns.map((column) => ({
    column,
    cell: row[layout.addressColumns + column.index]!,
  }));
  const isEmpty = (name: string, cell: string): boolean =>
    cell === '' || (plan.dashIsEmpty && cell === '-') || plan.noValues.get(name)?.test(cell) === true;
  const isZero = (name: string, cell: string): boolean =>
    plan.dashIsEmpty && /^(latitude|longitude|elevation)$/.test(name) && Number(cell) === 0;
  const isNothing = cells.every(({ cell, column: { name } }) => isEmpty(name, cell) || isZero(name, cell));
  const isAnyEmpty = cells.some(({ cell, column }) => isEmpty(column.name, cell));
  // Stored zeros alone: the other columns show what they stand for.
  const whole = layout.names.map((name, index) => [name, row[layout.addressColumns + index]!] as const);
  const isUnknown =
    cells.length > 0 &&
    isNothing &&
    whole.every(([name, cell]) => isEmpty(name, cell) || isZero(name, cell)) &&
    whole.some(([name, cell]) => isEmpty(name, cell));
  const isEmptyRow = isNothing && (isAnyEmpty || isUnknown);
  if ({ none: false, all: isEmptyRow, any: isAnyEmpty || isEmptyRow }[plan.dropEmptyRows]) return undefined;
  const values = cells.flatMap(
    ({ column: { name, path, read }, cell }): [readonly string[], LookupValue][] => {
      if (isEmpty(name, cell)) return plan.keepEmptyCells ? [[path, '-']] : [];
      const value = read(cell);
      // MaxMind's records leave out what is false.
      return value === false && plan.schema === 'geoip2' ? [] : [[path, value]];
    },
  );
  return { first, last, record: recordOf([...values, ...layout.constants]) };
}

function rangeOf(row: readonly string[], addressColumns: number, { format }: BuildPlan): [bigint, bigint] {
  const [from = '', to = ''] = row.slice(0, 2).map((cell) => spellOut(cell.trim()));
  if (format.name === 'ipv4-int') return [MAPPED + BigInt(from), MAPPED + BigInt(to)];
  if (format.name === 'ipv6-int') return [BigInt(from), BigInt(to)];
  if (addressColumns === 2) return [toNumber(ipaddr.parse(from)), toNumber(ipaddr.parse(to))];
  if (from.includes('-')) {
    const [start, end] = from.split('-').map((text) => toNumber(ipaddr.parse(spellOut(text.trim()))));
    return [start!, end!];
  }
  const [address, length] = from.includes('/') ? ipaddr.parseCIDR(from) : [ipaddr.parse(from), undefined];
  const bits = address.kind() === 'ipv4' ? 32 : 128;
  const first = toNumber(address);
  return [first, first + (1n << BigInt(bits - (length ?? bits))) - 1n];
}

/** ipaddr.js mistakes `::1.2.3.4`, an address in ::/96, for `::ffff:1.2.3.4`. */
function spellOut(text: string): string {
  return text.replace(/^::(?=\d+\.)/, '::0:');
}

function toNumber(address: ipaddr.IPv4 | ipaddr.IPv6): bigint {
  const value = address.toByteArray().reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return address.kind() === 'ipv4' ? MAPPED + value : value;
}
