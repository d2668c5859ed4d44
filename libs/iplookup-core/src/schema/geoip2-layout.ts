import { optionMessage } from '../messages/option-message.js';
import { geoip2Place, isReference, type Place } from './geoip2-places.js';
import { type RecordLayout, RecordLayoutError, type Shape } from './record-layout.js';

/** A column that is stored. */
interface Placed extends Place {
  readonly column: number;
  readonly name: string;
}

/**
 * Arranges columns like MaxMind's City, Country or ASN databases, whichever fits, or like another one.
 *
 * @param isStored whether each column is stored
 * @param ofMaxmind name of MaxMind's database that the columns are from, whose references are joined
 * @throws {RecordLayoutError} if a stored column does not exist there
 */
export function geoip2Layout(
  columns: readonly string[],
  isStored: readonly boolean[],
  ofMaxmind?: string,
): RecordLayout {
  const names = ofMaxmind === undefined ? withCountryId(columns, isStored) : columns;
  const isLeftOut = (name: string): boolean => ofMaxmind !== undefined && isReference(name);
  const places = names.map((name, column) =>
    isStored[column] && !isLeftOut(name) ? geoip2Place(name) : 'network',
  );
  refuseStrangers(columns.filter((_, column) => places[column] === undefined));
  const placed = places.flatMap((place, column): Placed[] =>
    typeof place === 'object' ? [{ ...place, column, name: columns[column]! }] : [],
  );
  refuseDoubles(placed);
  const databaseType = ofMaxmind ?? databaseTypeOf(placed);
  const top = hasTraitsOnTop(databaseType, placed) ? placed.map(withoutTraits) : placed;
  return {
    keys: columns,
    types: places.map((place) => (typeof place === 'object' ? place.type : undefined)),
    shape: shapeOf(top, 0, 'map'),
    databaseType,
    languages: languagesOf(placed),
  };
}

/** Without columns more specific than the country, the place that `geoname_id` identifies is the country. */
function withCountryId(columns: readonly string[], isStored: readonly boolean[]): readonly string[] {
  const specific = /^(subdivisions|city|location|postal)\./;
  const isSpecific = columns.some((name, column) => {
    const place = isStored[column] ? geoip2Place(name) : undefined;
    return typeof place === 'object' && specific.test(place.path);
  });
  return isSpecific ? columns : columns.map((name) => (name === 'geoname_id' ? 'country.geoname_id' : name));
}

/** Databases without places have no `traits`. */
function hasTraitsOnTop(databaseType: string, placed: readonly Placed[]): boolean {
  return (
    !/-(City|Country|Enterprise)\b/.test(databaseType) &&
    placed.every(({ path }) => path.startsWith('traits.'))
  );
}

const GEOIP2 = { option: 'schema', value: 'geoip2' };

function refuseStrangers(strangers: readonly string[]): void {
  if (strangers.length === 0) return;
  const [noun, pronoun] = strangers.length === 1 ? ['column', 'it'] : ['columns', 'them'];
  throw new RecordLayoutError(
    optionMessage`${GEOIP2} has no place for the ${noun} ${strangers.join(', ')}: leave ${pronoun} out with ${{ option: 'dropColumns', value: strangers.join(',') }}`,
  );
}

function refuseDoubles(placed: readonly Placed[]): void {
  if (placed.length === 0) throw new RecordLayoutError(optionMessage`${GEOIP2} has no column to store`);
  for (const [index, { path, name }] of placed.entries()) {
    const former = placed.slice(0, index).find((other) => other.path === path);
    if (former === undefined) continue;
    throw new RecordLayoutError(
      optionMessage`${GEOIP2} has one place, ${path}, for the columns ${former.name} and ${name}: leave one out with ${{ option: 'dropColumns' }}`,
    );
  }
}

/**
 * The type that tells readers the record's structure. Logstash, Elasticsearch, OpenTelemetry and Vector's `geoip`
 * tables accept only known types; unlike names that start with GeoIP, these are not reserved for MaxMind.
 */
function databaseTypeOf(placed: readonly Placed[]): string {
  if (placed.every(({ path }) => path.startsWith('traits.autonomous_system'))) return 'GeoLite2-ASN';
  const placeless = /^(continent|country|registered_country|represented_country|traits)\./;
  return placed.every(({ path }) => placeless.test(path)) ? 'GeoLite2-Country' : 'GeoLite2-City';
}

function withoutTraits(place: Placed): Placed {
  return { ...place, path: place.path.replace(/^traits\./, '') };
}

function shapeOf(placed: readonly Placed[], depth: number, kind: 'map' | 'array'): Shape {
  const keyOf = ({ path }: Placed): string => path.split('.')[depth]!;
  const entries = new Map<string, Shape>();
  // By index, so that the first subdivision comes first.
  const ordered = kind === 'array' ? [...placed].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) : placed;
  for (const key of new Set(ordered.map(keyOf))) {
    const below = placed.filter((place) => keyOf(place) === key);
    const [first] = below;
    const isCell = first!.path.split('.').length === depth + 1;
    entries.set(
      key,
      isCell
        ? { kind: 'cell', column: first!.column }
        : shapeOf(below, depth + 1, key === 'subdivisions' ? 'array' : 'map'),
    );
  }
  return { kind, entries };
}

function languagesOf(placed: readonly Placed[]): readonly string[] {
  const named = placed.flatMap(({ path }) => /\.names\.(.+)$/.exec(path)?.[1] ?? []);
  return named.length === 0 ? ['en'] : [...new Set(named)].sort();
}
