import { basename } from 'node:path';
import type { BuildSummary } from '@svc/iplookup-core';

/** A build's result for programs. Folders of the server are none of a caller's business. */
export function toSummaryJson({ file, ...summary }: BuildSummary): Record<string, unknown> {
  const entries = Object.entries(summary).map(([name, value]) => [toSnakeCase(name), value as unknown]);
  return { file: basename(file), ...Object.fromEntries(entries) };
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
