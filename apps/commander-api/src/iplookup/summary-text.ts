import { type BuildSummary, describeFault } from '@svc/iplookup-core';

/** A build's result for people. */
export function summaryText(summary: BuildSummary): string {
  const { file, lookup, bytes, rows, kept, dropped, skipped, leftOut, merged, seconds } = summary;
  const lost = [
    dropped > 0 ? `${dropped} dropped as empty` : '',
    skipped > 0 ? `${skipped} invalid and skipped` : '',
    leftOut > 0 ? `${leftOut} without IPv4 address left out` : '',
    merged > 0 ? `${merged} merged with the row before` : '',
    summary.overlaps > 0 ? `${summary.overlaps} overlapping` : '',
  ].filter(Boolean);
  return [
    `${file}`,
    `lookup:   ${lookup}, ${summary.ipVersion === 6 ? 'IPv4 and IPv6' : 'IPv4'}`,
    `rows:     ${rows} read, ${kept} kept${lost.map((part) => `, ${part}`).join('')}`,
    `          ${summary.emptyRows} without any value, ${summary.partlyEmptyRows} with some values missing`,
    `contents: ${summary.records} records, ${summary.nodes} nodes of ${summary.recordSize}-bit records, ${bytes} bytes`,
    `time:     ${seconds} s`,
  ].join('\n');
}

/** What a person should look at: rows that override many others, skipped rows and overlaps, the first few by name. */
export function summaryNotes(summary: BuildSummary): string[] {
  const { kept, skipped, skippedRows, overlaps, overlapping } = summary;
  const notes = overridingNotes(summary);
  notes.push(...skippedRows.map((fault) => `skipped ${describeFault(fault)}`));
  if (skipped > skippedRows.length) notes.push(`skipped ${skipped - skippedRows.length} more`);
  for (const { earlier, later } of overlapping)
    notes.push(`row ${later} overlaps row ${earlier}: row ${later} wins`);
  if (overlaps > overlapping.length) notes.push(`${overlaps - overlapping.length} more overlaps`);
  if (kept === 0) notes.push('no row was kept: the lookup is empty');
  return notes;
}

function overridingNotes({ overriding, rows }: BuildSummary): string[] {
  return overriding.map(({ row, overridden, first }) => {
    const share = Math.round((1000 * overridden) / rows) / 10;
    const what = `row ${row} overrides ${overridden} earlier rows (${share} % of all), the first of them row ${first}`;
    return `warning: ${what}: is that intended? --strict refuses it`;
  });
}
