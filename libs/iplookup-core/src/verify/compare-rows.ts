import { hash } from 'node:crypto';
import { compareWords, nextAddress, previousAddress } from '../address/address-words.js';
import { formatIpv6 } from '../address/format-address.js';
import type { BuildPlan } from '../build/build-plan.js';
import { LookupInputError } from '../build/input-violations.js';
import type { LookupRecord, LookupValue } from '../mmdb/decode-value.js';
import type { Lookup } from '../mmdb/open-lookup.js';
import type { ExpectedRow } from './expected-rows.js';
import { MAX_ROWS, RowTable } from './row-table.js';

/** Further differences are only counted. */
const MAX_DIFFERENCES = 20;

/** The result of comparing a lookup with its input. */
export interface Comparison {
  /** Rows of the input that the lookup should contain. */
  readonly rows: number;
  /** Addresses looked up. */
  readonly addresses: number;
  readonly differences: readonly string[];
  readonly differenceCount: number;
}

/** An address with a wrong result, and the expected row, or -1. */
interface Difference {
  readonly address: string;
  readonly answer: string;
  readonly row: number;
}

/**
 * Compares a lookup with its input at each range's first, last, middle and neighbouring addresses. Where rows
 * overlap, the one that the plan says must win. Only numbers are kept per row, so the input is read again to report differences.
 *
 * @param readRows reads the input from its start
 * @throws {LookupInputError} if there are more than {@link MAX_ROWS} rows
 */
export async function compareRows(
  lookup: Lookup,
  readRows: () => Promise<AsyncIterable<ExpectedRow>>,
  plan: BuildPlan,
): Promise<Comparison> {
  const expected = new ExpectedAnswers(plan);
  for await (const row of await readRows()) expected.add(row);
  const comparison = new RowComparison(lookup, expected);
  comparison.run();
  const { differences, differenceCount, addresses } = comparison;
  const wanted = differences.length > 0 ? await recordsOf(await readRows(), differences) : new Map();
  const described = differences.map(
    ({ address, answer, row }) =>
      `${address}: the lookup has ${answer}, the input ${wanted.get(row) ?? 'nothing'}`,
  );
  return { rows: expected.rows.count, addresses, differences: described, differenceCount };
}

/** The records of the rows mentioned in differences. */
async function recordsOf(
  rows: AsyncIterable<ExpectedRow>,
  differences: readonly Difference[],
): Promise<Map<number, string>> {
  const wanted = new Set(differences.map(({ row }) => row));
  const found = new Map<number, string>();
  let index = 0;
  for await (const { record } of rows) {
    if (wanted.has(index)) found.set(index, describe(record));
    index++;
  }
  return found;
}

/** Compares both sides at every relevant address. */
class RowComparison {
  readonly differences: Difference[] = [];
  differenceCount = 0;
  addresses = 0;
  /** Each lookup record's hash. */
  private readonly marks = new WeakMap<LookupRecord, Uint32Array>();

  constructor(
    private readonly lookup: Lookup,
    private readonly expected: ExpectedAnswers,
  ) {}

  run(): void {
    for (const address of this.expected.probes()) {
      this.addresses++;
      const text = formatIpv6(address, 0);
      const answer = this.lookup.find(text);
      const row = this.expected.at(address);
      if (row < 0 ? answer === undefined : answer && this.expected.rows.hasMark(row, this.markOf(answer)))
        continue;
      if (this.differenceCount++ < MAX_DIFFERENCES)
        this.differences.push({ address: text, answer: describe(answer), row });
    }
  }

  private markOf(record: LookupRecord): Uint32Array {
    let mark = this.marks.get(record);
    if (mark === undefined) this.marks.set(record, (mark = toMark(record)));
    return mark;
  }
}

/** The expected results, by the documented rules. */
class ExpectedAnswers {
  readonly rows = new RowTable();
  private readonly first = new Uint32Array(4);
  private readonly last = new Uint32Array(4);
  private readonly asked = new Uint32Array(4);
  private readonly end = new Uint32Array(4);
  /** Rows that are pieces of split rows, with the size of the whole row. */
  private readonly pieces = new Map<number, bigint>();

  constructor(private readonly plan: BuildPlan) {}

  add({ first, last, record, whole }: ExpectedRow): void {
    if (this.rows.count === MAX_ROWS) {
      const reason = `has more than ${MAX_ROWS} rows: no more can be compared`;
      throw new LookupInputError([{ file: this.plan.file, reason }]);
    }
    toWords(first, this.first);
    toWords(last, this.last);
    if (whole !== undefined) this.pieces.set(this.rows.count, whole);
    this.rows.add(this.first, this.last, toMark(record));
  }

