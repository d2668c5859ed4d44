import { optionMessage } from '../messages/option-message.js';
import { geoip2Place, type Place } from './geoip2-places.js';
import { type RecordLayout, RecordLayoutError, type Shape } from './record-layout.js';

/** A column that is stored. */
interface Placed extends Place {
  readonly column: number;
  readonly name: string;
}

/**
 * Arranges columns like MaxMind's City, Country or ASN databases, whichever fits.
 *
 * @param isStored whether each column is stored
 * @throws {RecordLayoutError} if a stored column does not exist there
 */
export function geoip2Layout(columns: readonly string[], isStored: readonly boolean[]): RecordLayout {
  const places = columns.map((name, column) => (isStored[column] ? geoip2Place(name) : 'network'));
  refuseStrangers(columns.filter((_, column) => places[column] === undefined));
  const placed = places.flatMap((place, column): Placed[] =>
    typeof place === 'object' ? [{ ...place, column, name: columns[column]! }] : [],
  );
  refuseDoubles(placed);
  const databaseType = databaseTypeOf(placed);
  const top = databaseType === 'GeoLite2-ASN' ? placed.map(withoutTraits) : placed;
  return {
    keys: columns,
    types: places.map((place) => (typeof place === 'object' ? place.type : undefined)),
    shape: shapeOf(top, 0, 'map'),
    databaseType,
    languages: languagesOf(placed),
  };
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

/** ASN databases have their two values at the top level. */
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
