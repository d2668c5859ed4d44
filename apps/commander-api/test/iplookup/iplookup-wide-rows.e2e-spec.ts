import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Reader, type Response as Found } from 'mmdb-lib';
import { type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';
import { type LookupServer, startLookupServer } from './lookup-server.js';

afterAll(removeLookupFolders);

const OPTIONS = ['-i', 'auto', '--no-header', '--column-names', 'country_code'];
const QUERY = 'input_ip_format=auto&header=false&column_names=country_code';

const text = (n: number) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255].join('.');

interface Row {
  readonly first: number;
  readonly last: number;
  readonly code: string;
}

/** IPv4 rows in order, with gaps, as DB-IP's free files have them. */
const rows: readonly Row[] = fc
  .sample(
    fc.array(
      fc.record({
        size: fc.integer({ min: 1, max: 70_000 }),
        gap: fc.constantFrom(0, 0, 1, 5000),
        code: fc.constantFrom('AU', 'CN', 'JP', 'TH'),
      }),
      { minLength: 2000, maxLength: 2000 },
    ),
    { numRuns: 1, seed: 7 },
  )[0]!
  .reduce<Row[]>((before, { size, gap, code }) => {
    const first = (before.at(-1)?.last ?? 0x00ff_ffff) + 1 + gap;
    return [...before, { first, last: first + size - 1, code }];
  }, []);
const ipv4Lines = rows.map(({ first, last, code }) => `${text(first)},${text(last)},${code}\n`).join('');
const ipv6Lines = '2001:200::,2001:200:ffff:ffff:ffff:ffff:ffff:ffff,JP\n';

/** The last IPv4 row that covers the address, else the wide row. */
const naive = (address: number) =>
  rows.findLast(({ first, last }) => first <= address && address <= last)?.code ?? 'ZZ';

const probes = rows.flatMap(({ first, last }) => [first - 1, first, last, last + 1]);

function expectAllAnswers(bytes: Buffer): void {
  const reader = new Reader<Found>(bytes);
  const wrong = probes.filter((address) => {
    const found = reader.get(text(address)) as { country_code?: string } | null;
    return found?.country_code !== naive(address);
  });
  expect(wrong.map(text)).toEqual([]);
  expect(reader.get('2001:200::1')).toEqual({ country_code: 'JP' });
}

let folder: LookupFolder;
let server: LookupServer;

beforeAll(async () => {
  folder = makeLookupFolder();
  server = await startLookupServer(folder);
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
});

test.each([
  ['filler', '::,1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff,ZZ\n'],
  ['default', '::,ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff,ZZ\n'],
])(
  'a wide IPv6 row takes no IPv4 address from the IPv4 rows, before them or after (%s)',
  async (name, wide) => {
    for (const [order, csv] of [
      ['after', ipv4Lines + wide + ipv6Lines],
      ['before', wide + ipv6Lines + ipv4Lines],
    ] as const) {
      const lookup = `${name}-${order}`;
      folder.write(`${lookup}.csv`, csv);
      const built = await folder.run('from-csv', `${lookup}.csv`, '--json', '--strict', ...OPTIONS);
      expect([built.code, built.stderr]).toEqual([0, '']);
      const bytes = readFileSync(join(folder.lookups, `${lookup}.mmdb`));
      expectAllAnswers(bytes);
      const verified = await folder.run('verify', lookup, '--against', `${lookup}.csv`, ...OPTIONS);
      expect(verified).toMatchObject({ code: 0, stderr: '' });
      const sent = await server.send(`/from-csv?lookup_name=${lookup}&${QUERY}`, {
        method: 'POST',
        headers: { 'content-type': 'text/csv' },
        body: csv,
      });
      expect(await sent.json()).toMatchObject({ rows: rows.length + 2, overlaps: 0 });
      expect(readFileSync(join(folder.lookups, `${lookup}.mmdb`)).equals(bytes)).toBe(true);
    }
  },
);

test('verify finds a lookup in which the filler row took the IPv4 addresses', async () => {
  const filler = '::,1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff,ZZ\n';
  folder.write('right.csv', ipv4Lines + filler);
  folder.write('wrong.csv', `${ipv4Lines + filler}0.0.0.0,255.255.255.255,ZZ\n`);
  await folder.run('from-csv', 'wrong.csv', ...OPTIONS);
  const { code, stdout } = await folder.run('verify', 'wrong', '--against', 'right.csv', ...OPTIONS);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /the lookup has \{"country_code":"ZZ"\}, the input \{"country_code":"(AU|CN|JP|TH)"\}/,
  );
});

test('a row that overrides much of the input is reported on standard error and in the summary', async () => {
  const line = rows.length + 1;
  folder.write('over.csv', `${ipv4Lines}0.0.0.0,255.255.255.255,ZZ\n`);
  const overriding = [{ row: line, overridden: rows.length, first: 1 }];
  const built = await folder.run('from-csv', 'over.csv', '--json', ...OPTIONS);
  expect(JSON.parse(built.stdout)).toMatchObject({ overriding });
  expect(built.stderr.split('\n')[0]).toBe(
    `warning: row ${line} overrides 2000 earlier rows (100 % of all), the first of them row 1: is that intended? pass --strict to reject it`,
  );
  const body = {
    file_name: 'over.csv',
    input_ip_format: 'auto',
    header: false,
    column_names: ['country_code'],
  };
  expect(await (await server.post('/from-csv', body)).json()).toMatchObject({ overriding });
  const strict = await folder.run('from-csv', 'over.csv', '--strict', ...OPTIONS);
  expect([strict.code, strict.stderr]).toEqual([1, expect.stringContaining('which --strict does not allow')]);
});
