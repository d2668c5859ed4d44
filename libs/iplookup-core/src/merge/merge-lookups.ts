import { DATA_SEPARATOR_BYTES } from '../mmdb/mmdb-format.js';
import { chooseRecordSize, encodeTree } from '../mmdb/encode-tree.js';
import { encodeMetadata, toDatabaseType } from '../mmdb/metadata.js';
import { DATA } from '../mmdb/node-store.js';
import type { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { LayerRecords } from './layer-records.js';
import { MergedTree } from './merged-tree.js';
import { mergeTrees, type ReferenceJoiner } from './merge-trees.js';
import { MergedRecords } from './merged-records.js';
import { PairTable } from './pair-table.js';

/** How a layer's values combine with those of the layers below, wherever it has a record. */
export const MERGE_RULES = ['override', 'fill', 'replace'] as const;

/**
 * `override`: its values win, those it does not have stay. `fill`: it adds only values that are missing. `replace`: its
 * record stands alone. Nested maps are merged key by key.
 */
export type MergeRule = (typeof MERGE_RULES)[number];

/** A lookup as a layer of another. */
export interface LookupLayer {
  /** Must not change. */
  readonly lookup: ParsedLookup;
  readonly merge: MergeRule;
}

export interface MergeOptions {
  readonly lookupName: string;
  readonly description: string;
  /** Seconds since 1970. */
  readonly buildEpoch: number;
}

/** Counts of a merged lookup. */
export interface MergeCounts {
  readonly nodes: number;
  /** Distinct records. */
  readonly records: number;
  readonly recordSize: number;
}

/**
 * Merges lookups, the first one at the bottom, and yields the lookup file in chunks.
 *
 * @throws {LookupFormatError} if a layer is damaged
 * @throws {LookupTooLargeError} if the file would exceed the format's limits
 */
export function* mergeLookups(
  layers: readonly LookupLayer[],
  options: MergeOptions,
): Generator<Uint8Array, MergeCounts> {
  const lookups = layers.map(({ lookup }) => lookup);
  const records = new MergedRecords();
  const joiner = new LayerJoiner(layers, lookups, records);
  const nodes = new MergedTree(lookups, joiner);
  mergeTrees(nodes, lookups, joiner);
  const recordSize = chooseRecordSize(nodes.count, records.data.length);
  yield* encodeTree(nodes, records.places(), recordSize);
  yield Buffer.alloc(DATA_SEPARATOR_BYTES);
  yield* records.data.content();
  yield encodeMetadata({
    databaseType: databaseTypeOf(lookups, options.lookupName),
    description: { en: options.description },
    languages: languagesOf(lookups),
    buildEpoch: options.buildEpoch,
    ipVersion: 6,
    nodeCount: nodes.count,
    recordSize,
  });
  return { nodes: nodes.count, records: records.count, recordSize };
}

/**
 * Readers infer from the database type which of MaxMind's nested values to expect, so the layers' most comprehensive type
 * is used. For flat records it is the lookup's name.
 */
function databaseTypeOf(lookups: readonly ParsedLookup[], lookupName: string): string {
  const types = lookups.map(({ metadata }) => metadata.databaseType);
  const nested = types.filter((type) => /^Geo(Lite|IP)2-/.test(type));
  if (nested.length < types.length) return toDatabaseType(lookupName);
  return WIDEST.map((name) => nested.find((type) => type.endsWith(name))).find(Boolean) ?? nested[0]!;
}

const WIDEST = ['-Enterprise', '-City', '-Country'];

function languagesOf(lookups: readonly ParsedLookup[]): readonly string[] {
  return [...new Set(lookups.flatMap(({ metadata }) => metadata.languages))];
}

/** Merges the layers' records, each pair only once. */
class LayerJoiner implements ReferenceJoiner {
  private readonly sources: readonly LayerRecords[];
  /** By layer: the joined record of a record of the layers below and the layer's own. */
  private readonly pairs: readonly PairTable[];

  constructor(
    private readonly layers: readonly LookupLayer[],
    private readonly lookups: readonly ParsedLookup[],
    private readonly records: MergedRecords,
  ) {
    this.sources = lookups.map((lookup) => new LayerRecords(lookup, records));
    this.pairs = layers.map(() => new PairTable());
  }

  joinOne(layer: number, reference: number): number {
    return this.sources[layer]!.use(reference);
  }

  join(references: Float64Array, at: number): number {
    let joined: number | undefined;
    for (let layer = 0; layer < this.layers.length; layer++) {
      const reference = references[at + layer]!;
      if (reference === this.lookups[layer]!.tree.nodeCount) continue;
      const record = this.sources[layer]!.recordOf(reference);
      joined = joined === undefined ? record : this.joinPair(layer, joined, record);
    }
    this.records.ensure(joined!);
    return DATA + joined!;
  }

  private joinPair(layer: number, below: number, record: number): number {
    const { merge } = this.layers[layer]!;
    if (merge === 'replace') return record;
    const pairs = this.pairs[layer]!;
    const known = pairs.get(below, record);
    if (known !== undefined) return known;
    const joined = this.records.add(below, record, merge === 'override');
    pairs.set(below, record, joined);
    return joined;
  }
}
