import { type LookupTree, PortableTree } from '../mmdb/lookup-tree.js';
import { EngineTree } from '../scan/engine-tree.js';
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
import { ENGINE_FROM_BYTES, RowReader } from './row-reader.js';
import type { RowValues } from './row-values.js';

/** Converts CSV bytes to lookup file bytes; reading and writing files is left to the caller. */
export class LookupBuilder {
  private readonly findings: BuildFindings;
  private readonly reader: RowReader;

  /** @param engineFromBytes size of the input from which on the engine is used */
  constructor(
    private readonly plan: BuildPlan,
    private readonly engineFromBytes = ENGINE_FROM_BYTES,
  ) {
    const violations = new ViolationList(plan.file, plan.places);
    const rows = new RangeCollector(plan);
    this.reader = new RowReader(plan, rows, violations, engineFromBytes);
    this.findings = { plan, rows, violations, overlaps: overlapReport(plan, rows) };
  }

  /** Rows read so far, including invalid ones. */
  get rowsRead(): number {
    return rowsRead(this.findings);
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
    const { findings } = this;
    const values = this.reader.end();
    checkViolations(findings);
    const assembler = this.assembler(values);
    for (const steps = addAll(assembler); !steps.next().done;) yield NOTHING;
    checkOverlaps(findings);
    yield* assembler.encode(values.layout);
    return buildCounts(findings, values.joined.missingKeys, assembler.counts);
  }

  private assembler({ records, layout }: RowValues): LookupAssembler {
    const { rows, overlaps } = this.findings;
    const { ipv4, ipv6, behindIpv4 } = rows;
    const keys = this.plan.includeIpRange ? ipv4.count + ipv6.count + behindIpv4.count : records.size;
    const writer = new RecordWriter(records, keys, layout);
    let nodes: LookupTree = new PortableTree();
    if (this.reader.bytesRead >= this.engineFromBytes) nodes = EngineTree.start(records.size, keys) ?? nodes;
    // Memory that is used again need not be cleared by the system.
    const release = (words: Uint32Array): void => nodes.reuse?.(words);
    const { spare } = this.reader;
    if (spare !== undefined) release(spare);
    return new LookupAssembler(this.plan, { rows, nodes, writer, overlaps, release });
  }
}

function* addAll(assembler: LookupAssembler): Generator<void> {
  yield* assembler.addBehindIpv4();
  yield* assembler.addIpv4();
  yield* assembler.finish();
}

const NOTHING = new Uint8Array(0);
