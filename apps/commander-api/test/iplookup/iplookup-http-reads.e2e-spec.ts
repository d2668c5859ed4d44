import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';
import { type LookupServer, problem, startLookupServer } from './lookup-server.js';

afterAll(removeLookupFolders);

const CSV = 'ip_from,ip_to,site,floor\n10.0.0.0,10.0.255.255,Head office,2\n10.1.0.0,10.1.255.255,Depot,\n';
const LONG = 'a long value '.repeat(8).trim();

let folder: LookupFolder;
let server: LookupServer;
let send: LookupServer['send'];
let post: LookupServer['post'];

/** The result of a command as JSON. */
const byCommand = async (...args: string[]) =>
  JSON.parse((await folder.run(...args, '--json')).stdout) as object;

beforeAll(async () => {
  folder = makeLookupFolder();
  folder.write('sites.csv', CSV);
  expect((await folder.run('from-csv', 'sites.csv', '-i', 'ipv4')).code).toBe(0);
  folder.write('sites.csv', CSV.replace('Depot', 'Warehouse'));
  expect((await folder.run('from-csv', 'sites.csv', '-i', 'ipv4', '-o', 'later', '-g')).code).toBe(0);
  // More text than the buffers between the server and a reader that does not read.
  const rows = Array.from(
    { length: 60_000 },
    (_, index) => `${index * 9},${index * 9 + 3},value ${index},${LONG}\n`,
  );
  folder.write('many.csv', `ip_from,ip_to,v,long\n${rows.join('')}`);
  expect((await folder.run('from-csv', 'many.csv', '-i', 'ipv4-int')).code).toBe(0);
  writeFileSync(join(folder.lookups, 'text.mmdb'), 'no lookup');
  server = await startLookupServer(folder);
  ({ send, post } = server);
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
});

const json = async (path: string) => {
  const response = await send(path);
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
};

test('inspect reports what the command reports', async () => {
  const found = await json('/sites/inspect');
  const { metadata, ...rest } = (await byCommand('inspect', 'sites')) as { metadata: object };
  expect(found).toMatchObject({ ...rest, file: 'sites.mmdb' });
  expect(found['metadata']).toMatchObject({ database_type: 'sites', build_epoch: 1_700_000_000 });
  expect(Object.keys(metadata)).toHaveLength(Object.keys(found['metadata'] as object).length);
  expect(await json('/later.mmdb.gz/inspect?column=floor')).toMatchObject({ column: 'floor' });
  const refused = await send('/sites/inspect?column=none');
  expect([refused.status, await refused.json()]).toEqual([
    400,
    expect.objectContaining({ detail: expect.stringContaining('the lookup sites has no column none') }),
  ]);
});

test('verify reports what the command reports', async () => {
  expect(await json('/sites/verify')).toEqual({
    file: 'sites.mmdb',
    valid: true,
    problems: [],
    problem_count: 0,
    warnings: [],
    records: 2,
  });
  expect(await json('/text/verify')).toMatchObject({ file: 'text.mmdb', valid: false, problem_count: 1 });
});

test('diff lists as many differences as requested', async () => {
  const expected = (await byCommand('diff', 'sites', 'later')) as object;
  expect(await json('/sites/diff/later')).toEqual({ ...expected, old: 'sites.mmdb', new: 'later.mmdb.gz' });
  expect(await json('/sites/diff/later?limit=0')).toMatchObject({ ipv4: { changed: 1 }, differences: [] });
  expect((await send('/sites/diff/later?limit=1001')).status).toBe(400);
});

test('dump is the text of the command, and rebuilds the lookup', async () => {
  for (const [path, ...args] of [['/many/dump'], ['/sites/dump?cidr', '--cidr']]) {
    const response = await send(path!);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const text = await response.text();
    const { stdout } = await folder.run('dump', path!.split('/')[1]!, ...args);
    expect(text === stdout).toBe(true);
  }
  const head = await send('/sites/dump', { method: 'HEAD' });
  expect([head.status, head.headers.get('content-disposition')]).toEqual([
    200,
    'attachment; filename="sites.csv"',
  ]);
});

