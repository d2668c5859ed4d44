import { readFileSync } from 'node:fs';
import { vendorDatabase } from '@svc/iplookup-core';
import { parseString } from 'fast-csv';
import ipaddr from 'ipaddr.js';

/** What a lookup must say of a range. Addresses are 128-bit numbers, IPv4 ones in ::ffff:0:0/96. */
export interface SampleRow {
  readonly first: bigint;
  readonly last: bigint;
  /** Absent where the row has no values, so that it is left out. */
  readonly record: Readonly<Record<string, string | number>> | undefined;
}

/** A file of rows, and how it is built. */
export interface Sample {
  readonly format: 'ipv4-int' | 'ipv6-int' | 'cidr' | 'auto';
  readonly build: readonly string[];
  /** Value columns of a file without header. */
  readonly names: readonly string[];
  readonly rows: readonly SampleRow[];
}

/** Columns whose zeros mean no value if other cells are empty. */
const ZEROS = ['latitude', 'longitude', 'elevation'];
const NUMBERS = [...ZEROS, 'fraud_score', 'last_seen'];

const MAPPED = 0xffffn << 32n;

/** Reads a file of the vendor, known by its name, or one with a header; sorted by address. */
export async function readSample(path: string, name: string): Promise<Sample> {
  const table = await cellsOf(path);
  const database = vendorDatabase(name);
  if (database === undefined) return withHeader(name, table);
  const format = database.cidr ? 'cidr' : database.family === 6 ? 'ipv6-int' : 'ipv4-int';
  const width = format === 'cidr' ? 1 : 2;
  const names = database.columns.find((columns) => columns.length + width === table[0]?.length) ?? [];
  const rows = table.map((cells) => ({
    ...(format === 'cidr' ? networkOf(cells[0]!) : numbersOf(cells, format === 'ipv4-int' ? MAPPED : 0n)),
    record: vendorRecord(names, cells.slice(width)),
  }));
  return { format, build: ['from-vendor', name], names, rows: sorted(rows) };
}

function withHeader(name: string, [header = [], ...table]: readonly string[][]): Sample {
  const format = header[0] === 'network' ? 'cidr' : 'auto';
  const width = format === 'cidr' ? 1 : 2;
  const rows = table.map((cells) => ({
    ...(format === 'cidr' ? networkOf(cells[0]!) : { first: toNumber(cells[0]!), last: toNumber(cells[1]!) }),
    record: Object.fromEntries(
      header
        .map((column, at) => [column, cells[at]!])
        .slice(width)
        .filter(([, cell]) => cell !== ''),
    ),
  }));
  return { format, build: ['from-csv', name, '-i', format], names: [], rows: sorted(rows) };
}

function cellsOf(path: string): Promise<string[][]> {
  return new Promise((resolve, reject) => {
    const rows: string[][] = [];
    parseString<string[], string[]>(readFileSync(path, 'utf8'), { ignoreEmpty: true })
      .on('error', reject)
      .on('data', (row: string[]) => rows.push(row))
      .on('end', () => resolve(rows));
  });
}

function vendorRecord(names: readonly string[], cells: readonly string[]): SampleRow['record'] {
  const values = names
    .map((name, at) => [name, cells[at]!] as const)
    .filter(([, cell]) => cell !== '-')
    .map(([name, cell]) => [name, NUMBERS.includes(name) ? Number(cell) : cell] as const);
  const isNothing = values.every(([name, value]) => ZEROS.includes(name) && value === 0);
  return isNothing ? undefined : Object.fromEntries(values);
}

function numbersOf([first = '', last = '']: readonly string[], shift: bigint) {
  return { first: BigInt(first) + shift, last: BigInt(last) + shift };
}

function networkOf(text: string) {
  const [address = '', length] = text.split('/');
  const bits = ipaddr.parse(address).kind() === 'ipv4' ? 32 : 128;
  const first = toNumber(address);
  return { first, last: first + (1n << BigInt(bits - Number(length ?? bits))) - 1n };
}

function toNumber(text: string): bigint {
  const address = ipaddr.parse(text);
  const value = BigInt(`0x${Buffer.from(address.toByteArray()).toString('hex')}`);
  return address.kind() === 'ipv4' ? MAPPED + value : value;
}

function sorted(rows: readonly SampleRow[]): readonly SampleRow[] {
  return rows.toSorted((a, b) => (a.first < b.first ? -1 : 1));
}
