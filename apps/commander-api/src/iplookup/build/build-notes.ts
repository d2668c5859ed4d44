import { type BuildSummary, describeViolation } from '@svc/iplookup-core';
import type { BuildFlags } from './build-flags.js';

/** Notes for the user: rows that override many others, and the first skipped and overlapping rows. */
export function buildNotes(summary: BuildSummary, { overlap }: BuildFlags): string[] {
  const { kept, skipped, skippedRows, overlaps, overlapping, overriddenSpecific } = summary;
  const notes = [...overridingNotes(summary), ...summary.missingKeys.map(missingNote)];
  notes.push(...skippedRows.map((violation) => `skipped ${describeViolation(violation)}`));
  if (skipped > skippedRows.length) notes.push(`skipped ${skipped - skippedRows.length} more`);
  for (const { earlier, later, earlierFile, laterFile } of overlapping) {
    const winner = overlap === 'specific' ? 'the one with fewer addresses' : rowName(later, laterFile);
    notes.push(`${rowName(later, laterFile)} overlaps ${rowName(earlier, earlierFile)}: ${winner} wins`);
  }
  if (overlaps > overlapping.length) notes.push(`${overlaps - overlapping.length} more overlaps`);
  if (overriddenSpecific > 0) {
    const rows = overriddenSpecific === 1 ? '1 row is' : `${overriddenSpecific} rows are`;
    notes.push(
      `${rows} overridden by a later row with more addresses: --overlap specific would let the smaller one win`,
    );
  }
  if (kept === 0) notes.push('no rows were kept: the lookup is empty');
  return notes;
}

function missingNote({ file, column, count, keys }: BuildSummary['missingKeys'][number]): string {
  const named = keys.map((key) => JSON.stringify(key)).join(', ') + (count > keys.length ? ', ...' : '');
  return count === 1
    ? `a value of ${column} has no row in ${file}: ${named}`
    : `${count} values of ${column} have no row in ${file}: ${named}`;
}

function rowName(row: number, file: string | undefined): string {
  return file === undefined ? `row ${row}` : `row ${row} of ${file}`;
}

function overridingNotes({ overriding, rows }: BuildSummary): string[] {
  return overriding.map(({ row, overridden, first, rowFile, firstFile }) => {
    const share = Math.round((1000 * overridden) / rows) / 10;
    const what = `${rowName(row, rowFile)} overrides ${overridden} earlier rows (${share} % of all), the first of them ${rowName(first, firstFile)}`;
    return `warning: ${what}: is that intended? pass --strict to reject it`;
  });
}
