import type { JoinTable } from '../build/join-table.js';
import type { Schema } from '../schema/record-layout.js';
import { type Locations, PlaceTable } from './place-table.js';

/** Columns of a place in MaxMind's records. A name has one column per language. */
const PLACE_COLUMNS: readonly (readonly [path: string, csvColumn: string])[] = [
  ['continent.code', 'continent_code'],
  ['continent.geoname_id', ''],
  ['continent.names', 'continent_name'],
  ['country.geoname_id', ''],
  ['country.is_in_european_union', 'is_in_european_union'],
  ['country.iso_code', 'country_iso_code'],
  ['country.names', 'country_name'],
  ['subdivisions.0.geoname_id', ''],
  ['subdivisions.0.iso_code', 'subdivision_1_iso_code'],
  ['subdivisions.0.names', 'subdivision_1_name'],
  ['subdivisions.1.geoname_id', ''],
  ['subdivisions.1.iso_code', 'subdivision_2_iso_code'],
  ['subdivisions.1.names', 'subdivision_2_name'],
  ['city.geoname_id', ''],
  ['city.names', 'city_name'],
  ['location.metro_code', 'metro_code'],
  ['location.time_zone', 'time_zone'],
];

/** Columns of the countries that a block is registered in or represents; their identifiers are in the block itself. */
const COUNTRY_COLUMNS = PLACE_COLUMNS.filter(([path]) => /^country\.(?!geoname_id)/.test(path));

/**
 * What MaxMind's places add to its blocks.
 *
 * @param schema flat records name columns like MaxMind's CSV files, so they have one language
 */
export function maxmindJoins(locations: Locations, schema: Schema): JoinTable[] {
  const table = new PlaceTable(locations);
  const languages = [...locations.byLanguage.keys()];
  const flat = schema === 'flat';
  const tableOf = (
    rowColumn: string,
    prefix: string,
    columns: typeof PLACE_COLUMNS,
    ids: readonly string[],
  ): JoinTable => {
    const wanted = columns.filter(([, name]) => (name === '' ? !flat : table.has(name)));
    const cells = wanted.flatMap(([path]) =>
      path.endsWith('.names') ? languages.map((language) => `${path}.${language}`) : [path],
    );
    const names = flat ? wanted.map(([, name]) => name) : cells;
    const rows = new Map(ids.map((id) => [id, cells.map((path) => table.cell(id, path))]));
    const { file } = locations.complete;
    return {
      file,
      column: 'geoname_id',
      rowColumn,
      prefix,
      columns: names.map((name) => prefix + name),
      rows,
    };
  };
  return [
    tableOf('geoname_id', '', PLACE_COLUMNS, table.ids),
    ...['registered_', 'represented_'].map((prefix) =>
      tableOf(`${prefix}country_geoname_id`, prefix, COUNTRY_COLUMNS, table.wideIds),
    ),
  ];
}
