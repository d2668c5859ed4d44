import { type InputFormatName, looksLikeAddress } from '../address/input-format.js';
import { recogniseIpinfo } from './ipinfo-tables.js';
import { COUNTRY_CODE, type KnownTable } from './known-table.js';

/** Cells of a file without a header, by their column. */
interface Shape {
  readonly vendor: string;
  readonly separator: ',' | 'tab';
  readonly cells: Readonly<Record<string, RegExp>>;
}

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
  { vendor: 'DB-IP or sapics', separator: ',', cells: { country_code: COUNTRY_CODE } },
  { vendor: 'iptoasn.com', separator: 'tab', cells: { country_code: COUNTRY_CODE } },
  { vendor: 'DB-IP or sapics', separator: ',', cells: { asn: NUMBER, as_name: TEXT } },
  {
    vendor: 'iptoasn.com',
    separator: 'tab',
    cells: { asn: NUMBER, country_code: COUNTRY_CODE, as_name: TEXT },
  },
  {
    vendor: 'DB-IP',
    separator: ',',
    cells: {
      continent_code: CONTINENT,
      country_code: COUNTRY_CODE,
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
      country_code: COUNTRY_CODE,
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

const TYPES: Readonly<Record<string, string>> = {
  asn: 'asn',
  latitude: 'double',
  longitude: 'double',
};

/** How iptoasn.com marks networks that are not announced, or in no country. */
const NO_VALUES = new Map([
  ['asn', /^(AS)?0$/],
  ['country_code', /^None$/],
  ['as_name', /^Not routed$/],
]);

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
    types: Object.entries(TYPES).filter(([name]) => columns.includes(name)),
    places: [],
    placeless: [],
    noValues: NO_VALUES,
  };
}

/** Ranges in two columns: addresses, or numbers, which are IPv4 addresses if none is larger. */
function formatOf(rows: readonly (readonly string[])[]): InputFormatName | undefined {
  const ends = rows.flatMap((row) => row.slice(0, 2));
  if (ends.every((cell) => /^\d{1,39}$/.test(cell)))
    return ends.every((cell) => Number(cell) < 2 ** 32) ? 'ipv4-int' : 'ipv6-int';
  return ends.every((cell) => /[.:]/.test(cell) && looksLikeAddress(cell)) ? 'auto' : undefined;
}
