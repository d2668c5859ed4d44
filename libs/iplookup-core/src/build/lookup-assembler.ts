import { ipv6Filler } from '../mmdb/address-tree.js';
import { chooseRecordSize } from '../mmdb/encode-tree.js';
import { GapFiller, type Island } from '../mmdb/gap-filler.js';
import { type LookupTree, NO_KEYS } from '../mmdb/lookup-tree.js';
import { encodeMetadata, toDatabaseType } from '../mmdb/metadata.js';
import { DATA_SEPARATOR_BYTES, type RecordSize } from '../mmdb/mmdb-format.js';
import { DATA } from '../mmdb/node-store.js';
import type { AddressTree } from '../mmdb/tree-builder.js';
import type { OverlapReport } from '../rows/overlap-report.js';
import type { RowStore } from '../rows/row-store.js';
import { layOut, type SegmentSink } from '../rows/segments.js';
import type { RecordLayout } from '../schema/record-layout.js';
import type { BuildCounts } from './build-counts.js';
import type { BuildPlan } from './build-plan.js';
import { isMappedPiece, pieceValue, type RangeCollector } from './range-collector.js';
import type { RecordWriter } from './record-writer.js';

/** What a lookup is made of. */
export interface LookupParts {
  readonly rows: Pick<RangeCollector, 'ipv4' | 'ipv6' | 'behindIpv4' | 'splitLines'>;
  readonly nodes: LookupTree;
  readonly writer: RecordWriter;
  readonly overlaps: OverlapReport;
  /** Accepts arrays of rows that the tree contains. */
  readonly release: (words: Uint32Array) => void;
}

/** Puts rows into a tree and writes their records; then writes both. */
export class LookupAssembler {
  addedIpv4 = 0;
  addedIpv6 = 0;
  private readonly tree4: AddressTree;
  private readonly islands: Island[] = [];
  private readonly filler4: GapFiller;
  private filler6: GapFiller | undefined;
  private recordSize: RecordSize | undefined;

  constructor(
    private readonly plan: BuildPlan,
    private readonly parts: LookupParts,
  ) {
    this.tree4 = parts.nodes.builder(1);
    this.filler4 = new GapFiller(this.tree4, 1, this.islands);
  }

  /** Adds the rows behind IPv4. Call it first, once all of these rows have been read. */
  *addBehindIpv4(): Generator<void> {
    yield* this.layOut(this.parts.rows.behindIpv4, this.toIslands(), false);
  }

  /** Adds IPv4 rows up to `end`. If they are ordered, more may be added later, provided `end` is the start of an array. */
  *addIpv4(end = this.parts.rows.ipv4.count): Generator<void> {
    const { ipv4, behindIpv4 } = this.parts.rows;
    yield* this.addRows(ipv4, this.filler4, behindIpv4.count, this.addedIpv4, end);
    this.addedIpv4 = end;
  }

  /** Adds IPv6 rows, after all IPv4 rows; as for these, further ones may follow. */
  *addIpv6(end = this.parts.rows.ipv6.count): Generator<void> {
    const { ipv4, ipv6, behindIpv4 } = this.parts.rows;
    this.filler6 ??= ipv6Filler(this.parts.nodes, this.filler4.finish());
    yield* this.addRows(ipv6, this.filler6, behindIpv4.count + ipv4.count, this.addedIpv6, end);
    this.addedIpv6 = end;
  }

  /** Completes the tree, after all rows. */
  *finish(): Generator<void> {
    const { nodes } = this.parts;
    if (!this.plan.forceIpv4) yield* this.addIpv6();
    const root = (this.filler6 ?? this.filler4).finish();
    if (root >= DATA) nodes.add(root, root);
  }

