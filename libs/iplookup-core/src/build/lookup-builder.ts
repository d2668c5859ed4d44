import { ipv6Filler } from '../mmdb/address-tree.js';
import { chooseRecordSize } from '../mmdb/encode-tree.js';
import { GapFiller, type Island } from '../mmdb/gap-filler.js';
import { DATA_SEPARATOR_BYTES } from '../mmdb/mmdb-format.js';
import { type LookupTree, NO_KEYS, PortableTree } from '../mmdb/lookup-tree.js';
import { DATA } from '../mmdb/node-store.js';
import type { AddressTree } from '../mmdb/tree-builder.js';
import { encodeMetadata, toDatabaseType } from '../mmdb/metadata.js';
import { type Overlap, OverlapReport, type Override } from '../rows/overlap-report.js';
import type { RowStore } from '../rows/row-store.js';
import { layOut, type SegmentSink } from '../rows/segments.js';
import type { RecordLayout } from '../schema/record-layout.js';
import type { RecordPool } from '../values/record-pool.js';
import { EngineTree } from '../scan/engine-tree.js';
import { optionMessage } from '../messages/option-message.js';
import type { BuildCounts } from './build-counts.js';
import type { BuildPlan } from './build-plan.js';
import { ViolationList, LookupInputError, MAX_LISTED_VIOLATIONS } from './input-violations.js';
import type { MissingKeys } from './joined-cells.js';
import { isMappedPiece, pieceValue, RangeCollector } from './range-collector.js';
import { RecordWriter } from './record-writer.js';
import { ENGINE_FROM_BYTES, RowReader } from './row-reader.js';

/** Overlaps listed if they are not errors. */
const MAX_NAMED_OVERLAPS = 5;

/** Converts CSV bytes to lookup file bytes; reading and writing files is left to the caller. */
export class LookupBuilder {
  private readonly violations: ViolationList;
  private readonly rows: RangeCollector;
  private readonly reader: RowReader;
  private nodes: LookupTree = new PortableTree();
  private readonly overlaps: OverlapReport;

  /** @param engineFromBytes size of the input from which on the engine is used */
  constructor(
    private readonly plan: BuildPlan,
    private readonly engineFromBytes = ENGINE_FROM_BYTES,
  ) {
    this.violations = new ViolationList(plan.file, plan.places);
    this.rows = new RangeCollector(plan);
    this.reader = new RowReader(plan, this.rows, this.violations, engineFromBytes);
    const maxNamed = plan.overlap === 'error' ? MAX_LISTED_VIOLATIONS : MAX_NAMED_OVERLAPS;
    this.overlaps = new OverlapReport(maxNamed, this.rows.splitLines);
  }

  /** Rows read so far, including invalid ones. */
  get rowsRead(): number {
    return this.rows.read + this.violations.count;
  }

  /** Processes the next bytes of the input. @throws {LookupInputError} if the whole file is invalid */
  push(chunk: Uint8Array): void {
    this.reader.push(chunk);
  }

  /**
   * Ends the input, builds the tree and yields the lookup file in chunks. Empty chunks are yielded between steps, so
   * that the caller can do other work.
   *
   * @returns the counts
   * @throws {LookupInputError} before the first byte, if rows are invalid and not to be skipped
   * @throws {LookupTooLargeError} if the file would exceed the format's limits
   */
  *finish(): Generator<Uint8Array, BuildCounts> {
    const { records, layout, joined } = this.reader.end();
    if (this.violations.count > 0 && !this.plan.skipInvalid) throw this.violations.invalidRows();
    const writer = this.recordWriter(records, layout);
    if (this.reader.bytesRead >= this.engineFromBytes)
      this.nodes = EngineTree.start(records.size, writer.places.length) ?? this.nodes;
    this.reuse(this.reader.spare);
    for (const steps = this.buildTree(writer); !steps.next().done;) yield NOTHING;
    this.checkOverlaps();
    const recordSize = chooseRecordSize(this.nodes.count, writer.data.length);
    yield* this.nodes.encode(writer.places, recordSize);
    yield Buffer.alloc(DATA_SEPARATOR_BYTES);
    yield* writer.content();
    yield encodeMetadata({
      databaseType: layout.databaseType ?? toDatabaseType(this.plan.lookupName),
      description: { en: this.plan.description },
      languages: layout.languages,
      buildEpoch: this.plan.buildEpoch,
      ipVersion: this.plan.forceIpv4 ? 4 : 6,
      nodeCount: this.nodes.count,
      recordSize,
    });
    return this.counts(writer, recordSize, joined.missingKeys);
  }

  /** Memory that is used again need not be cleared by the system. */
  private reuse(words: Uint32Array | undefined): void {
    if (words !== undefined) this.nodes.reuse?.(words);
  }

  private recordWriter(records: RecordPool, layout: RecordLayout): RecordWriter {
    const { ipv4, ipv6, behindIpv4 } = this.rows;
    const keys = this.plan.includeIpRange ? ipv4.count + ipv6.count + behindIpv4.count : records.size;
    return new RecordWriter(records, keys, layout);
  }