test('many addresses are looked up at once, in their order', async () => {
  const ips = ['10.1.2.3', '192.0.2.1', '2001:db8::1', '::ffff:10.0.0.1'];
  const { addresses } = (await (await post('/sites/addresses', { ips })).json()) as { addresses: object[] };
  expect(addresses).toEqual(await byCommand('show', 'sites', ...ips));
  const many = Array.from({ length: 10_000 }, (_, index) => `0.0.${index >> 8}.${index & 255}`);
  const answer = await post('/many/addresses', { ips: many });
  const found = ((await answer.json()) as { addresses: { record: object | null }[] }).addresses;
  expect([answer.status, found.length]).toEqual([200, 10_000]);
  expect(found.slice(0, 5).map(({ record }) => record)).toEqual([
    ...Array.from({ length: 4 }, () => ({ v: 'value 0', long: LONG })),
    null,
  ]);
  expect((await post('/many/addresses', { ips: [...many, '::'] })).status).toBe(400);
});

test('the records of one response are bounded', async () => {
  folder.write('wide.csv', `ip_from,ip_to,v\n10.0.0.0,10.0.0.255,${'x'.repeat(900_000)}\n`);
  expect((await folder.run('from-csv', 'wide.csv', '-i', 'ipv4')).code).toBe(0);
  const ips = Array.from({ length: 100 }, () => '10.0.0.1');
  expect(await problem(post('/wide/addresses', { ips }))).toEqual([
    413,
    'The records of 100 addresses are too large: ask for fewer at once.',
  ]);
  const few = await post('/wide/addresses', { ips: ips.slice(0, 3) });
  expect([few.status, (await few.text()).length]).toEqual([200, expect.any(Number)]);
});

test.each([{}, { ips: 'x' }, { ips: [1] }, { ips: ['10.0.0.1'], more: 1 }, { ips: ['10.0.0.1', 'x'] }])(
  '%j is not a list of addresses',
  async (body) => {
    expect((await post('/sites/addresses', body)).status).toBe(400);
  },
);

test.each(['inspect', 'verify', 'dump', 'diff/sites'])(
  '%s of no lookup is 404, of no name 400',
  async (what) => {
    expect((await send(`/none/${what}`)).status).toBe(404);
    expect((await send(`/.history/${what}`)).status).toBe(400);
    expect((await send(`/..%2Fin/${what}`)).status).toBe(400);
  },
);

test.each(['inspect', 'dump', 'diff/sites'])(
  '%s of a damaged file names it without its folder',
  async (what) => {
    const [status, detail] = await problem(send(`/text/${what}`));
    expect([status, detail]).toEqual([500, expect.stringContaining('text.mmdb')]);
    expect(detail).not.toContain(folder.path);
  },
);

test('a third reader with one token is asked to retry, and the slots of those who leave are free again', async () => {
  // Their text is not read, so that they wait.
  const headers = { authorization: `Bearer ${server.token}` };
  const dumps = [0, 1].map(() => get(`${server.url}/iplookup/many/dump`, { headers }));
  await Promise.all(dumps.map(async (dump) => once(dump, 'response')));
  const busy = await send('/sites/inspect');
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '10']);
  expect((await send('/sites/10.0.0.1')).status).toBe(200);
  for (const dump of dumps) dump.destroy();
  const until = Date.now() + 10_000;
  let status = 0;
  while (status !== 200 && Date.now() < until) {
    ({ status } = await send('/sites/inspect'));
    await sleep(50);
  }
  expect(status).toBe(200);
});

test('a folder in place of a lookup is not found', async () => {
  mkdirSync(join(folder.lookups, 'folder.mmdb'), { recursive: true });
  expect((await send('/folder/inspect')).status).toBe(404);
});
