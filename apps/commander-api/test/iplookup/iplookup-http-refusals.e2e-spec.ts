import { createHash } from 'node:crypto';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';
import { type LookupServer, problem, startLookupServer } from './lookup-server.js';

afterAll(removeLookupFolders);

const CSV = 'ip_from,ip_to,site\n10.0.0.0,10.0.255.255,Head office\n10.1.0.0,10.1.255.255,Warehouse\n';
const PX2 = '"16777216","16777471","PUB","XA","Exampland"\n';

let folder: LookupFolder;
let server: LookupServer;
let send: LookupServer['send'];
let post: LookupServer['post'];

beforeAll(async () => {
  folder = makeLookupFolder();
  folder.write('sites.csv', CSV);
  server = await startLookupServer(folder);
  ({ send, post } = server);
  expect((await post('/from-csv', { file_name: 'sites.csv', input_ip_format: 'ipv4' })).status).toBe(200);
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
});

test('invalid rows are listed, and the previous lookup is kept', async () => {
  const before = createHash('sha256')
    .update(readFileSync(join(folder.lookups, 'sites.mmdb')))
    .digest('hex');
  folder.write('sites.csv', `${CSV}x,10.2.0.1,Bad\n`);
  const answer = await post('/from-csv', { file_name: 'sites.csv', input_ip_format: 'ipv4' });
  expect(answer.status).toBe(400);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  expect(await answer.json()).toMatchObject({
    title: 'Invalid input',
    errors: [{ field: 'row 4, column ip_from', message: '"x" is not an IPv4 address' }],
  });
  expect(
    createHash('sha256')
      .update(readFileSync(join(folder.lookups, 'sites.mmdb')))
      .digest('hex'),
  ).toBe(before);
});

test.each([
  [{}, 400, 'file_name is required'],
  [{ file_name: 'none.csv' }, 404, 'Input file not found: "none.csv"'],
  [{ file_name: '../svccmd.conf' }, 400, 'is not a plain file name'],
  [{ file_name: '/etc/passwd' }, 400, 'is not a plain file name'],
  [{ file_name: '-' }, 400, 'is not a plain file name'],
  [{ file_name: 'sites.csv', lookup_name: '../x' }, 400, 'is not a valid lookup name'],
  [{ file_name: 'sites.csv', force_ipv4: true }, 400, 'force_ipv4 cannot be used with the input format ipv6'],
  [{ file_name: 'sites.csv', zone_name: 'a', lookup_name: 'b' }, 400, 'pass only one of them'],
  [{ file_name: 'sites.csv', separator: 'ab' }, 400, 'is not valid'],
  [{ file_name: 'sites.csv', gzip: 'perhaps' }, 400, 'gzip must be true or false'],
  [{ file_name: 'sites.csv', unknown: 1 }, 400, 'unknown'],
])('%p is refused with %p', async (body, status, detail) => {
  const [found, text] = await problem(post('/from-csv', body));
  expect([found, text]).toEqual([status, expect.stringContaining(detail)]);
});

test.each([
  ['/from-csv', { file_name: 'sites.csv', header: false }, 'header: false needs column_names'],
  [
    '/from-csv',
    { file_name: 'sites.csv', column_names: ['a'] },
    'column_names requires header: false: otherwise the first row contains the names',
  ],
  [
    '/from-csv',
    { file_name: 'sites.csv', force_ipv4: true },
    'force_ipv4 cannot be used with the input format ipv6: pass input_ip_format ipv4 or input_ip_format ipv4-int',
  ],
  [
    '/from-vendor',
    { file_name: 'IP2PROXY-LITE-PX2.CSV', schema: 'geoip2', types: false },
    'types: false cannot be combined with schema geoip2: it determines the types itself',
  ],
  [
    '/from-csv',
    { file_name: 'one.csv', input_ip_format: 'ipv4' },
    'one.csv: row 1: the header has 1 column, but the first two must be ip_from and ip_to: is the separator right (separator)?',
  ],
])('%s %j: the remedy names parameters of the request', async (path, body, detail) => {
  folder.write('one.csv', 'a;b;c\n');
  folder.write('IP2PROXY-LITE-PX2.CSV', PX2);
  expect(await problem(post(path, body))).toEqual([400, detail]);
});

