import { readFileSync } from 'node:fs';
import { build, violationsOf } from '../../test/build-in-memory.js';
import { openLookup } from '../mmdb/open-lookup.js';
import { vendorDatabase } from './vendor-file-name.js';

/** Every database as the vendor's table definitions have it: commercial file name, value columns. */
interface Known {
  readonly code: string;
  readonly file: string | null;
  readonly columns: string;
}
const KNOWN = JSON.parse(
  readFileSync(new URL('../../test/vendor-databases.json', import.meta.url), 'utf8'),
) as Known[];

/** Every form in which a database's file is named: the name, its family, and whether it is a CIDR edition. */
function namesOf({ code, file }: Known): [name: string, family: 4 | 6, cidr: boolean][] {
  const product = code.startsWith('PX') ? 'IP2PROXY' : 'IP2LOCATION';
  const lite: [string, 4 | 6, boolean][] = [
    [`${product}-LITE-${code}.CSV`, 4, false],
    [`${product}-LITE-${code}.IPV6.CSV`, 6, false],
    [`${product}-LITE-${code}-IPV6.CSV.ZIP`, 6, false],
    [`${product}-LITE-${code}.CIDR.CSV`, 4, true],
    [`${product}-LITE-${code}.IPV6.CIDR.CSV`, 6, true],
  ];
  if (file === null) return [...lite, ['DBASNLITE.ZIP', 4, false], ['DBASNLITEIPV6.ZIP', 6, false]];
  const stem = file.replace(/\.CSV$/, '');
  const stem6 = stem.replace(/^(IP2PROXY-)?IP-/, '$1IPV6-');
  const sample = `${product}-${code}-sample`.toLowerCase();
  return [
    ...lite,
    ...([
      [`${stem}.CSV`, 4, false],
      [`${stem}-FULL.CSV.ZIP`, 4, false],
      [`${stem}.SAMPLE.CSV`, 4, false],
      [`${stem}.CIDR.CSV`, 4, true],
      [`${stem6}.CSV`, 6, false],
      [`${stem6}.CIDR.CSV`, 6, true],
      [`${sample}.ipv4.csv`, 4, false],
      [`${sample}.ipv6.csv`, 6, false],
      [`${sample}.ipv4.cidr.csv`, 4, true],
      [`${sample}.ipv6.cidr.csv`, 6, true],
      [`${code}CSV.ZIP`, 4, false],
      [`${code}CSVIPV6.ZIP`, 6, false],
      [`${code}LITECSV.ZIP`, 4, false],
      [`${code}LITECSVIPV6.ZIP`, 6, false],
    ] as [string, 4 | 6, boolean][]),
  ];
}

test('DB1 to DB26, PX1 to PX12 and ASN are known', () => {
  expect(KNOWN).toHaveLength(39);
});

test.each(KNOWN)('every file name of $code implies its columns, family and edition', (known) => {
  const columns = known.columns.split(' ');
  for (const [name, family, cidr] of namesOf(known)) {
    for (const form of [
      name,
      name.toLowerCase(),
      `/in/${name}`,
      ...(/zip$/i.test(name) ? [] : [`${name}.gz`]),
    ]) {
      const found = vendorDatabase(form);
      expect([form, found?.code, found?.family, found?.cidr]).toEqual([form, known.code, family, cidr]);
      expect(found?.columns[0]).toEqual(columns);
    }
  }
});

/** A valid cell per column, and its stored value. */
const CELLS: Readonly<Record<string, [string, string | number]>> = {
  latitude: ['1.500000', 1.5],
  longitude: ['-2.250000', -2.25],
  elevation: ['12', 12],
  last_seen: ['7', 7],
  fraud_score: ['99', 99],
  zip_code: ['02117', '02117'],
};

test.each(KNOWN)('a row of $code is read from each of its editions', (known) => {
  const columns = known.columns.split(' ');
  const cells = columns.map((column) => `"${CELLS[column]?.[0] ?? `a ${column}`}"`).join(',');
  const record = Object.fromEntries(columns.map((column) => [column, CELLS[column]?.[1] ?? `a ${column}`]));
  const ranges = { 4: '"16777216","16777471"', 6: '"281470698520576","281470698520831"' };
  const networks = { 4: '1.0.0.0/24', 6: '::ffff:1.0.0.0/120' };
  for (const [file, family, cidr] of namesOf(known).filter(([name]) => !/zip$/i.test(name))) {
    const row = `${(cidr ? networks : ranges)[family]},${cells}\r\n`;
    const { bytes } = build(row, { kind: 'vendor', file, lookupName: 'places' });
    expect([file, openLookup(bytes).findNetwork('1.0.0.255')]).toEqual([
      file,
      { network: '1.0.0.0/24', record },
    ]);
  }
});

test.each(KNOWN)(
  'a row of $code with an extra column is rejected, with both counts',
  ({ code, file, columns }) => {
    const name = file ?? 'IP2LOCATION-LITE-ASN.CSV';
    const count = columns.split(' ').length + 2;
    const expected = code === 'DB26' ? '27 or 30' : String(count);
    expect(
      violationsOf(
        `${Array(count + 1)
          .fill('"1"')
          .join(',')}\n`,
        { kind: 'vendor', file: name, lookupName: 'places' },
      ),
    ).toEqual([`${name}: row 1: ${code} has ${expected} columns, but the row has ${count + 1}`]);
  },
);

test('commercial names of more than 128 characters require a lookup name', () => {
  const { file } = KNOWN.find(({ code }) => code === 'DB26')!;
  expect(() => build('', { kind: 'vendor', file: file! })).toThrow(
    'at most 128, starting with a letter or digit: pass --lookup-name',
  );
});
