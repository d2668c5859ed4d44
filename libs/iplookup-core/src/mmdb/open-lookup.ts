import { formatIpv4, formatIpv6 } from '../address/format-address.js';
import { parseAddress } from '../address/parse-address.js';
import type { LookupRecord } from './decode-value.js';
import { Ipv4Walk } from './ipv4-walk.js';
import { ParsedLookup } from './parsed-lookup.js';
import type { LookupMetadata } from './metadata.js';
import type { SearchTree } from './search-tree.js';

/** The record of an address, and the widest network around it with the same result. */
export interface NetworkMatch {
  /** Such as `10.1.0.0/16`. */
  readonly network: string;
  readonly record: LookupRecord | undefined;
}

/** An in-memory lookup file for finding single addresses. */
export interface Lookup {
  readonly metadata: LookupMetadata;
  /**
   * The file's record for an address. An IPv4-mapped IPv6 address counts as its IPv4 address.
   *
   * @param address IPv4 or IPv6 in text form, without zone or prefix
   * @returns `undefined` if there is no record or `address` is invalid; records are frozen and shared
   * @throws {LookupFormatError} if the file is damaged on the address's path
   */
  find(address: string): LookupRecord | undefined;
  /** Like {@link find}, with the record's network; `undefined` only if `address` is invalid. */
  findNetwork(address: string): NetworkMatch | undefined;
}

/**
 * Opens a lookup file (MaxMind DB, specification 2.0) held in memory.
 *
 * @param bytes the whole file; must not change afterwards
 * @throws {LookupFormatError} if it is not a readable lookup file
 */
export function openLookup(bytes: Uint8Array): Lookup {
  return new OpenLookup(bytes);
}

class OpenLookup implements Lookup {
  readonly metadata: LookupMetadata;
  private readonly parsed: ParsedLookup;
  private readonly tree: SearchTree;
  private readonly address = new Uint32Array(4);
  private readonly ipv4: Ipv4Walk;

  constructor(bytes: Uint8Array) {
    this.parsed = new ParsedLookup(bytes);
    const { metadata, tree } = this.parsed;
    this.metadata = metadata;
    this.tree = tree;
    // In an IPv6 tree, 96 zero bits below the root.
    this.ipv4 = new Ipv4Walk(tree, metadata.ipVersion === 4 ? 0 : tree.walk(0, new Uint32Array(4), 96));
  }

  find(address: string): LookupRecord | undefined {
    const family = this.parse(address);
    return family === undefined ? undefined : this.recordOf(this.walk(family));
  }

  findNetwork(address: string): NetworkMatch | undefined {
    const family = this.parse(address);
    if (family === undefined) return undefined;
    const record = this.recordOf(this.walk(family));
    return { network: this.network(family, this.tree.depth), record };
  }

  /** Reads the address into `this.address`; a mapped one becomes IPv4. */
  private parse(text: string): 4 | 6 | undefined {
    const words = this.address;
    const family = parseAddress(text, words);
    if (family !== 6 || words[0] !== 0 || words[1] !== 0 || words[2] !== 0xffff) return family;
    words[0] = words[3]!;
    return 4;
  }

  private walk(family: 4 | 6): number {
    if (family === 4) return this.ipv4.walk(this.address);
    if (this.metadata.ipVersion === 6) return this.tree.walk(0, this.address, 128);
    this.tree.depth = 0;
    return this.tree.nodeCount;
  }

  private recordOf(found: number): LookupRecord | undefined {
    if (found === this.tree.nodeCount) return undefined;
    return this.parsed.recordAt(this.parsed.offsetOf(found));
  }

  private network(family: 4 | 6, length: number): string {
    const words = this.address;
    for (let word = 0; word < 4; word++) {
      const kept = Math.min(32, Math.max(0, length - 32 * word));
      words[word] = kept === 0 ? 0 : words[word]! & (-1 << (32 - kept));
    }
    return `${family === 4 ? formatIpv4(words[0]!) : formatIpv6(words, 0)}/${length}`;
  }
}
