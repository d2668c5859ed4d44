import type { LookupMetadata } from '../mmdb/metadata.js';
import { familyTrees } from '../networks/family-tree.js';
import { NetworkWalk } from '../networks/network-walk.js';
import { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { placeOf, recordOffsets } from '../networks/record-offsets.js';
import { AddressMap, IPV4_FRAME, IPV6_FRAME } from './address-map.js';
import { groupRecords, type ValueGroups } from './value-groups.js';

/** Counts for one address family. */
export interface FamilyCount {
  readonly networks: number;
  /** Addresses with a record; approximate above 2^53. */
  readonly addresses: number;
}

/** Counts for one value of the column; undefined for records without it. */
export interface GroupCount {
  readonly value: string | undefined;
  readonly ipv4: FamilyCount;
  readonly ipv6: FamilyCount;
}

/** A summary of a lookup file. */
export interface Inspection {
  readonly metadata: LookupMetadata;
  readonly bytes: number;
  /** Distinct records. */
  readonly records: number;
  readonly ipv4: FamilyCount;
  readonly ipv6: FamilyCount;
  /** The column by which coverage is counted. */
  readonly column: string;
  /** Largest first, by IPv4 addresses, then by IPv6 addresses. */
  readonly groups: readonly GroupCount[];
  /** One map per family with networks, or an IPv4 map if there are none. Cells refer to `groups` by index. */
  readonly maps: readonly AddressMap[];
}

/** Running counts of all groups in one family. */
interface Tally {
  readonly networks: Float64Array;
  readonly addresses: Float64Array;
  readonly map: AddressMap;
}

/**
 * Summarizes a lookup file. Time is proportional to its size; memory is a few bytes per record.
 *
 * @param bytes the whole file
 * @param column by which coverage is counted; a dotted path for nested records. Default: the first one
 * @throws {LookupFormatError} if it is not a lookup file, or damaged
 * @throws {LookupOptionError} if no record has the column
 */
export function inspectLookup(bytes: Uint8Array, column?: string): Inspection {
  const lookup = new ParsedLookup(bytes);
  const offsets = recordOffsets(lookup);
  const groups = groupRecords(lookup, offsets, column);
  const [ipv4, ipv6] = tally(lookup, offsets, groups);
  const order = [...groups.values.keys()].sort(
    (a, b) => ipv4.addresses[b]! - ipv4.addresses[a]! || ipv6.addresses[b]! - ipv6.addresses[a]! || a - b,
  );
  const tallies = [ipv4, ipv6].filter(({ networks }) => networks.some((count) => count > 0));
  return {
    metadata: lookup.metadata,
    bytes: bytes.length,
    records: offsets.length,
    ipv4: total(ipv4),
    ipv6: total(ipv6),
    column: groups.column,
    groups: order.map((group) => ({
      value: groups.values[group],
      ipv4: { networks: ipv4.networks[group]!, addresses: ipv4.addresses[group]! },
      ipv6: { networks: ipv6.networks[group]!, addresses: ipv6.addresses[group]! },
    })),
    maps: (tallies.length > 0 ? tallies : [ipv4]).map(({ map }) => renumber(map, order)),
  };
}

function tally(lookup: ParsedLookup, offsets: Uint32Array, { values, groupOf }: ValueGroups): [Tally, Tally] {
  const tallies = [IPV4_FRAME, IPV6_FRAME].map((frame) => ({
    networks: new Float64Array(values.length),
    addresses: new Float64Array(values.length),
    map: new AddressMap(frame),
  }));
  for (const [index, tree] of familyTrees(lookup).entries()) {
    const { networks, addresses, map } = tallies[index]!;
    for (const walk = new NetworkWalk(tree); walk.next();) {
      const group = groupOf[placeOf(lookup.offsetOf(walk.left), offsets)]!;
      networks[group]!++;
      addresses[group]! += 2 ** (tree.bits - walk.length);
      map.add(walk.address, walk.length, group);
    }
    map.finish();
  }
  return tallies as [Tally, Tally];
}

function total({ networks, addresses }: Tally): FamilyCount {
  return {
    networks: networks.reduce((sum, count) => sum + count, 0),
    addresses: addresses.reduce((sum, count) => sum + count, 0),
  };
}

/** Renumbers the cells' groups by their order in the result. */
function renumber(map: AddressMap, order: readonly number[]): AddressMap {
  const places = new Map(order.map((group, place) => [group, place]));
  for (const [cell, group] of map.group.entries()) if (group >= 0) map.group[cell] = places.get(group)!;
  return map;
}
