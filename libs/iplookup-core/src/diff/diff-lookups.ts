import type { LookupRecord, LookupValue } from '../mmdb/decode-value.js';
import { FamilyTree } from '../networks/family-tree.js';
import { NetworkWalk } from '../networks/network-walk.js';
import type { ParsedLookup } from '../mmdb/parsed-lookup.js';

/** A network whose record differs between two lookups; undefined where one has no record. */
export interface NetworkDifference {
  readonly network: string;
  readonly before: LookupRecord | undefined;
  readonly after: LookupRecord | undefined;
}

/** Numbers of networks added, removed and changed. */
export interface DifferenceCounts {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

/** The differences between two lookups. */
export interface LookupDiff {
  readonly ipv4: DifferenceCounts;
  readonly ipv6: DifferenceCounts;
  /** The first few, IPv4 first, in address order. */
  readonly differences: readonly NetworkDifference[];
}

/**
 * Compares the results of two lookups for every address, regardless of their internal layout.
 *
 * @param limit maximum number of differences to list
 * @throws {LookupFormatError} if a file is damaged
 */
export function diffLookups(before: ParsedLookup, after: ParsedLookup, limit: number): LookupDiff {
  const differences: NetworkDifference[] = [];
  const equality = new RecordEquality(before, after);
  const counts = ([4, 6] as const).map((family) => {
    const count = { added: 0, removed: 0, changed: 0 };
    const trees = [new FamilyTree(before, family), new FamilyTree(after, family)] as const;
    for (const walk = new NetworkWalk(...trees); walk.next();) {
      const former = recordAt(before, walk.left);
      const latter = recordAt(after, walk.right);
      if (former === undefined) count.added++;
      else if (latter === undefined) count.removed++;
      else if (equality.holds(former, latter)) continue;
      else count.changed++;
      if (differences.length >= limit) continue;
      const [was, is] = [former, latter].map((offset, side) =>
        offset === undefined ? undefined : [before, after][side]!.recordAt(offset),
      );
      differences.push({ network: walk.network, before: was, after: is });
    }
    return count;
  });
  return { ipv4: counts[0]!, ipv6: counts[1]!, differences };
}

/** @returns the offset of a reference's record */
function recordAt(lookup: ParsedLookup, reference: number): number | undefined {
  return reference === lookup.tree.nodeCount ? undefined : lookup.offsetOf(reference);
}

const SLOTS = 1 << 16;

/** Compares two records and caches some results: neighbours often share their records. */
class RecordEquality {
  private readonly befores = new Float64Array(SLOTS).fill(-1);
  private readonly afters = new Float64Array(SLOTS);
  private readonly answers = new Uint8Array(SLOTS);

  constructor(
    private readonly before: ParsedLookup,
    private readonly after: ParsedLookup,
  ) {}

  holds(before: number, after: number): boolean {
    const slot = (Math.imul(before, 0x9e37_79b1) ^ after) & (SLOTS - 1);
    if (this.befores[slot] !== before || this.afters[slot] !== after) {
      this.befores[slot] = before;
      this.afters[slot] = after;
      this.answers[slot] = areEqual(this.before.recordAt(before), this.after.recordAt(after)) ? 1 : 0;
    }
    return this.answers[slot] === 1;
  }
}

/** True if both have the same keys and values, in any order. */
function areEqual(a: LookupValue, b: LookupValue): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return Object.is(a, b);
  if (a instanceof Uint8Array || b instanceof Uint8Array)
    return a instanceof Uint8Array && b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  const keys = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (key) => Object.hasOwn(b, key) && areEqual((a as LookupRecord)[key]!, (b as LookupRecord)[key]!),
  );
}
