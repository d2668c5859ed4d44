import {
  findCoveringRow,
  ipv4OfSixToFour,
  type Lookup,
  type LookupRecord,
  type LookupValue,
  type NetworkMatch,
  readLookupFile,
} from '@svc/iplookup-core';
import { CommanderError } from '../../errors/commander-error.js';
import { withLookupErrors } from '../files/iplookup.errors.js';
import { filesOf, type LayerDeclaration, type LookupDeclaration } from './lookup-declaration.js';
import { toJsonRecord } from '../files/record-json.js';
import { compareLookup, isAsBuilt, type LookupPlaces } from './compare-lookup.js';
import { layerInput } from './sync-lookups.js';
import { type LookupState, SyncStates } from './sync-state.js';

/** Where a value comes from. */
export interface ValueOrigin {
  /** A path with dots in nested records. */
  readonly column: string;
  readonly value: unknown;
  readonly source: string;
  /** Where the source's row starts; absent for a lookup file, or if the source has changed since. */
  readonly line?: number;
}

/**
 * Finds the source of each value of an address's record.
 *
 * @throws {CommanderError} if the lookup was not built as it is declared, or `address` is not an IP address
 */
export async function explainLookup(
  declaration: LookupDeclaration,
  address: string,
  options: LookupPlaces,
): Promise<ValueOrigin[]> {
  const states = new SyncStates(options.folder);
  const { former: state, isAsDeclared } = await compareLookup(declaration, options);
  if (state === undefined || !isAsDeclared) {
    const message = `${declaration.name} was not built as it is declared now: build it with "svccmd iplookup sync ${declaration.name}"`;
    throw new CommanderError('lookup_changed', message);
  }
  if (state.rolledBackFrom !== undefined) {
    const message = `${declaration.name} was rolled back to a version that was built from something else`;
    throw new CommanderError('lookup_changed', message);
  }
  return withLookupErrors(async () => {
    const ipv4 = ipv4OfSixToFour(address);
    const found: FoundRecord[] = [];
    for (const [index, layer] of declaration.layers.entries()) {
      const key = state.layers[index];
      const isLookup = key === null || key === undefined;
      if (isLookup && !(await isAsBuilt(layer.source, state, options)))
        throw new CommanderError(
          'lookup_changed',
          `${layer.source} has changed since ${declaration.name} was built`,
        );
      const path = isLookup ? options.paths[layer.source]! : states.layerPath(key);
      found.push(...recordsOf(layer, await readLookupFile(path), address, ipv4));
    }
    // Rows for 6to4 addresses take precedence over those for the IPv4 addresses in them, in any layer.
    const isAlias = ipv4 !== undefined && !found.some((each) => each.address === address);
    const origins = new Map<string, ValueOrigin>();
    for (const { layer, record, ...at } of found) {
      if (at.address !== (isAlias ? ipv4 : address)) continue;
      const line = await lineOf(layer, state, at.address, options);
      const place = { source: layer.source, ...(line !== undefined && { line }) };
      addOrigins(origins, leavesOf(record), layer, place);
    }
    return [...origins.values()];
  });
}

interface FoundRecord {
  readonly layer: LayerDeclaration;
  readonly record: LookupRecord;
  /** The address itself, or the IPv4 address in it. */
  readonly address: string;
}

/** A layer's records of an address, and of the IPv4 address in it. */
function recordsOf(
  layer: LayerDeclaration,
  lookup: Lookup,
  address: string,
  ipv4: string | undefined,
): FoundRecord[] {
  const match = lookup.findNetwork(address);
  if (match === undefined)
    throw new CommanderError('usage', `${JSON.stringify(address)} is not an IP address`);
  const embedded = ipv4 === undefined ? undefined : lookup.findNetwork(ipv4);
  const isAlias = embedded !== undefined && match.record === embedded.record && areAliases(match, embedded);
  return [
    ...(match.record === undefined || isAlias ? [] : [{ layer, record: match.record, address }]),
    ...(ipv4 === undefined || embedded?.record === undefined
      ? []
      : [{ layer, record: embedded.record, address: ipv4 }]),
  ];
}

/** Whether a 6to4 network is that of an IPv4 network, or both are part of one that covers all of IPv4. */
function areAliases(sixToFour: NetworkMatch, ipv4: NetworkMatch): boolean {
  const length = Number(ipv4.network.split('/')[1]);
  return length === 0 || sixToFour.network.endsWith(`/${16 + length}`);
}

/** @param origins by their keys: the names on their paths, joined by {@link IN} */
function addOrigins(
  origins: Map<string, ValueOrigin>,
  leaves: ReadonlyMap<string, Pick<ValueOrigin, 'column' | 'value'>>,
  { merge }: LayerDeclaration,
  place: Pick<ValueOrigin, 'source' | 'line'>,
): void {
  if (merge === 'replace') origins.clear();
  for (const [key, leaf] of leaves) {
    const taken = [...origins.keys()].filter((other) => isSamePlace(key, other));
    if (merge === 'fill' && taken.length > 0) continue;
    for (const other of taken) if (other !== key) origins.delete(other);
    origins.set(key, { ...leaf, ...place });
  }
}

/** At one path, a record has either a value or nested values. */
function isSamePlace(key: string, other: string): boolean {
  return key === other || key.startsWith(other + IN) || other.startsWith(key + IN);
}

/** Separates names, which may contain dots. */
const IN = '\0';

/** The values of a record by their keys, and nested ones with their path. */
function leavesOf(record: LookupRecord): Map<string, Pick<ValueOrigin, 'column' | 'value'>> {
  const leaves = new Map<string, Pick<ValueOrigin, 'column' | 'value'>>();
  const visit = (value: LookupRecord, path: readonly string[]): void => {
    for (const [name, item] of Object.entries(value)) {
      const names = [...path, name];
      if (isMap(item)) visit(item, names);
      else
        leaves.set(names.join(IN), {
          column: names.join('.'),
          value: toJsonRecord({ value: item })!['value'],
        });
    }
  };
  visit(record, []);
  return leaves;
}

function isMap(value: LookupValue): value is LookupRecord {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Uint8Array);
}

async function lineOf(
  layer: LayerDeclaration,
  state: LookupState,
  address: string,
  places: LookupPlaces,
): Promise<number | undefined> {
  // Lookup files have no rows, however they are read.
  if (layer.kind === 'lookup' || /\.mmdb(\.gz)?$/i.test(layer.source)) return undefined;
  for (const name of filesOf(layer)) if (!(await isAsBuilt(name, state, places))) return undefined;
  const { paths, signal } = places;
  return findCoveringRow({ ...layerInput(layer, paths), folder: '', signal }, address);
}
