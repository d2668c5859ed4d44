import type { BuildPlan } from '../build/build-plan.js';
import type { LookupRecord, LookupValue } from '../mmdb/decode-value.js';
import { geoip2Place } from '../schema/geoip2-places.js';

type Nested = { [key: string]: Nested | LookupValue };

/** A column stored in the lookup. */
export interface StoredColumn {
  /** Its index among the value columns; -1 for a constant. */
  readonly index: number;
  /** What each record has, if it is not a column of the file. */
  readonly constant?: string;
  readonly name: string;
  /** Keys from the top of the record. */
  readonly path: readonly string[];
  readonly read: (cell: string) => LookupValue;
}

/** The columns that a build with this plan stores, derived independently of the builder. */
export function storedColumns(names: readonly string[], plan: BuildPlan): readonly StoredColumn[] {
  const renamed = new Map(plan.rename);
  const fromFile = names
    .map((name, index) => ({ name, index, key: renamed.get(name) ?? name }))
    .filter(({ name }) => plan.keepColumns?.includes(name) ?? !plan.dropColumns.includes(name));
  const kept = [
    ...fromFile,
    ...plan.set.map(([name, constant]) => ({ name, key: name, constant, index: -1 })),
  ];
  if (plan.schema === 'flat')
    return kept.map(({ key, ...column }) => ({
      ...column,
      path: [key],
      read: flatReader(column.name, plan),
    }));
  const placed = kept.flatMap(({ key, ...column }) => {
    const place = geoip2Place(key);
    return typeof place === 'object'
      ? [{ ...column, path: place.path.split('.'), read: READERS[place.type] }]
      : [];
  });
  // An ASN-only database has its values at the top level.
  const onlyAs = placed.every(({ path }) => path[1]?.startsWith('autonomous_system'));
  return onlyAs ? placed.map((column) => ({ ...column, path: column.path.slice(1) })) : placed;
}

const READERS = {
  string: (cell: string) => cell,
  boolean: (cell: string) => /^(1|true)$/i.test(cell),
  asn: (cell: string) => Number(cell.replace(/^AS/i, '')),
  double: Number,
  int32: Number,
  uint32: Number,
  uint16: Number,
};

function flatReader(name: string, { typed, columnTypes }: BuildPlan): (cell: string) => LookupValue {
  const given = new Map(columnTypes).get(name);
  if (given !== undefined) return READERS[given];
  const isNumber = typed && /^(latitude|longitude|elevation|fraud_score|last_seen)$/.test(name);
  return isNumber ? READERS.double : READERS.string;
}

/** Builds a record from values and paths; numeric keys become arrays. */
export function recordOf(
  values: readonly (readonly [path: readonly string[], value: LookupValue])[],
): LookupRecord {
  // A column may be named like an inherited property.
  const nested = Object.create(null) as Nested;
  for (const [path, value] of values) {
    let target = nested;
    for (const key of path.slice(0, -1)) target = (target[key] ??= Object.create(null) as Nested) as Nested;
    target[path.at(-1)!] = value;
  }
  const { subdivisions } = nested;
  if (typeof subdivisions === 'object') nested['subdivisions'] = Object.values(subdivisions) as LookupValue[];
  return nested as LookupRecord;
}
