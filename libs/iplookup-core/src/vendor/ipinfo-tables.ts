import type { ColumnType } from '../values/column-type.js';
import { COUNTRY_CODE, type KnownTable } from './known-table.js';

/**
 * IPinfo's columns: their place in MaxMind's records, empty if there is none, and their type unless it is text.
 *
 * @see https://github.com/ipinfo/sample-database
 */
const COLUMNS: Readonly<Record<string, readonly [place: string, type?: ColumnType]>> = {
  anycast: ['is_anycast', 'boolean'],
  as_changed: [''],
  as_domain: ['domain'],
  as_name: ['as_name'],
  as_type: [''],
  asn: ['asn', 'asn'],
  carrier_name: [''],
  census: ['', 'boolean'],
  census_port: [''],
  census_ports: [''],
  city: ['city_name'],
  confidence: ['', 'double'],
  continent: ['continent_name'],
  continent_code: ['continent_code'],
  continent_name: ['continent_name'],
  country: ['country_name'],
  country_code: ['country_code'],
  country_name: ['country_name'],
  coverage: ['', 'double'],
  device_activity: ['', 'boolean'],
  dma_code: ['metro_code', 'uint16'],
  domain: ['domain'],
  first_seen: [''],
  geo_changed: [''],
  geoname_id: ['', 'uint32'],
  hosting: ['is_hosting_provider', 'boolean'],
  inferred: ['', 'boolean'],
  is_anonymous: ['is_anonymous', 'boolean'],
  is_anycast: ['is_anycast', 'boolean'],
  is_hosting: ['is_hosting_provider', 'boolean'],
  is_mobile: ['', 'boolean'],
  is_proxy: ['is_public_proxy', 'boolean'],
  is_relay: ['', 'boolean'],
  is_satellite: ['is_satellite_provider', 'boolean'],
  is_tor: ['is_tor_exit_node', 'boolean'],
  is_vpn: ['is_anonymous_vpn', 'boolean'],
  join_key: [''],
  // A date, which `types` would otherwise take for IP2Proxy's number of days.
  last_seen: ['', 'string'],
  lat: ['latitude', 'double'],
  latitude: ['latitude', 'double'],
  lng: ['longitude', 'double'],
  longitude: ['longitude', 'double'],
  mcc: ['mcc'],
  mnc: ['mnc'],
  name: ['as_name'],
  percent_days_seen: ['', 'double'],
  postal: ['postal_code'],
  postal_code: ['postal_code'],
  privacy_name: [''],
  proxy: ['is_public_proxy', 'boolean'],
  radius: ['accuracy_radius', 'uint16'],
  region: ['region_name'],
  region_code: ['subdivision_1_iso_code'],
  region_name: ['region_name'],
  relay: ['', 'boolean'],
  service: [''],
  timezone: ['time_zone'],
  tor: ['is_tor_exit_node', 'boolean'],
  type: [''],
  vpn: ['is_anonymous_vpn', 'boolean'],
  vpn_name: [''],
  vpn_config: ['', 'boolean'],
  whois: ['', 'boolean'],
};

/** Each database has at least one of these, which other files with a header of such names may lack. */
const DISTINCTIVE: readonly string[] = ['asn', 'country', 'hosting', 'join_key', 'percent_days_seen'];

/**
 * Recognises IPinfo's databases by their header, in both forms: with networks, and with the ends of ranges.
 *
 * @param rows those after the header, as far as they are complete
 */
export function recogniseIpinfo(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  separator: string,
): KnownTable | undefined {
  const addresses = addressColumns(header);
  const columns = header.slice(addresses);
  if (addresses === 0 || separator !== ',' || !columns.every((name) => Object.hasOwn(COLUMNS, name)))
    return undefined;
  if (!DISTINCTIVE.some((name) => columns.includes(name))) return undefined;
  const own = placesIn(columns);
  const placeOf = (name: string): string => {
    if (Object.hasOwn(own, name)) return own[name]!;
    // A `country` or `continent` column holds names in some databases and codes in others: its cells tell which.
    const cells = rows.map((row) => row[addresses + columns.indexOf(name)] ?? '');
    const isEither = name === 'country' || name === 'continent';
    const holdsCodes = isEither && cells.length > 0 && cells.every((cell) => COUNTRY_CODE.test(cell));
    return holdsCodes ? `${name}_code` : COLUMNS[name]![0];
  };
  const places = columns.map((name) => [name, placeOf(name)] as const);
  return {
    vendor: 'IPinfo',
    inputFormat: addresses === 1 ? 'cidr' : 'auto',
    hasHeader: true,
    columns,
    types: columns.flatMap((name) => {
      const [, type] = COLUMNS[name]!;
      return type === undefined ? [] : [[name, type] as const];
    }),
    places: places.filter(([name, place]) => place !== '' && place !== name),
    placeless: places.flatMap(([name, place]) => (place === '' ? [name] : [])),
    noValues: new Map(),
  };
}

function addressColumns(header: readonly string[]): number {
  const [first, second] = header;
  if (first === 'start_ip' && second === 'end_ip') return 2;
  // Only residential proxies are listed by their addresses.
  return first === 'network' || (first === 'ip' && header.includes('percent_days_seen')) ? 1 : 0;
}

/** Columns that mean something else beside others: an autonomous system, a company or a carrier has a name and a country. */
function placesIn(columns: readonly string[]): Readonly<Record<string, string>> {
  if (!columns.includes('name'))
    return columns.includes('region_name') ? { region: 'subdivision_1_iso_code' } : {};
  if (columns.includes('mcc')) return { name: '', country: '' };
  if (columns.includes('as_name')) return { name: 'organization', as_domain: '', country: '' };
  return { country: '' };
}
