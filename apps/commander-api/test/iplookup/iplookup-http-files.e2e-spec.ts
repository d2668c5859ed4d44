import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openLookup } from '@svc/iplookup-core';
import { type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';
import { type LookupServer, problem, startLookupServer } from './lookup-server.js';

afterAll(removeLookupFolders);

const CSV = 'ip_from,ip_to,site\n10.0.0.0,10.0.255.255,Head office\n';
const IPV4 = { input_ip_format: 'ipv4' };

let folder: LookupFolder;
let server: LookupServer;
let send: LookupServer['send'];

beforeAll(async () => {
  folder = makeLookupFolder();
  folder.write('sites.csv', CSV);
  mkdirSync(folder.lookups);
  server = await startLookupServer(folder);
  ({ send } = server);
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
});

/** A file of the folder of lookups. */
const lookup = (name: string) => join(folder.lookups, name);

const build = (body: object) => server.post('/from-csv', body);

async function listed(): Promise<{ name: string; file: string }[]> {
  return ((await (await send('')).json()) as { lookups: { name: string; file: string }[] }).lookups;
}

test('a link out of the lookup folder is not a lookup, one within it is', async () => {
  expect((await build({ file_name: 'sites.csv', ...IPV4 })).status).toBe(200);
  renameSync(lookup('sites.mmdb'), join(folder.path, 'elsewhere.mmdb'));
  expect((await build({ file_name: 'sites.csv', ...IPV4 })).status).toBe(200);
  symlinkSync('/etc/passwd', lookup('evil.mmdb'));
  symlinkSync('../elsewhere.mmdb', lookup('outside.mmdb'));
  symlinkSync('sites.mmdb', lookup('alias.mmdb'));
  for (const name of ['evil', 'evil.mmdb', 'outside', 'evil/10.0.0.1', 'outside/10.0.0.1']) {
    const [wanted] = name.split('/');
    expect(await problem(send(`/${name}`))).toEqual([404, `There is no lookup "${wanted}".`]);
  }
  expect(await (await send('/alias/10.0.0.1')).json()).toMatchObject({ record: { site: 'Head office' } });
  expect((await listed()).map(({ name }) => name)).toEqual(['alias', 'sites']);
});

test('an input linked to in a subfolder is read, under the name of the link', async () => {
  mkdirSync(join(folder.path, 'in', '..data'));
  writeFileSync(join(folder.path, 'in', '..data', 'mounted.csv'), CSV);
  symlinkSync(join('..data', 'mounted.csv'), join(folder.path, 'in', 'linked.csv'));
  const answer = await build({ file_name: 'linked.csv', ...IPV4 });
  expect(await answer.json()).toMatchObject({ lookup: 'linked', rows: 1 });
});

test('a pipe in place of a file is rejected at once, and does not delay later builds', async () => {
  for (const pipe of [join(folder.path, 'in', 'pipe.csv'), lookup('pipe.mmdb')])
    execFileSync('mkfifo', [pipe]);
  mkdirSync(join(folder.path, 'in', 'below.csv'));
  expect(await problem(build({ file_name: 'pipe.csv', ...IPV4 }))).toEqual([
    400,
    'The input file "pipe.csv" is not a regular file.',
  ]);
  expect(await problem(build({ file_name: 'below.csv', ...IPV4 }))).toEqual([
    400,
    'The input file "below.csv" is not a regular file.',
  ]);
  expect(await problem(send('/pipe'))).toEqual([404, 'There is no lookup "pipe".']);
  expect(await problem(send('/pipe/10.0.0.1'))).toEqual([404, 'There is no lookup "pipe".']);
  expect((await listed()).map(({ name }) => name)).not.toContain('pipe');
  expect((await build({ file_name: 'sites.csv', ...IPV4 })).status).toBe(200);
});

test('on the command line a pipe is rejected with the remedy', async () => {
  const { code, stderr } = await folder.run('from-csv', join(folder.path, 'in', 'pipe.csv'), '-i', 'ipv4');
  expect([code, stderr]).toEqual([
    1,
    `svccmd: ${folder.path}/in/pipe.csv is a pipe, not a file: pipe its content into the command, and pass - as the file name\n`,
  ]);
});

test('a damaged lookup file is a server error, reported without the folder', async () => {
  writeFileSync(lookup('cut.mmdb.gz'), gzipSync(Buffer.alloc(5000, 'x')).subarray(0, 20));
  writeFileSync(lookup('other.mmdb'), 'no lookup');
  expect(await problem(send('/cut/10.0.0.1'))).toEqual([
    500,
    'The lookup file cannot be used: cut.mmdb.gz is truncated: its compressed data ends early.',
  ]);
  expect(await problem(send('/other/10.0.0.1'))).toEqual([
    500,
    'The lookup file is damaged: other.mmdb: the file is not a MaxMind DB: it has no metadata.',
  ]);
});

test('an empty lookup file is downloaded as it is', async () => {
  writeFileSync(lookup('empty.mmdb'), '');
  const answer = await send('/empty');
  expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '0']);
  expect((await answer.arrayBuffer()).byteLength).toBe(0);
  expect((await send('/empty', { headers: { range: 'bytes=0-4' } })).status).toBe(416);
});

