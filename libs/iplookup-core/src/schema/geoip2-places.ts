import type { ColumnType } from '../values/column-type.js';

/** A column's path and type in MaxMind's records. */
export interface Place {
  /** Keys from the top, such as `country.iso_code`; numbers are array indexes. */
  readonly path: string;
  readonly type: ColumnType;
}

/** Every path except names, which have one per language. */
const TYPES: Readonly<Record<string, ColumnType>> = {
  'continent.code': 'string',
  'continent.geoname_id': 'uint32',
  'country.confidence': 'uint16',
  'country.geoname_id': 'uint32',
  'country.is_in_european_union': 'boolean',
  'country.iso_code': 'string',
  'registered_country.geoname_id': 'uint32',
  'registered_country.is_in_european_union': 'boolean',
  'registered_country.iso_code': 'string',
  'represented_country.geoname_id': 'uint32',
  'represented_country.is_in_european_union': 'boolean',
  'represented_country.iso_code': 'string',
  'represented_country.type': 'string',
  'subdivisions.0.geoname_id': 'uint32',
  'subdivisions.0.iso_code': 'string',
  'subdivisions.1.geoname_id': 'uint32',
  'subdivisions.1.iso_code': 'string',
  'city.confidence': 'uint16',
  'city.geoname_id': 'uint32',
  'location.accuracy_radius': 'uint16',
  'location.average_income': 'uint32',
  'location.latitude': 'double',
  'location.longitude': 'double',
  'location.metro_code': 'uint16',
  'location.population_density': 'uint32',
  'location.time_zone': 'string',
  'postal.code': 'string',
  'postal.confidence': 'uint16',
  'traits.autonomous_system_number': 'asn',
  'traits.autonomous_system_organization': 'string',
  'traits.connection_type': 'string',
  'traits.domain': 'string',
  'traits.is_anonymous': 'boolean',
  'traits.is_anonymous_proxy': 'boolean',
  'traits.is_anonymous_vpn': 'boolean',
  'traits.is_anycast': 'boolean',
  'traits.is_hosting_provider': 'boolean',
  'traits.is_legitimate_proxy': 'boolean',
  'traits.is_public_proxy': 'boolean',
  'traits.is_residential_proxy': 'boolean',
  'traits.is_satellite_provider': 'boolean',
  'traits.is_tor_exit_node': 'boolean',
  'traits.isp': 'string',
  'traits.mobile_country_code': 'string',
  'traits.mobile_network_code': 'string',
  'traits.organization': 'string',
  'traits.static_ip_score': 'double',
  'traits.user_count': 'uint32',
  'traits.user_type': 'string',
};

const NAME =
  /^(continent|country|registered_country|represented_country|subdivisions\.[01]|city)\.names\.[A-Za-z]{2,3}(-[A-Za-z]{2,4})?$/;

/** Columns of MaxMind's CSV files that are named like their place in `traits`. */
const TRAITS: readonly string[] = Object.keys(TYPES).flatMap(
  (path) => /^traits\.(.+)$/.exec(path)?.[1] ?? [],
);

/** Column names used by vendors, MaxMind's own CSV files and others. */
const COLUMNS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(TRAITS.map((name) => [name, `traits.${name}`])),
  accuracy_radius: 'location.accuracy_radius',
  as: 'traits.autonomous_system_organization',
  as_name: 'traits.autonomous_system_organization',
  asn: 'traits.autonomous_system_number',
  city_confidence: 'city.confidence',
  city_name: 'city.names.en',
  continent_code: 'continent.code',
  continent_name: 'continent.names.en',
  country_code: 'country.iso_code',
  country_confidence: 'country.confidence',
  country_iso_code: 'country.iso_code',
  country_name: 'country.names.en',
  is_in_european_union: 'country.is_in_european_union',
  latitude: 'location.latitude',
  longitude: 'location.longitude',
  mcc: 'traits.mobile_country_code',
  metro_code: 'location.metro_code',
  mnc: 'traits.mobile_network_code',
  postal_code: 'postal.code',
  postal_confidence: 'postal.confidence',
  region_name: 'subdivisions.0.names.en',
  registered_country_geoname_id: 'registered_country.geoname_id',
  registered_country_iso_code: 'registered_country.iso_code',
  registered_country_name: 'registered_country.names.en',
  registered_is_in_european_union: 'registered_country.is_in_european_union',
  represented_country_geoname_id: 'represented_country.geoname_id',
  represented_country_iso_code: 'represented_country.iso_code',
  represented_country_name: 'represented_country.names.en',
  subdivision_1_iso_code: 'subdivisions.0.iso_code',
  subdivision_1_name: 'subdivisions.0.names.en',
  subdivision_2_iso_code: 'subdivisions.1.iso_code',
  subdivision_2_name: 'subdivisions.1.names.en',
  time_zone: 'location.time_zone',
  zip_code: 'postal.code',
};

/** Columns containing the row's own network, which MaxMind's readers report themselves. */
const NETWORK_COLUMNS: readonly string[] = ['cidr', 'as_cidr'];

/** MaxMind's references to its other files, and a confidence whose subdivision depends on the row. */
const REFERENCE_COLUMNS: readonly string[] = ['geoname_id', 'isp_id', 'subdivision_confidence'];

/**
 * True for a column of MaxMind's CSV files that only refers to other files, or whose place depends on the row. `withCountryId`
 * handles a `geoname_id` that identifies a country.
 */
export function isReference(column: string): boolean {
  return REFERENCE_COLUMNS.includes(column);
}

/**
 * The place of a column in MaxMind's records, given by the vendor's name, the name in MaxMind's CSV files, or its path.
 *
 * @returns `network` if readers report its value themselves; `undefined` if the schema has no place for it
 * @see https://dev.maxmind.com/geoip/docs/databases/city-and-country
 */
export function geoip2Place(column: string): Place | 'network' | undefined {
  if (NETWORK_COLUMNS.includes(column)) return 'network';
  const path = Object.hasOwn(COLUMNS, column) ? COLUMNS[column]! : column;
  if (NAME.test(path)) return { path, type: 'string' };
  return Object.hasOwn(TYPES, path) ? { path, type: TYPES[path]! } : undefined;
}
