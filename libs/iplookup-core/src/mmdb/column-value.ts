import type { LookupRecord, LookupValue } from './decode-value.js';

/**
 * A record's value of a column.
 *
 * @param keys the column's name, split at its dots: a path into nested records. A flat record's name may contain dots too
 */
export function columnValue(record: LookupRecord, keys: readonly string[]): LookupValue | undefined {
  const name = keys.join('.');
  return Object.hasOwn(record, name) ? record[name] : keys.reduce<LookupValue | undefined>(descend, record);
}

/** A value as text, to compare and to print: nested values are JSON. */
export function valueText(value: LookupValue): string {
  if (typeof value !== 'object') return String(value);
  return JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? item.toString() : item));
}

function descend(value: LookupValue | undefined, key: string): LookupValue | undefined {
  if (typeof value !== 'object' || value instanceof Uint8Array) return undefined;
  return Object.hasOwn(value, key) ? (value as LookupRecord)[key] : undefined;
}
