import { basename } from 'node:path';
import { type BuildSummary, type OptionMention, nameOptions } from '@svc/iplookup-core';
import type { LookupSummary } from './lookup.dto.js';

/** An option of a build as a parameter of a request, for messages: `include_ip_range`, `header: false`. */
export function asParameter({ option, value }: OptionMention): string {
  const name = option === 'inputFormat' ? 'input_ip_format' : toSnakeCase(option);
  if (value === false) return `${name}: false`;
  return value === undefined ? name : `${name} ${value}`;
}

/** A build's summary over HTTP, without the server's folder names. */
export function toSummaryJson({ file, skippedRows, guards, ...counts }: BuildSummary): LookupSummary {
  const summary = {
    ...counts,
    guards: guards.map((outcome) => ({ ...outcome, guard: toSnakeCase(outcome.guard) })),
    skippedRows: skippedRows.map((violation) => nameOptions(violation, asParameter)),
  };
  return { file: basename(file), ...toSnakeCaseKeys(summary) } as unknown as LookupSummary;
}

/** The same members, named as over HTTP. */
export function toSnakeCaseKeys(value: object): Record<string, unknown> {
  const entries = Object.entries(value).map(([name, member]) => [toSnakeCase(name), member as unknown]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** `includeIpRange` is `include_ip_range` over HTTP. */
function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
