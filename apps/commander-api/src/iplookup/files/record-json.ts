import type { FileVerification, LookupDiff, LookupRecord, LookupValue } from '@svc/iplookup-core';

/** A record as JSON can hold it: integers beyond 53 bits as text, bytes as base64; null for an address without one. */
export function toJsonRecord(record: LookupRecord | undefined): Record<string, unknown> | null {
  return record === undefined ? null : (toJson(record) as Record<string, unknown>);
}

function toJson(value: LookupValue): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map((item: LookupValue) => toJson(item));
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toJson(item as LookupValue)]));
}

/** The differences of two lookups, whose records JSON can hold. */
export interface DifferencesJson extends Omit<LookupDiff, 'differences'> {
  readonly differences: readonly {
    readonly network: string;
    readonly before: Record<string, unknown> | null;
    readonly after: Record<string, unknown> | null;
  }[];
}

/** Converts the records of differences. */
export function differencesJson({ differences, ...counts }: LookupDiff): DifferencesJson {
  return {
    ...counts,
    differences: differences.map(({ network, before, after }) => ({
      network,
      before: toJsonRecord(before),
      after: toJsonRecord(after),
    })),
  };
}

/** What was found in a lookup file, without its metadata. */
export function verificationJson(file: string, found: FileVerification) {
  const { problems, problemCount, warnings, records, comparison } = found;
  return { file, valid: problemCount === 0, problems, problemCount, warnings, records, comparison };
}
