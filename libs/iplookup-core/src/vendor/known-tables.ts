import { looksLikeAddress } from '../address/input-format.js';
import type { InputFormatName } from '../address/input-format.js';

/** A vendor's file, as recognised by its rows. */
export interface KnownTable {
  /** Who publishes such files. */
  readonly vendor: string;
  readonly inputFormat: InputFormatName;
  readonly hasHeader: boolean;
  /** Names of the value columns: the header's, or those of their meaning. */
  readonly columns: readonly string[];
  /** Columns that are better stored as something other than text. */
  readonly types: readonly (readonly [column: string, type: string])[];
  /** What the columns are called in MaxMind's records, where that differs. */
  readonly places: readonly (readonly [column: string, place: string])[];
  /** Columns that MaxMind's records have no place for. */
  readonly placeless: readonly string[];
}

/** Cells of a file without a header, by their column. */
interface Shape {
  readonly vendor: string;
  readonly separator: ',' | 'tab';
  readonly cells: Readonly<Record<string, RegExp>>;
}

const CODE = /^([A-Z]{2}|None|)$/;
const NUMBER = /^(AS)?\d{0,10}$/;
const TEXT = /^/;
const DECIMAL = /^(-?\d{1,3}(\.\d+)?)?$/;
const CONTINENT = /^(AF|AN|AS|EU|NA|OC|SA|ZZ|)$/;

/**
 * Files without a header, which are known by what their columns hold.
 *
 * @see https://db-ip.com/db/lite.php, https://iptoasn.com, https://github.com/sapics/ip-location-db
 */
const SHAPES: readonly Shape[] = [
  { vendor: 'DB-IP or sapics', separator: ',', cells: { country_code: CODE } },
  { vendor: 'iptoasn.com', separator: 'tab', cells: { country_code: CODE } },
  { vendor: 'DB-IP or sapics', separator: ',', cells: { asn: NUMBER, as_name: TEXT } },
  { vendor: 'iptoasn.com', separator: 'tab', cells: { asn: NUMBER, country_code: CODE, as_name: TEXT } },
  {
    vendor: 'DB-IP',
    separator: ',',
    cells: {
      continent_code: CONTINENT,
      country_code: CODE,
      region_name: TEXT,
      city_name: TEXT,
      latitude: DECIMAL,
      longitude: DECIMAL,
    },
  },
  {
    vendor: 'sapics',
    separator: ',',
    cells: {
      country_code: CODE,
      region_name: TEXT,
      subdivision_2_name: TEXT,
      city_name: TEXT,
      postal_code: TEXT,
      latitude: DECIMAL,
      longitude: DECIMAL,
      time_zone: TEXT,
    },
  },
];

/** IPinfo's columns, with their place in MaxMind's records; empty if there is none. */
const IPINFO_COLUMNS: Readonly<Record<string, string>> = {
  as_domain: 'domain',
  as_name: 'as_name',
  as_type: '',
  asn: 'asn',
  city: 'city_name',
  continent: 'continent_name',
  continent_code: 'continent_code',
  continent_name: 'continent_name',
  country: 'country_name',
  country_code: 'country_code',
  country_name: 'country_name',
  domain: 'domain',
  geoname_id: '',
  join_key: '',
  lat: 'latitude',
  latitude: 'latitude',
  lng: 'longitude',
  longitude: 'longitude',
  name: 'as_name',
  postal: 'postal_code',
  postal_code: 'postal_code',
  region: 'region_name',
  region_code: 'subdivision_1_iso_code',
  timezone: 'time_zone',
};

const TYPES: Readonly<Record<string, string>> = {
  asn: 'asn',
  lat: 'double',
  latitude: 'double',
  lng: 'double',
  longitude: 'double',
};

/**
 * Recognises the files of IPinfo, DB-IP, iptoasn.com and sapics by their first rows.
 *
 * @param rows the cells of the first rows, as far as they are complete
 */
export function recogniseTable(
  rows: readonly (readonly string[])[],
  separator: string,
): KnownTable | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  return recogniseIpinfo(first, rows.slice(1), separator) ?? recogniseShape(rows, separator);
}

function recogniseIpinfo(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  separator: string,
): KnownTable | undefined {
  const addresses = header[0] === 'network' ? 1 : header[0] === 'start_ip' && header[1] === 'end_ip' ? 2 : 0;
  const columns = header.slice(addresses);
  if (addresses === 0 || separator !== ',' || !columns.every((name) => Object.hasOwn(IPINFO_COLUMNS, name)))
    return undefined;
  if (!['asn', 'country', 'join_key'].some((name) => columns.includes(name))) return undefined;
  // Where there is a column of codes or names beside it, this one holds the other of the two.
  const placeOf = (name: string): string => {
    const holdsCodes =
      rows.length > 0 && rows.every((cells) => CODE.test(cells[addresses + columns.indexOf(name)] ?? ''));
    const isEither = (name === 'country' || name === 'continent') && holdsCodes;
    return isEither ? `${name}_code` : IPINFO_COLUMNS[name]!;
  };
  const places = columns.map((name) => [name, placeOf(name)] as const);
  return {
    vendor: 'IPinfo',
    inputFormat: addresses === 1 ? 'cidr' : 'auto',
    hasHeader: true,
    columns,
    types: typesOf(columns),
    places: places.filter(([name, place]) => place !== '' && place !== name),
    placeless: places.flatMap(([name, place]) => (place === '' ? [name] : [])),
  };
}

function recogniseShape(rows: readonly (readonly string[])[], separator: string): KnownTable | undefined {
  const inputFormat = formatOf(rows);
  if (inputFormat === undefined) return undefined;
  const shape = SHAPES.find(({ separator: own, cells }) => {
    const patterns = Object.values(cells);
    return (
      own === separator &&
      rows.every(
        (row) =>
          row.length === patterns.length + 2 &&
          patterns.every((pattern, index) => pattern.test(row[index + 2]!)),
      )
    );
  });
  if (shape === undefined) return undefined;
  const columns = Object.keys(shape.cells);
  const { vendor } = shape;
  return {
    vendor,
    inputFormat,
    hasHeader: false,
    columns,
    types: typesOf(columns),
    places: [],
    placeless: [],
  };
}

function typesOf(columns: readonly string[]): readonly (readonly [string, string])[] {
  return columns.flatMap((name) => (Object.hasOwn(TYPES, name) ? [[name, TYPES[name]!] as const] : []));
}

/** Ranges in two columns: addresses, or numbers, which are IPv4 addresses if none is larger. */
function formatOf(rows: readonly (readonly string[])[]): InputFormatName | undefined {
  const ends = rows.flatMap((row) => row.slice(0, 2));
  if (ends.every((cell) => /^\d{1,39}$/.test(cell)))
    return ends.every((cell) => Number(cell) < 2 ** 32) ? 'ipv4-int' : 'ipv6-int';
  return ends.every((cell) => /[.:]/.test(cell) && looksLikeAddress(cell)) ? 'auto' : undefined;
}
