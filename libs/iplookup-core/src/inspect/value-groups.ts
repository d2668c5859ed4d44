import { RANGE_KEYS } from '../schema/record-layout.js';
import { flatten } from '../dump/dump-columns.js';
import { LookupOptionError } from '../messages/option-message.js';
import { columnValue, valueText } from '../mmdb/column-value.js';
import type { LookupRecord, LookupValue } from '../mmdb/decode-value.js';
import type { ParsedLookup } from '../mmdb/parsed-lookup.js';

/** Columns listed in the error for an unknown column. */
const MAX_NAMED = 40;

/** Maximum number of groups; all further values share one. */
export const MAX_GROUPS = 10_000;

/** Records sampled to find the first column, which some records may lack. */
const SAMPLE = 1000;

const MAX_TEXT = 80;

/** A column's values, and each record's value. */
export interface ValueGroups {
  /** The column, as a dotted path for nested records; empty if no record has any. */
  readonly column: string;
  /** One text per group; `undefined` for records without the column, `OTHERS` for values beyond the limit. */
  readonly values: readonly (string | undefined)[];
  /** The group of each record, in the order of their offsets. */
  readonly groupOf: Uint16Array;
}

/** Stands for all values beyond {@link MAX_GROUPS}. */
export const OTHERS = '(other values)';

/**
 * Groups a lookup's records by the value of a column.
 *
 * @param column default: the first column of most records
 * @throws {LookupOptionError} if there are records, but none has the column
 */
export function groupRecords(lookup: ParsedLookup, offsets: Uint32Array, column?: string): ValueGroups {
  const path = column === undefined ? firstColumn(lookup, offsets) : column;
  const keys = path.split('.');
  const numbers = new Map<string | undefined, number>();
  const groupOf = new Uint16Array(offsets.length);
  for (const [place, offset] of offsets.entries()) {
    const value = valueAt(lookup.recordAt(offset), keys);
    const text = value === undefined || numbers.size < MAX_GROUPS || numbers.has(value) ? value : OTHERS;
    const group = numbers.get(text) ?? numbers.size;
    numbers.set(text, group);
    groupOf[place] = group;
  }
  if (column !== undefined && numbers.size === 1 && numbers.has(undefined))
    throw unknownColumn(column, lookup, offsets);
  return { column: path, values: [...numbers.keys()], groupOf };
}

function unknownColumn(column: string, lookup: ParsedLookup, offsets: Uint32Array): LookupOptionError {
  const found = new Set<string>();
  for (const offset of offsets) for (const [path] of flatten(lookup.recordAt(offset))) found.add(path);
  const columns = [...found];
  const more = columns.length > MAX_NAMED ? ` and ${columns.length - MAX_NAMED} more` : '';
  const named = columns.slice(0, MAX_NAMED).join(', ') || 'none';
  const { databaseType } = lookup.metadata;
  return new LookupOptionError(
    `the lookup ${databaseType} has no column ${column}; its columns: ${named}${more}`,
  );
}

function firstColumn(lookup: ParsedLookup, offsets: Uint32Array): string {
  const counts = new Map<string, number>();
  const step = Math.max(1, Math.floor(offsets.length / SAMPLE));
  for (let place = 0; place < offsets.length; place += step) {
    const path = firstPath(lookup.recordAt(offsets[place]!));
    if (path !== undefined) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first?.[0] ?? '';
}

function firstPath(value: LookupValue | undefined): string | undefined {
  if (typeof value !== 'object' || value instanceof Uint8Array) return undefined;
  const key = Object.keys(value).find((name) => !RANGE_KEYS.includes(name));
  if (key === undefined) return undefined;
  const rest = firstPath((value as LookupRecord)[key]);
  return rest === undefined ? key : `${key}.${rest}`;
}

function valueAt(record: LookupRecord, keys: readonly string[]): string | undefined {
  const value = columnValue(record, keys);
  if (value === undefined) return undefined;
  const text = valueText(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 3)}...` : text;
}