test('a lookup that cannot be written is not always reported as a full disk', async () => {
  mkdirSync(lookup('taken.mmdb'));
  expect(await problem(build({ file_name: 'sites.csv', lookup_name: 'taken', ...IPV4 }))).toEqual([
    500,
    'taken.mmdb cannot be written: it is a folder',
  ]);
});

test('a lookup uses the latest build, gzipped or not; the other file remains for its readers', async () => {
  const ask = async (name = 'form') => (await send(`/${name}/10.0.0.1`)).json();
  const forms = async () => (await listed()).filter(({ name }) => name === 'form').map(({ file }) => file);
  folder.write('form.csv', CSV);
  await build({ file_name: 'form.csv', ...IPV4 });
  expect(await ask()).toMatchObject({ record: { site: 'Head office' } });
  folder.write('form.csv', CSV.replace('Head office', 'Moved'));
  await build({ file_name: 'form.csv', gzip: true, ...IPV4 });
  expect(await ask()).toMatchObject({ record: { site: 'Moved' } });
  expect(await forms()).toEqual(['form.mmdb.gz']);
  expect((await folder.run('show', 'form', '10.0.0.1')).stdout).toContain('site: Moved');
  folder.write('form.csv', CSV.replace('Head office', 'Back'));
  await folder.run('from-csv', 'form.csv', '-i', 'ipv4');
  expect(await ask()).toMatchObject({ record: { site: 'Back' } });
  expect(await forms()).toEqual(['form.mmdb']);
  expect(openLookup(gunzipSync(readFileSync(lookup('form.mmdb.gz')))).find('10.0.0.1')).toEqual({
    site: 'Moved',
  });
});

test('of both forms in the folder, the newer one is used', async () => {
  const packed = gzipSync(readFileSync(lookup('form.mmdb')));
  folder.write('form.csv', CSV.replace('Head office', 'Newer'));
  await folder.run('from-csv', 'form.csv', '-i', 'ipv4');
  writeFileSync(lookup('form.mmdb.gz'), packed);
  const date = (time: number) => utimesSync(lookup('form.mmdb.gz'), time, time);
  date(Date.now() / 1000 - 3600);
  expect(await (await send('/form/10.0.0.1')).json()).toMatchObject({ record: { site: 'Newer' } });
  expect((await folder.run('show', 'form', '10.0.0.1')).stdout).toContain('site: Newer');
  utimesSync(lookup('form.mmdb'), 0, 0);
  rmSync(lookup('form.mmdb.gz'));
  expect((await folder.run('show', 'form', '10.0.0.1')).stdout).toContain('site: Newer');
  writeFileSync(lookup('form.mmdb.gz'), packed);
  expect(await (await send('/form/10.0.0.1')).json()).toMatchObject({ record: { site: 'Back' } });
  expect((await folder.run('show', 'form', '10.0.0.1')).stdout).toContain('site: Back');
  expect((await listed()).filter(({ name }) => name === 'form')).toMatchObject([{ file: 'form.mmdb.gz' }]);
  const whole = Buffer.from(await (await send('/form')).arrayBuffer());
  expect(openLookup(gunzipSync(whole)).find('10.0.0.1')).toEqual({ site: 'Back' });
});

test('a lookup is deleted in both forms, or one file; nothing outside the folder is', async () => {
  const remove = async (name: string) => send(`/${encodeURIComponent(name)}`, { method: 'DELETE' });
  writeFileSync(join(folder.path, 'secret.mmdb'), 'x');
  symlinkSync('../secret.mmdb', lookup('leading-out.mmdb'));
  for (const name of ['gone.mmdb', 'gone.mmdb.gz', 'other.mmdb', 'other.mmdb.gz', 'note.txt'])
    writeFileSync(lookup(name), 'x');
  expect((await remove('gone')).status).toBe(204);
  expect((await remove('other.mmdb.gz')).status).toBe(204);
  expect(await problem(remove('gone'))).toEqual([404, 'There is no lookup "gone".']);
  for (const name of ['note.txt', 'leading-out', '../secret', '../secret.mmdb'])
    expect([name, (await remove(name)).status]).toEqual([name, name.startsWith('..') ? 400 : 404]);
  const left = ['gone.mmdb', 'gone.mmdb.gz', 'other.mmdb', 'other.mmdb.gz', 'note.txt', '../secret.mmdb'];
  expect(left.filter((name) => existsSync(lookup(name)))).toEqual([
    'other.mmdb',
    'note.txt',
    '../secret.mmdb',
  ]);
  rmSync(lookup('leading-out.mmdb'));
  rmSync(lookup('other.mmdb'));
});

test('of requests that delete a lookup at the same time, one does, and the others do not find it', async () => {
  for (let round = 0; round < 20; round += 1) {
    writeFileSync(lookup('contended.mmdb'), 'x');
    const responses = await Promise.all(
      Array.from({ length: 8 }, async () => send('/contended', { method: 'DELETE' })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(404)]);
  }
});