  private *buildTree(writer: RecordWriter): Generator<void> {
    const { ipv4, ipv6, behindIpv4 } = this.rows;
    const tree4 = this.nodes.builder(1);
    const islands: Island[] = [];
    yield* this.layOut(behindIpv4, this.toIslands(tree4, islands, writer), false);
    const filler4 = new GapFiller(tree4, 1, islands);
    yield* this.addRows(ipv4, filler4, 0, writer);
    let root = filler4.finish();
    if (!this.plan.forceIpv4) {
      const filler6 = ipv6Filler(this.nodes, root);
      yield* this.addRows(ipv6, filler6, ipv4.count, writer);
      root = filler6.finish();
    }
    if (root >= DATA) this.nodes.add(root, root);
  }

  private layOut(rows: RowStore, sink: SegmentSink, release = true): Generator<void> {
    const precedence = this.plan.overlap === 'specific' ? 'specific' : 'later';
    return layOut(rows, sink, this.overlaps, { precedence, splitLines: this.rows.splitLines, release });
  }

  /** Adds rows to a tree, together if the tree can do that. */
  private *addRows(
    store: RowStore,
    filler: GapFiller,
    keyBase: number,
    writer: RecordWriter,
  ): Generator<void> {
    const { nodes, plan } = this;
    const sink = this.toFiller(filler, store, keyBase, writer);
    if (!store.ordered || nodes.addRows === undefined) {
      yield* this.layOut(store, sink);
      return;
    }
    const firstKey = plan.includeIpRange ? keyBase : NO_KEYS;
    const isDeferred = plan.includeIpRange && store.width === 1;
    const use = (record: number): void => writer.ensure(record, record);
    let written = 0;
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
    for (let row = 0; row < store.count;) {
      row = nodes.addRows({ store, row, firstKey, use, addOne }, filler);
      writeUpTo(row);
      if (!isDeferred && store.endsChunk(row - 1)) this.reuse(store.release(row - 1));
      yield;
    }
  }

  private toFiller(filler: GapFiller, rows: RowStore, firstKey: number, writer: RecordWriter): SegmentSink {
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
  private toIslands(tree: AddressTree, islands: Island[], writer: RecordWriter): SegmentSink {
    const { ipv4, ipv6, behindIpv4 } = this.rows;
    const { includeIpRange } = this.plan;
    return (words, at, value, row) => {
      const record = pieceValue(value);
      const key = includeIpRange ? ipv4.count + ipv6.count + row : record;
      const isIpv6 = !isMappedPiece(value);
      const fill = (from: Uint32Array): void => {
        writer.ensure(key, record, includeIpRange ? behindIpv4 : undefined, row, isIpv6);
        tree.set(from, 0, DATA + key);
      };
      islands.push({ first: words.slice(at, at + 1), last: words.slice(at + 1, at + 2), fill });
    };
  }

  private checkOverlaps(): void {
    if (this.plan.overlap !== 'error' || this.overlaps.count === 0) return;
    const { count, named } = this.overlaps;
    const violations = new ViolationList(this.plan.file, this.plan.places);
    for (const { earlier, later } of named)
      violations.add(
        later,
        optionMessage`overlaps row ${this.plan.places?.describe(earlier) ?? earlier}, which ${this.plan.overlapOption} does not allow`,
      );
    throw new LookupInputError(violations.listed, count);
  }

  private locate({ earlier, later }: Overlap): Overlap {
    const { places } = this.plan;
    if (places === undefined) return { earlier, later };
    const [a, b] = [places.of(earlier), places.of(later)];
    return { earlier: a.row, later: b.row, earlierFile: a.file, laterFile: b.file };
  }

  private locateOverride({ row, overridden, first }: Override): Override {
    const { places } = this.plan;
    if (places === undefined) return { row, overridden, first };
    const [a, b] = [places.of(row), places.of(first)];
    return { row: a.row, overridden, first: b.row, rowFile: a.file, firstFile: b.file };
  }

  private counts(writer: RecordWriter, recordSize: number, missingKeys: readonly MissingKeys[]): BuildCounts {
    const { rows, violations, overlaps } = this;
    return {
      rows: this.rowsRead,
      kept: rows.kept,
      dropped: rows.dropped,
      emptyRows: rows.emptyRows,
      partlyEmptyRows: rows.partlyEmptyRows,
      skipped: violations.count,
      skippedRows: violations.listed,
      leftOut: rows.leftOut,
      merged: this.plan.includeIpRange ? 0 : rows.ipv4.continued + rows.ipv6.continued,
      overlaps: overlaps.count,
      overlapping: overlaps.named.map((overlap) => this.locate(overlap)),
      overriddenSpecific: overlaps.overriddenSpecific,
      overriding: overlaps.overriding(this.rowsRead).map((override) => this.locateOverride(override)),
      missingKeys,
      nodes: this.nodes.count,
      records: writer.count,
      recordSize,
      ipVersion: this.plan.forceIpv4 ? 4 : 6,
    };
  }
}

const NOTHING = new Uint8Array(0);
