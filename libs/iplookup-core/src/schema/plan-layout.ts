import { optionMessage } from '../messages/option-message.js';
import { columnType } from '../values/column-type.js';
import { geoip2Layout } from './geoip2-layout.js';
import {
  type LayoutOptions,
  type NamedValue,
  RANGE_KEYS,
  type RecordLayout,
  RecordLayoutError,
} from './record-layout.js';
import { firstDuplicate } from './first-duplicate.js';

/**
 * Decides how the value columns are stored.
 *
 * @throws {RecordLayoutError} if a column has no place in the schema, or does not exist
 */
export function planLayout(columns: readonly string[], options: LayoutOptions): RecordLayout {
  refuseUnknown(columns, options);
  const { schema, rename, columnTypes, set, typed, includeIpRange } = options;
  const all = [...columns, ...set.map(([name]) => name)];
  const isStored = all.map((name, index) => index >= columns.length || isKept(name, options));
  const keys = all.map((name, index) => (index < columns.length ? (valueOf(rename, name) ?? name) : name));
  if (schema === 'geoip2') return geoip2Layout(keys, isStored, options.databaseType);
  const stored = keys.filter((_, index) => isStored[index]);
  refuseDoubles(includeIpRange ? [...RANGE_KEYS, ...stored] : stored);
  const types = all.map((name, index) =>
    isStored[index] ? (valueOf(columnTypes, name) ?? columnType(name, typed)) : undefined,
  );
  return { types, keys, languages: ['en'] };
}

/** Options name columns as the file does. */
function refuseUnknown(columns: readonly string[], options: LayoutOptions): void {
  const { dropColumns, keepColumns = [], rename, columnTypes, set } = options;
  const settable = set.map(([name]) => name);
  const mentions: readonly (readonly [option: string, names: readonly string[], known: readonly string[]])[] =
    [
      ['dropColumns', dropColumns, columns],
      ['keepColumns', keepColumns, columns],
      ['rename', namesIn(rename), columns],
      ['types', namesIn(columnTypes), [...columns, ...settable]],
    ];
  for (const [option, names, known] of mentions) {
    const unknown = names.find((name) => !known.includes(name));
    if (unknown === undefined) continue;
    throw new RecordLayoutError(
      optionMessage`${{ option }} names ${JSON.stringify(unknown)}, which is not a value column`,
    );
  }
}

function refuseDoubles(keys: readonly string[]): void {
  const twice = firstDuplicate(keys);
  if (twice === undefined) return;
  throw new RecordLayoutError(
    optionMessage`two columns would be stored as ${twice}: give one of them another name with ${{ option: 'rename' }}, or leave it out with ${{ option: 'dropColumns' }}`,
  );
}

function isKept(name: string, { dropColumns, keepColumns }: LayoutOptions): boolean {
  return keepColumns === undefined ? !dropColumns.includes(name) : keepColumns.includes(name);
}

function namesIn(pairs: readonly NamedValue[]): readonly string[] {
  return pairs.map(([name]) => name);
}

function valueOf<Value>(pairs: readonly NamedValue<Value>[], wanted: string): Value | undefined {
  return pairs.find(([name]) => name === wanted)?.[1];
}
