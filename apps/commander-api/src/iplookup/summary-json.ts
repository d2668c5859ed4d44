import { basename } from 'node:path';
import { type BuildSummary, spellFault } from '@svc/iplookup-core';
import { asParameter, toSnakeCase } from './parameter-name.js';

/** A build's result over HTTP. Folders of the server are none of a caller's business. */
export function toSummaryJson({ file, skippedRows, ...counts }: BuildSummary): Record<string, unknown> {
  const summary = { ...counts, skippedRows: skippedRows.map((fault) => spellFault(fault, asParameter)) };
  const entries = Object.entries(summary).map(([name, value]) => [toSnakeCase(name), value as unknown]);
  return { file: basename(file), ...Object.fromEntries(entries) };
}