test('user input is quoted verbatim, even if it looks like an option', async () => {
  folder.write('dashes.csv', 'ip_from,ip_to,--foo-bar\n--no-header,10.0.0.1,x\n::1,10.0.0.1,--a-b\n');
  const answer = await post('/from-csv', { file_name: 'dashes.csv', input_ip_format: 'ipv4' });
  expect(await answer.json()).toMatchObject({
    status: 400,
    detail:
      'dashes.csv: row 2, column ip_from: "--no-header" is not an IPv4 address (and 1 more, see errors)',
    errors: [
      { field: 'row 2, column ip_from', message: '"--no-header" is not an IPv4 address' },
      {
        field: 'row 3, column ip_from',
        message: '"::1" is not an IPv4 address; input_ip_format ipv6 or input_ip_format auto reads it',
      },
    ],
  });
  const wanted = { file_name: 'dashes.csv', input_ip_format: 'ipv4', schema: 'geoip2' };
  expect(await problem(post('/from-csv', wanted))).toEqual([
    400,
    'dashes.csv: row 1: schema geoip2 has no place for the column --foo-bar: leave it out with drop_columns --foo-bar',
  ]);
  const skipping = { file_name: 'dashes.csv', input_ip_format: 'ipv4', skip_invalid: true };
  expect(await (await post('/from-csv', skipping)).json()).toMatchObject({
    skipped_rows: [
      { row: 2, text: '--no-header', reason: 'is not an IPv4 address' },
      { row: 3, reason: 'is not an IPv4 address; input_ip_format ipv6 or input_ip_format auto reads it' },
    ],
  });
});

test.each([{ header: false }, { header: true }])(
  "the vendor's files have no header: %j is refused",
  async (given) => {
    folder.write('IP2PROXY-LITE-PX2.CSV', PX2);
    const [status, detail] = await problem(
      post('/from-vendor', { file_name: 'IP2PROXY-LITE-PX2.CSV', ...given }),
    );
    expect([status, detail]).toEqual([400, expect.stringContaining('header')]);
    const query = new URLSearchParams({ file_name: 'IP2PROXY-LITE-PX2.CSV', header: String(given.header) });
    const init = { method: 'POST', headers: { 'content-type': 'text/csv' }, body: PX2 };
    expect(await problem(send(`/from-vendor?${query}`, init))).toEqual([status, detail]);
  },
);

test('a link out of the input folder is rejected', async () => {
  writeFileSync(join(folder.path, 'secret.csv'), CSV);
  symlinkSync('../secret.csv', join(folder.path, 'in', 'link.csv'));
  expect(await problem(post('/from-csv', { file_name: 'link.csv' }))).toEqual([
    400,
    'The input file "link.csv" points outside its folder.',
  ]);
});

test('bodies of another type, arrays and a query beside JSON are rejected', async () => {
  const xml = send('/from-csv', {
    method: 'POST',
    headers: { 'content-type': 'application/xml' },
    body: '<a/>',
  });
  expect((await problem(xml))[0]).toBe(415);
  expect((await problem(post('/from-csv', [])))[0]).toBe(400);
  expect((await problem(post('/from-csv?gzip', { file_name: 'sites.csv' })))[0]).toBe(400);
  const unnamed = send('/from-csv', { method: 'POST', headers: { 'content-type': 'text/csv' }, body: CSV });
  expect(await problem(unnamed)).toEqual([400, expect.stringContaining('Pass file_name or lookup_name')]);
});

test('a small body that decompresses to a huge one is rejected', async () => {
  const bomb = gzipSync(`ip_from,ip_to,v\n${'10.0.0.0,10.0.0.1,x\n'.repeat(400_000)}`);
  const query = 'lookup_name=bomb&input_ip_format=ipv4';
  const answer = send(`/from-csv?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/gzip' },
    body: bomb,
  });
  expect(await problem(answer)).toEqual([400, expect.stringContaining('200 times as large')]);
});

test.each([
  ['/none', 404],
  ['/none/10.0.0.1', 404],
  ['/sites/nonsense', 400],
  ['/..%2fsvccmd.conf', 400],
  ['/.hidden.mmdb', 400],
])('GET %s is answered with %p', async (path, status) => {
  expect((await problem(send(path)))[0]).toBe(status);
});

test('requests without a token are rejected', async () => {
  for (const path of ['', '/sites', '/sites/10.0.0.1']) {
    expect((await fetch(`${server.url}/iplookup${path}`)).status).toBe(401);
  }
});