  /** Each row's first, middle and last address, and the adjacent ones unless covered by a neighbouring row. */
  *probes(): Generator<Uint32Array> {
    this.rows.finish();
    const { first, last } = this;
    const probe = new Uint32Array(4);
    const after = new Uint32Array(4);
    let isAfter = false;
    for (let place = 0; place < this.rows.count; place++) {
      const row = this.rows.rowAt(place);
      this.rows.copyAddress(row, 0, first);
      this.rows.copyAddress(row, 1, last);
      if (!isAfter || compareWords(after, 0, first, 0, 4) !== 0) {
        if (isAfter && this.isServed(after)) yield after;
        if (compareWords(first, 0, ZERO, 0, 4) > 0) {
          previousAddress(first, 0, probe, 0, 4);
          if (this.isServed(probe)) yield probe;
        }
      }
      if (this.isServed(first)) yield first;
      middleOf(first, last, probe);
      if (compareWords(probe, 0, first, 0, 4) > 0 && this.isServed(probe)) yield probe;
      if (compareWords(last, 0, probe, 0, 4) > 0 && this.isServed(last)) yield last;
      isAfter = nextAddress(last, 0, after, 0, 4);
    }
    if (isAfter && this.isServed(after)) yield after;
  }

  /**
   * The expected row for an address, or -1. An IPv4 address has the same result in all its forms, as do 6to4
   * addresses without a row of their own.
   */
  at(address: Uint32Array): number {
    if (isIn(address, 0) || isIn(address, MAPPED_WORD)) return this.ofIpv4(address[3]!);
    const own = this.rows.covering(address, this.winner);
    if (own >= 0 || address[0]! >>> 16 !== 0x2002) return own;
    return this.ofIpv4(((address[0]! << 16) | (address[1]! >>> 16)) >>> 0);
  }

  /** The IPv4 row that wins at the address, otherwise the other row that wins in either /96 block. */
  private ofIpv4(ipv4: number): number {
    this.asked.set([0, 0, MAPPED_WORD, ipv4]);
    const row = this.rows.covering(this.asked, this.winner, this.isIpv4Row);
    if (row >= 0) return row;
    const mapped = this.rows.covering(this.asked, this.winner);
    if (this.plan.forceIpv4) return mapped;
    this.asked[2] = 0;
    return this.winner(mapped, this.rows.covering(this.asked, this.winner));
  }

  /** The row that wins where both apply; -1 is none. */
  private readonly winner = (a: number, b: number): number => {
    if (this.plan.overlap !== 'specific' || a < 0 || b < 0) return Math.max(a, b);
    const [size, other] = [this.sizeOf(a), this.sizeOf(b)];
    if (size === other) return Math.max(a, b);
    return size < other ? a : b;
  };

  private sizeOf(row: number): bigint {
    const ends = [0, 1] as const;
    const [first, last] = ends.map((end) => {
      this.rows.copyAddress(row, end, this.end);
      return this.end.reduce((sum, word) => sum * 2n ** 32n + BigInt(word), 0n);
    }) as [bigint, bigint];
    return this.pieces.get(row) ?? last - first;
  }

  /** True if the whole input row is in the IPv4-mapped block. */
  private readonly isIpv4Row = (row: number): boolean => {
    if (this.pieces.has(row)) return false;
    this.rows.copyAddress(row, 0, this.end);
    if (!isIn(this.end, MAPPED_WORD)) return false;
    this.rows.copyAddress(row, 1, this.end);
    return isIn(this.end, MAPPED_WORD);
  };

  /** An IPv4 lookup has no records for IPv6 addresses. */
  private isServed(address: Uint32Array): boolean {
    return !this.plan.forceIpv4 || isIn(address, MAPPED_WORD);
  }
}

const ZERO = new Uint32Array(4);
/** The third word of IPv4-mapped addresses. */
const MAPPED_WORD = 0xffff;

function isIn(address: Uint32Array, block: number): boolean {
  return address[0] === 0 && address[1] === 0 && address[2] === block;
}

function toWords(address: bigint, words: Uint32Array): void {
  for (let word = 0, rest = address; word < 4; word++, rest >>= 32n)
    words[3 - word] = Number(rest & 0xffff_ffffn);
}

/** The mean of two addresses. */
function middleOf(a: Uint32Array, b: Uint32Array, middle: Uint32Array): void {
  let carry = 0;
  for (let word = 3; word >= 0; word--) {
    const sum = a[word]! + b[word]! + carry;
    carry = sum > 0xffff_ffff ? 1 : 0;
    middle[word] = sum;
  }
  for (let word = 0; word < 4; word++) {
    const low = middle[word]! & 1;
    middle[word] = (middle[word]! >>> 1) | (carry << 31);
    carry = low;
  }
}

/** A 64-bit hash of a record's content. */
function toMark(record: LookupRecord): Uint32Array {
  const digest = hash('sha1', describe(record), 'buffer');
  return Uint32Array.of(digest.readUInt32LE(0), digest.readUInt32LE(4));
}

function describe(record: LookupRecord | undefined): string {
  return record === undefined ? 'nothing' : JSON.stringify(sorted(record));
}

function sorted(value: LookupValue): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value instanceof Uint8Array) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item as LookupValue)]));
}
