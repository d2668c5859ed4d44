import type { LookupRecord, LookupValue } from '@svc/iplookup-core';
import type { Zone } from './zones.js';

/**
 * A record as JSON can hold it. Lookup files by others have values that JSON has not: integers beyond a double's exact
 * ones become decimal text, bytes become hexadecimal text.
 */
export function toZone(record: LookupRecord): Zone {
  return Object.fromEntries(Object.entries(record).map(([column, value]) => [column, toPlain(value)]));
}

function toPlain(value: LookupValue): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return isList(value) ? value.map(toPlain) : toZone(value);
}

function isList(value: LookupRecord | readonly LookupValue[]): value is readonly LookupValue[] {
  return Array.isArray(value);
}