  /** The lookup file's bytes. */
  *encode({ databaseType, languages }: RecordLayout): Generator<Uint8Array> {
    const { plan } = this;
    const { nodes, writer } = this.parts;
    const recordSize = chooseRecordSize(nodes.count, writer.data.length);
    this.recordSize = recordSize;
    yield* nodes.encode(writer.places, recordSize);
    yield Buffer.alloc(DATA_SEPARATOR_BYTES);
    yield* writer.content();
    yield encodeMetadata({
      databaseType: databaseType ?? toDatabaseType(plan.lookupName),
      description: { en: plan.description },
      languages,
      buildEpoch: plan.buildEpoch,
      ipVersion: plan.forceIpv4 ? 4 : 6,
      nodeCount: nodes.count,
      recordSize,
    });
  }

  /** What was written. */
  get counts(): Pick<BuildCounts, 'nodes' | 'records' | 'recordSize' | 'ipVersion'> {
    return {
      nodes: this.parts.nodes.count,
      records: this.parts.writer.count,
      recordSize: this.recordSize!,
      ipVersion: this.plan.forceIpv4 ? 4 : 6,
    };
  }

  private layOut(rows: RowStore, sink: SegmentSink, release = true): Generator<void> {
    const { overlaps, rows: all } = this.parts;
    const precedence = this.plan.overlap === 'specific' ? 'specific' : 'later';
    return layOut(rows, sink, overlaps, { precedence, splitLines: all.splitLines, release });
  }

  /** Adds rows to a tree, from one of them on, together if the tree can do that. */
  private *addRows(
    store: RowStore,
    filler: GapFiller,
    keyBase: number,
    first: number,
    last: number,
  ): Generator<void> {
    const { plan } = this;
    const { nodes, writer, release } = this.parts;
    const sink = this.toFiller(filler, store, keyBase);
    if (!store.ordered || nodes.addRows === undefined) {
      yield* this.layOut(store, sink);
      return;
    }
    const firstKey = plan.includeIpRange ? keyBase : NO_KEYS;
    const isDeferred = plan.includeIpRange && store.width === 1;
    const use = (record: number): void => writer.ensure(record, record);
    let written = first;
    // In row order, and before the records that fill the gaps in front of later rows.
    const writeUpTo = (end: number): void => {
      if (isDeferred) writer.ensureRows(keyBase, store, written, end);
      else if (plan.includeIpRange)
        for (let each = written; each < end; each++)
          writer.ensure(keyBase + each, store.valueOf(each), store, each);
      written = end;
    };
    const addOne = (row: number): void => {
      writeUpTo(row);
      sink(store.chunkOf(row), store.offset(row), store.valueOf(row), row);
    };
    for (let row = first; row < last;) {
      row = nodes.addRows({ store, row, firstKey, use, addOne }, filler);
      writeUpTo(row);
      if (!isDeferred && store.endsChunk(row - 1)) release(store.release(row - 1));
      yield;
    }
  }

  private toFiller(filler: GapFiller, rows: RowStore, firstKey: number): SegmentSink {
    const { writer } = this.parts;
    if (!this.plan.includeIpRange) {
      return (words, at, record) => {
        writer.ensure(record, record);
        filler.add(words, at, DATA + record);
      };
    }
    return (words, at, record, row) => {
      writer.ensure(firstKey + row, record, rows, row);
      filler.add(words, at, DATA + firstKey + row);
    };
  }

  /** Turns each range into an island, whose record is written only if part of it is used. */
  private toIslands(): SegmentSink {
    const { tree4, islands } = this;
    const { rows, writer } = this.parts;
    const { behindIpv4 } = rows;
    const { includeIpRange } = this.plan;
    return (words, at, value, row) => {
      const record = pieceValue(value);
      const key = includeIpRange ? row : record;
      const isIpv6 = !isMappedPiece(value);
      const fill = (from: Uint32Array): void => {
        writer.ensure(key, record, includeIpRange ? behindIpv4 : undefined, row, isIpv6);
        tree4.set(from, 0, DATA + key);
      };
      islands.push({ first: words.slice(at, at + 1), last: words.slice(at + 1, at + 2), fill });
    };
  }
}
