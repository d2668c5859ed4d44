import { mappedWords } from '../rows/mapped-words.js';
import { CHUNK_ROWS, type RowStore } from '../rows/row-store.js';
import { EngineTree } from '../scan/engine-tree.js';
import type { NumberedPiece } from '../scan/numbered-rows.js';
import type { BuildCounts } from './build-counts.js';
import type { BuildPlan } from './build-plan.js';
import {
  buildCounts,
  type BuildFindings,
  checkOverlaps,
  checkViolations,
  overlapReport,
  rowsRead,
} from './build-result.js';
import { ViolationList } from './input-violations.js';
import { LookupAssembler } from './lookup-assembler.js';
import { RangeCollector } from './range-collector.js';
import { RecordWriter } from './record-writer.js';
import { RowReader } from './row-reader.js';
import type { RowValues } from './row-values.js';

/** A lower bound of the bytes per row in files that are worth a second thread; it limits the number of rows. */
const MIN_ROW_BYTES = 12;

/** Limited because address space is reserved for the place of each row's record in the lookup file. */
const MAX_ROWS = 1 << 25;

/** Arrays kept for the tree's next nodes. */
const SPARE_ARRAYS = 4;

/** The rows cannot be added to a tree while others are still to be read, such as rows that are not sorted. */
export class UnfitRowsError extends Error {
  override readonly name = 'UnfitRowsError';
}

/**
 * Builds a lookup like `LookupBuilder`, but adds rows to the tree while it reads others, and does not keep them. Another
 * thread may read some of them.
 */
export class StreamedBuilder {
  private readonly findings: BuildFindings;
  private readonly reader: RowReader;
  private readonly maxRows: number;
  private assembler: LookupAssembler | undefined;
  private nodes: EngineTree | undefined;
  /** Rows behind IPv4 that were added. */
  private behindIpv4 = 0;
  private readonly spare: Uint32Array[] = [];

  /** @param inputBytes size of the input */
  constructor(
    private readonly plan: BuildPlan,
    inputBytes: number,
  ) {
    const rows = new RangeCollector(plan, (words) => this.allocate(words));
    const violations = new ViolationList(plan.file);
    this.reader = new RowReader(plan, rows, violations, 0, true);
    this.findings = { plan, rows, violations, overlaps: overlapReport(plan, rows) };
    this.maxRows = Math.min(MAX_ROWS, Math.ceil(inputBytes / MIN_ROW_BYTES) + 1000);
  }

  /** Rows read so far, including invalid ones. */
  get rowsRead(): number {
    return rowsRead(this.findings);
  }

  /** Where the next bytes may be written, to be announced with {@link StreamedBuilder.pushed}. */
  get room(): Buffer {
    return this.reader.room;
  }

  /**
   * Processes bytes that are in the {@link room}.
   *
   * @throws {UnfitRowsError}
   * @throws {LookupInputError} if the whole file is invalid
   */
  pushed(size: number): void {
    this.reader.pushed(size);
    this.addRows();
  }

  /** True if a piece may follow, which starts where the bytes so far end. */
  get canAdd(): boolean {
    return this.reader.canAdd && this.reader.separator === this.plan.separator;
  }

  /** Takes note of a piece's texts: of all pieces in their order, once {@link canAdd}. */
  learn(piece: NumberedPiece): void {
    this.reader.learn(piece);
  }

  /** Adds rows. @returns false if some are invalid, and none was added @throws {UnfitRowsError} */
  add(piece: NumberedPiece): boolean {
    const isValid = this.reader.add(piece);
    if (isValid) this.addRows();
    return isValid;
  }

  /** Accepts memory for the tree, cleared by the system in another thread, see {@link lacksArrays}. */
  reuse(words: Uint32Array): void {
    this.nodes?.reuse(words);
  }

  /** Number of such arrays that will be needed next. */
  get lacksArrays(): number {
    return this.nodes === undefined ? 0 : Math.max(0, SPARE_ARRAYS - this.nodes.spareArrays);
  }

  /**
   * Ends the input.
   *
   * @throws {UnfitRowsError}
   * @throws {LookupInputError} if the whole file is invalid
   */
  end(): void {
    const values = this.reader.end();
    this.checkOrder();
    this.begun(values);
  }

  /** Completes the lookup after the end of the input, see `LookupBuilder.finish`. */
  *finish(): Generator<Uint8Array, BuildCounts> {
    const { findings } = this;
    const { layout, joined } = this.reader.values!;
    const assembler = this.assembler!;
    checkViolations(findings);
    run(assembler.addIpv4());
    run(assembler.finish());
    checkOverlaps(findings);
    yield* assembler.encode(layout);
    return buildCounts(findings, joined.missingKeys, assembler.counts);
  }

  /** Adds arrays of rows that are full. */
  private addRows(): void {
    this.checkOrder();
    const { ipv4, ipv6 } = this.findings.rows;
    const { values } = this.reader;
    if (values === undefined) return;
    if (fullRows(ipv4) === 0 && fullRows(ipv6) === 0) return;
    const assembler = this.begun(values);
    if (fullRows(ipv6) === assembler.addedIpv6) {
      if (fullRows(ipv4) > assembler.addedIpv4) run(assembler.addIpv4(fullRows(ipv4)));
      return;
    }
    if (assembler.addedIpv4 < ipv4.count) run(assembler.addIpv4());
    run(assembler.addIpv6(fullRows(ipv6)));
  }

  private checkOrder(): void {
    const { assembler } = this;
    const { ipv4, ipv6, behindIpv4 } = this.findings.rows;
    const records = this.reader.values?.records.size ?? 0;
    if (!ipv4.ordered || !ipv6.ordered) throw new UnfitRowsError('rows are not sorted');
    if (assembler !== undefined && behindIpv4.count > this.behindIpv4)
      throw new UnfitRowsError('wide rows follow others');
    if (assembler !== undefined && assembler.addedIpv6 > 0 && ipv4.count > assembler.addedIpv4)
      throw new UnfitRowsError('IPv4 rows follow IPv6 rows');
    if (Math.max(records, ipv4.count + ipv6.count + behindIpv4.count) > this.maxRows)
      throw new UnfitRowsError('there are too many rows');
  }

  private begun({ records, layout }: RowValues): LookupAssembler {
    if (this.assembler !== undefined) return this.assembler;
    const { plan, maxRows, findings } = this;
    const { rows, overlaps } = findings;
    const writer = new RecordWriter(records, maxRows, layout, maxRows);
    const nodes = EngineTree.start(maxRows, maxRows);
    this.nodes = nodes;
    if (nodes === undefined) throw new UnfitRowsError('the engine does not start');
    const release = (words: Uint32Array): void => void this.spare.push(words);
    this.assembler = new LookupAssembler(plan, { rows, nodes, writer, overlaps, release });
    this.behindIpv4 = rows.behindIpv4.count;
    run(this.assembler.addBehindIpv4());
    return this.assembler;
  }

  private allocate(words: number): Uint32Array {
    const spare = this.spare.pop();
    return spare?.length === words ? spare : mappedWords(words);
  }
}

/** Number of rows in arrays that are full. */
function fullRows({ count }: RowStore): number {
  return count - (count % CHUNK_ROWS);
}

function run(steps: Generator<void>): void {
  while (!steps.next().done);
}
