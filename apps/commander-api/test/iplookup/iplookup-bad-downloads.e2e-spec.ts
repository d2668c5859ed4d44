import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { startSvccmd } from '../shell/run-svccmd.js';
import { ALLOWED, ROWS, useRemoteFolder } from './remote-folder.js';
import { type Answer, sendFile } from './source-server.js';

const remote = useRemoteFolder();

const sync = async () => remote.folder.run('sync');

test.each<[string, Answer, string]>([
  [
    'a cut download',
    (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('network,country\n');
      setTimeout(() => response.destroy(), 50);
    },
    'aborted',
  ],
  ['an error', (_, response) => response.writeHead(503).end(), 'the server returned 503'],
  ['too much', (_, response) => response.end('x'.repeat(3_000)), 'it is larger than 2000 bytes'],
  [
    'an encoding',
    (_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end('x'),
    'the server encodes it as br, which was not requested',
  ],
  [
    'a redirect to another host',
    (_, response) => response.writeHead(302, { location: 'https://elsewhere.example/base.csv' }).end(),
    'the host elsewhere.example is not listed in iplookup.hosts',
  ],
  [
    'a redirect to http',
    (_, response) => response.writeHead(302, { location: 'http://localhost/base.csv' }).end(),
    'http://localhost/base.csv is not an https address',
  ],
  [
    'endless redirects',
    (_, response) => response.writeHead(302, { location: '/base.csv' }).end(),
    'there are more than 5 redirects',
  ],
])('%s leaves the former lookup', async (_case, answer, reason) => {
  remote.folder.configure(`${ALLOWED}max_download = 2000\n`);
  await sync();
  remote.server.answers['/base.csv'] = answer;
  const { code, stderr } = await sync();
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`${remote.server.origin}/base.csv cannot be fetched: ${reason}`),
  ]);
  expect(remote.folder.find('country')).toBe('CZ');
  expect(partialDownloads()).toEqual([]);
});

test('a small source that decompresses to a huge one leaves the former lookup', async () => {
  await sync();
  const bomb = gzipSync(`network,country\n${'10.0.0.0/8,DE\n'.repeat(400_000)}`);
  remote.server.answers['/base.csv'] = sendFile(bomb);
  expect(await sync()).toMatchObject({ code: 1, stderr: expect.stringContaining('200 times as large') });
  expect(remote.folder.find('country')).toBe('CZ');
});

test.each(['csv', 'lookup'])(
  'so does a small .mmdb.gz that decompresses to a huge one, read as %s',
  async (kind) => {
    await sync();
    const lookup = gzipSync(readFileSync(join(remote.folder.lookups, 'geo.mmdb')));
    remote.server.answers['/base.mmdb.gz'] = sendFile(lookup);
    writeFileSync(
      join(remote.folder.path, 'lookups.yaml'),
      `lookups: {geo: {layers: [{source: "${remote.server.origin}/base.mmdb.gz", kind: ${kind}}]}}`,
    );
    expect((await sync()).code).toBe(0);
    remote.server.answers['/base.mmdb.gz'] = sendFile(gzipSync(Buffer.alloc(8 << 20)));
    expect(await sync()).toMatchObject({ code: 1, stderr: expect.stringContaining('200 times as large') });
    expect(remote.folder.find('country')).toBe('CZ');
  },
);

test('a download that never ends is given up after iplookup.timeout, also if garbage is collected meanwhile', async () => {
  await sync();
  remote.folder.configure(`${ALLOWED}timeout = 2 s\n`);
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  remote.server.answers['/base.csv'] = (_, response) => {
    const sending = setInterval(() => {
      collectGarbage();
      response.write('1');
    }, 100);
    // Fails the test instead of running on.
    setTimeout(() => response.destroy(), 10_000).unref();
    response.on('close', () => clearInterval(sending));
  };
  expect((await sync()).stderr).toContain('base.csv cannot be fetched: it took longer than 2 s');
  expect(remote.folder.find('country')).toBe('CZ');
});

test.each([
  ['fetches the source', 'DE'],
  ['removes what it left, although the source is the former one again', 'CZ'],
])('kill -9 during a download: the previous lookup is kept, and the next run %s', async (_what, country) => {
  await sync();
  const changed = ROWS.replace('CZ', 'DE');
  remote.server.answers['/base.csv'] = (_, response) => {
    response.writeHead(200, { 'content-length': String(changed.length) }).write(changed.slice(0, 20));
  };
  const child = startSvccmd(['iplookup', 'sync'], { cwd: remote.folder.path });
  const ended = new Promise((resolve) => child.once('close', resolve));
  while (partialDownloads().length === 0) await sleep(20);
  child.kill('SIGKILL');
  await ended;
  expect(remote.folder.find('country')).toBe('CZ');
  remote.server.answers['/base.csv'] = sendFile(ROWS.replace('CZ', country));
  expect((await sync()).code).toBe(0);
  expect(remote.folder.find('country')).toBe(country);
  expect(partialDownloads()).toEqual([]);
});

function partialDownloads(): string[] {
  const sources = join(remote.folder.lookups, '.sync', 'sources');
  return readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes('partial'),
  );
}
