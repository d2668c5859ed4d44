import { valueText } from '../mmdb/column-value.js';
import type { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { FamilyTree } from '../networks/family-tree.js';
import { FullNodes } from '../networks/full-nodes.js';
import { NetworkWalk } from '../networks/network-walk.js';
import { ColumnNumbers, NumberedLookup } from './column-numbers.js';

/** Addresses of a network by the bits that are free in it: `**` takes longer than the rest of a step. */
const SIZES = Float64Array.from({ length: 129 }, (_, bits) => 2 ** bits);

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
  /** Columns that neither lookup has. */
  readonly unknownColumns: readonly string[];
}

/** What to measure besides lost addresses, which takes longer. */
export interface Measures {
  /** Columns to compare; values are compared as text. */
  readonly columns: readonly string[];
  /** Whether to find the most frequent record. */
  readonly largest: boolean;
}

/**
 * Counts the addresses for which two lookups differ. Families are counted separately, since any part of the IPv6 space
 * outweighs all IPv4 addresses.
 *
 * @param before undefined if there is no former lookup
 * @throws {LookupFormatError} if a file is damaged
 */
export function measureChanges(
  before: ParsedLookup | undefined,
  after: ParsedLookup,
  { columns: names, largest }: Measures,
): Changes {
  const columns = names.map((name) => new ColumnNumbers(name));
  const former = before && columns.length > 0 ? new NumberedLookup(before, columns) : undefined;
  const latter = largest || columns.length > 0 ? new NumberedLookup(after, columns) : undefined;
  const numbered = { columns, former, latter, shares: largest ? latter : undefined };
  const families = ([4, 6] as const).map((family) => measureFamily(family, before, after, numbered));
  return { families, unknownColumns: names.filter((_, index) => columns[index]!.text(1) === undefined) };
}

/** The lookups' values, where they are needed. */
interface Numbered {
  readonly columns: readonly ColumnNumbers[];
  readonly former: NumberedLookup | undefined;
  readonly latter: NumberedLookup | undefined;
  /** The new lookup, if its most frequent record is wanted. */
  readonly shares: NumberedLookup | undefined;
}

function measureFamily(
  family: 4 | 6,
  before: ParsedLookup | undefined,
  after: ParsedLookup,
  { columns, former, latter, shares }: Numbered,
): FamilyChanges {
  const lost = new Tally();
  const changed = columns.map(() => new Tally());
  const sizes = new Float64Array(shares?.offsets.length ?? 0);
  const tree = new FamilyTree(after, family);
  const skipped = latter === undefined && family === 4 ? whereNothingIsLost(before, after) : undefined;
  const walk =
    before === undefined
      ? new NetworkWalk(tree)
      : new NetworkWalk(new FamilyTree(before, family), tree, skipped);
  const hasWork = before !== undefined || shares !== undefined;
  while (hasWork && walk.next()) {
    const size = SIZES[tree.bits - walk.length]!;
    const is = before === undefined ? walk.left : walk.right;
    if (shares !== undefined && is !== tree.nodeCount) sizes[shares.placeOf(is)]! += size;
    if (before === undefined || walk.left === before.tree.nodeCount) continue;
    if (lost.add(size, is === tree.nodeCount)) lost.show(size, walk.network);
    for (let index = 0; index < columns.length; index++) {
      const value = former!.numberAt(walk.left, index);
      if (value === 0) continue;
      const next = latter!.numberAt(is, index);
      if (changed[index]!.add(size, next !== value))
        changed[index]!.show(size, changeText(walk.network, columns[index]!, value, next));
    }
  }
  return { family, lost, changed, largest: largestOf(sizes, shares) };
}

/** Parts of the trees in which all addresses have records, before and after, need no closer look if only lost ones count. */
function whereNothingIsLost(before: ParsedLookup | undefined, after: ParsedLookup) {
  if (before === undefined) return undefined;
  const [former, latter] = [new FullNodes(before.tree), new FullNodes(after.tree)];
  return (was: number, is: number) => former.has(was) && latter.has(is);
}

function changeText(network: string, column: ColumnNumbers, value: number, next: number): string {
  const [was = '', is] = [column.text(value), column.text(next)];
  return `${network}: ${JSON.stringify(was)} -> ${is === undefined ? 'nothing' : JSON.stringify(is)}`;
}

function largestOf(sizes: Float64Array, numbered: NumberedLookup | undefined): Affected {
  const place = sizes.reduce((best, size, index) => (size > sizes[best]! ? index : best), 0);
  const addresses = sizes[place] ?? 0;
  return {
    of: sizes.reduce((sum, size) => sum + size, 0),
    addresses,
    examples: addresses > 0 ? [recordText(numbered!.lookup, numbered!.offsets[place]!)] : [],
  };
}

const MAX_TEXT = 120;

function recordText(lookup: ParsedLookup, offset: number): string {
  const text = valueText(lookup.recordAt(offset));
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 3)}...` : text;
}

class Tally implements Affected {
  of = 0;
  addresses = 0;
  private readonly found: { readonly size: number; readonly text: string }[] = [];

  get examples(): string[] {
    return this.found.map(({ text }) => text);
  }

  /** @returns true if the network is one of the largest */
  add(size: number, affected: boolean): boolean {
    this.of += size;
    if (!affected) return false;
    this.addresses += size;
    return this.found.length < MAX_EXAMPLES || this.found.at(-1)!.size < size;
  }

  show(size: number, text: string): void {
    this.found.push({ size, text });
    this.found.sort((a, b) => b.size - a.size);
    this.found.splice(MAX_EXAMPLES);
  }
}
