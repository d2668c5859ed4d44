import type { LookupRecord, LookupValue } from '@svc/iplookup-core';

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
