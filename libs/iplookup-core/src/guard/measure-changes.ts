import type { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { FamilyTree } from '../networks/family-tree.js';
import { NetworkWalk } from '../networks/network-walk.js';
import { ColumnNumbers, NumberedLookup } from './column-numbers.js';

/** Networks listed as examples. */
const MAX_EXAMPLES = 3;

/** How many addresses are affected, and the largest of their networks. Counts are approximate above 2^53. */
export interface Affected {
  /** Addresses that could be affected. */
  readonly of: number;
  readonly addresses: number;
  /** Largest first, with what happened. */
  readonly examples: readonly string[];
}

/** How a new lookup differs from the former one, in one address family. */
export interface FamilyChanges {
  readonly family: 4 | 6;
  /** Addresses that had a record and have none now. */
  readonly lost: Affected;
  /** For each column: addresses that had a value and have another or none now. */
  readonly changed: readonly Affected[];
  /** Addresses with the most frequent record of the new lookup. */
  readonly largest: Affected;
}

/** The changes of both families. */
export interface Changes {
  readonly families: readonly FamilyChanges[];
  /** Those of the columns that neither lookup has. */
  readonly unknownColumns: readonly string[];
}

/**
 * Counts the addresses for which two lookups differ. Each family counts for itself, since the smallest part of the IPv6 space is
 * larger than all IPv4 addresses.
 *
 * @param before undefined if there is no former lookup
 * @param names of the columns to compare; values are compared as text
 * @throws {LookupFormatError} if a file is damaged
 */
export function measureChanges(
  before: ParsedLookup | undefined,
  after: ParsedLookup,
  names: readonly string[],
): Changes {
  const columns = names.map((name) => new ColumnNumbers(name));
  const former = before && new NumberedLookup(before, columns);
  const latter = new NumberedLookup(after, columns);
  const families = ([4, 6] as const).map((family) => measureFamily(family, former, latter, columns));
  return { families, unknownColumns: names.filter((_, index) => columns[index]!.text(1) === undefined) };
}

function measureFamily(
  family: 4 | 6,
  former: NumberedLookup | undefined,
  latter: NumberedLookup,
  columns: readonly ColumnNumbers[],
): FamilyChanges {
  const lost = new Tally();
  const changed = columns.map(() => new Tally());
  const shares = new Float64Array(latter.offsets.length);
  const tree = new FamilyTree(latter.lookup, family);
  const walk =
    former === undefined
      ? new NetworkWalk(tree)
      : new NetworkWalk(new FamilyTree(former.lookup, family), tree);
  while (walk.next()) {
    const size = 2 ** (tree.bits - walk.length);
    const is = latter.placeOf(former === undefined ? walk.left : walk.right);
    if (is >= 0) shares[is]! += size;
    const was = former === undefined ? -1 : former.placeOf(walk.left);
    if (was < 0) continue;
    lost.add(size, is < 0, () => walk.network);
    for (const [index, column] of columns.entries()) {
      const value = former!.numberAt(was, index);
      if (value === 0) continue;
      const next = latter.numberAt(is, index);
      changed[index]!.add(size, next !== value, () => changeText(walk.network, column, value, next));
    }
  }
  return { family, lost, changed, largest: largestOf(shares, latter) };
}

function changeText(network: string, column: ColumnNumbers, value: number, next: number): string {
  const [was = '', is] = [column.text(value), column.text(next)];
  return `${network}: ${JSON.stringify(was)} -> ${is === undefined ? 'nothing' : JSON.stringify(is)}`;
}

function largestOf(shares: Float64Array, { lookup, offsets }: NumberedLookup): Affected {
  const place = shares.reduce((best, share, index) => (share > shares[best]! ? index : best), 0);
  const addresses = shares[place] ?? 0;
  return {
    of: shares.reduce((sum, share) => sum + share, 0),
    addresses,
    examples: addresses > 0 ? [recordText(lookup, offsets[place]!)] : [],
  };
}

const MAX_TEXT = 120;

function recordText(lookup: ParsedLookup, offset: number): string {
  const entries = Object.entries(lookup.recordAt(offset)).filter(([, value]) => typeof value !== 'bigint');
  const text = JSON.stringify(Object.fromEntries(entries));
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 3)}...` : text;
}

class Tally implements Affected {
  of = 0;
  addresses = 0;
  private readonly found: { readonly size: number; readonly text: string }[] = [];

  get examples(): string[] {
    return this.found.map(({ text }) => text);
  }

  add(size: number, affected: boolean, describe: () => string): void {
    this.of += size;
    if (!affected) return;
    this.addresses += size;
    if (this.found.length >= MAX_EXAMPLES && this.found.at(-1)!.size >= size) return;
    this.found.push({ size, text: describe() });
    this.found.sort((a, b) => b.size - a.size);
    this.found.splice(MAX_EXAMPLES);
  }
}
