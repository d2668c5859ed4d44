import type { BuildPlan } from '../build/build-plan.js';
import type { LookupRecord } from '../mmdb/decode-value.js';
import type { Lookup } from '../mmdb/open-lookup.js';
import { type ExpectedRow, toText } from './expected-rows.js';

/** Differences told one by one; the rest is only counted. */
const MAX_DIFFERENCES = 20;

const MAPPED = 0xffffn << 32n;
const MAX = (1n << 128n) - 1n;

/** What the comparison of a lookup with its input found. */
export interface Comparison {
  /** Rows of the input that the lookup should hold. */
  readonly rows: number;
  /** Addresses looked up. */
  readonly addresses: number;
  readonly differences: readonly string[];
  readonly differenceCount: number;
}

/**
 * Compares a lookup with the rows it was made of: at each range's first, last and middle address, and beside it. Where
 * rows overlap, the later one must be found.
 */
export async function compareRows(
  lookup: Lookup,
  rows: AsyncIterable<ExpectedRow>,
  plan: BuildPlan,
): Promise<Comparison> {
  const expected = new ExpectedAnswers(plan);
  for await (const row of rows) expected.add(row);
  expected.sort();
  const differences: string[] = [];
  let differenceCount = 0;
  let addresses = 0;
  for (const address of expected.probes()) {
    addresses++;
    const answer = describe(lookup.find(toText(address)));
    const wanted = describe(expected.at(address));
    if (answer === wanted) continue;
    if (differenceCount++ < MAX_DIFFERENCES)
      differences.push(`${toText(address)}: the lookup has ${answer}, the input ${wanted}`);
  }
  return { rows: expected.count, addresses, differences, differenceCount };
}

/** Answers by searching all rows. */
class ExpectedAnswers {
  private readonly rows: (ExpectedRow & { readonly order: number })[] = [];
  /** Per row in address order: the highest last address up to it. */
  private readonly reach: bigint[] = [];
  /** Records by their text, so that equal ones are held once. */
  private readonly records = new Map<string, LookupRecord>();

  constructor(private readonly plan: BuildPlan) {}

  get count(): number {
    return this.rows.length;
  }

  add(row: ExpectedRow): void {
    const text = describe(row.record);
    const record = this.records.get(text) ?? row.record;
    this.records.set(text, record);
    this.rows.push({ first: row.first, last: row.last, record, order: this.rows.length });
  }

  sort(): void {
    this.rows.sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
    for (const [index, { last }] of this.rows.entries()) {
      const before = this.reach[index - 1] ?? -1n;
      this.reach.push(last > before ? last : before);
    }
  }

  *probes(): Generator<bigint> {
    for (const { first, last } of this.rows) {
      for (const address of [first - 1n, first, (first + last) / 2n, last, last + 1n]) {
        if (address >= 0n && address <= MAX && this.isServed(address)) yield address;
      }
    }
  }

  /** What the lookup must say: IPv4 rows win in ::/96; 6to4 addresses without a row have the answer of their IPv4 one. */
  at(address: bigint): LookupRecord | undefined {
    if (address >> 32n === 0n) return this.covering(address + MAPPED) ?? this.covering(address);
    if (this.plan.forceIpv4) return this.covering(address);
    if (address >> 32n === 0xffffn) return this.covering(address) ?? this.covering(address - MAPPED);
    const own = this.covering(address);
    if (own !== undefined || address >> 112n !== 0x2002n) return own;
    return this.at(((address >> 80n) & 0xffff_ffffn) + MAPPED);
  }

  /** An IPv4 lookup says nothing of IPv6 addresses. */
  private isServed(address: bigint): boolean {
    return !this.plan.forceIpv4 || address >> 32n === 0xffffn;
  }

  private covering(address: bigint): LookupRecord | undefined {
    let low = 0;
    let high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.rows[middle]!.first <= address) low = middle + 1;
      else high = middle;
    }
    let winner: (ExpectedRow & { readonly order: number }) | undefined;
    for (let index = low - 1; index >= 0 && this.reach[index]! >= address; index--) {
      const row = this.rows[index]!;
      if (row.last >= address && (winner === undefined || row.order > winner.order)) winner = row;
    }
    return winner?.record;
  }
}

/** The addresses of a row are not compared: a row cut in pieces has those of the piece. */
function describe(record: LookupRecord | undefined): string {
  if (record === undefined) return 'nothing';
  const { ip_from, ip_to, ...values } = record;
  return JSON.stringify(Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))));
}
