import { optionMessage } from '../messages/option-message.js';
import { type Overlap, OverlapReport, type Override } from '../rows/overlap-report.js';
import type { BuildCounts } from './build-counts.js';
import type { BuildPlan } from './build-plan.js';
import { LookupInputError, MAX_LISTED_VIOLATIONS, ViolationList } from './input-violations.js';
import type { LookupAssembler } from './lookup-assembler.js';
import type { MissingKeys } from './joined-cells.js';
import type { RangeCollector } from './range-collector.js';

/** Overlaps listed if they are not errors. */
const MAX_NAMED_OVERLAPS = 5;

/** What a build found in its input. */
export interface BuildFindings {
  readonly plan: BuildPlan;
  readonly rows: RangeCollector;
  readonly violations: ViolationList;
  readonly overlaps: OverlapReport;
}

export function overlapReport({ overlap }: BuildPlan, { splitLines }: RangeCollector): OverlapReport {
  return new OverlapReport(overlap === 'error' ? MAX_LISTED_VIOLATIONS : MAX_NAMED_OVERLAPS, splitLines);
}

/** Rows read so far, including invalid ones. */
export function rowsRead({ rows, violations }: BuildFindings): number {
  return rows.read + violations.count;
}

/** @throws {LookupInputError} if rows are invalid and not to be skipped */
export function checkViolations({ plan, violations }: BuildFindings): void {
  if (violations.count > 0 && !plan.skipInvalid) throw violations.invalidRows();
}

/** @throws {LookupInputError} if rows overlap and must not */
export function checkOverlaps({ plan, overlaps }: BuildFindings): void {
  if (plan.overlap !== 'error' || overlaps.count === 0) return;
  const violations = new ViolationList(plan.file, plan.places);
  for (const { earlier, later } of overlaps.named)
    violations.add(
      later,
      optionMessage`overlaps row ${plan.places?.describe(earlier) ?? earlier}, which ${plan.overlapOption} does not allow`,
    );
  throw new LookupInputError(violations.listed, overlaps.count);
}

export function buildCounts(
  findings: BuildFindings,
  missingKeys: readonly MissingKeys[],
  written: LookupAssembler['counts'],
): BuildCounts {
  const { plan, rows, violations, overlaps } = findings;
  return {
    rows: rowsRead(findings),
    kept: rows.kept,
    dropped: rows.dropped,
    emptyRows: rows.emptyRows,
    partlyEmptyRows: rows.partlyEmptyRows,
    skipped: violations.count,
    skippedRows: violations.listed,
    leftOut: rows.leftOut,
    merged: plan.includeIpRange ? 0 : rows.ipv4.continued + rows.ipv6.continued,
    overlaps: overlaps.count,
    overlapping: overlaps.named.map((overlap) => locate(plan, overlap)),
    overriddenSpecific: overlaps.overriddenSpecific,
    overriding: overlaps.overriding(rowsRead(findings)).map((override) => locateOverride(plan, override)),
    missingKeys,
    ...written,
  };
}

function locate({ places }: BuildPlan, { earlier, later }: Overlap): Overlap {
  if (places === undefined) return { earlier, later };
  const [a, b] = [places.of(earlier), places.of(later)];
  return { earlier: a.row, later: b.row, earlierFile: a.file, laterFile: b.file };
}

function locateOverride({ places }: BuildPlan, { row, overridden, first }: Override): Override {
  if (places === undefined) return { row, overridden, first };
  const [a, b] = [places.of(row), places.of(first)];
  return { row: a.row, overridden, first: b.row, rowFile: a.file, firstFile: b.file };
}
