import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runSvccmd } from '../shell/run-svccmd.js';
import { runAround } from './file-changes.js';
import { EPOCH } from './lookup-folder.js';
import { startLookupServer } from './lookup-server.js';
import { ALLOWED, useRemoteFolder } from './remote-folder.js';
import { sendFile } from './source-server.js';

const rows = (city: string) => `network,city\n10.0.0.0/8,${city}\n`;

const remote = useRemoteFolder();

const city = () => remote.folder.find('city');
const optionsAt = (seconds: number) => ({
  cwd: remote.folder.path,
  env: { SOURCE_DATE_EPOCH: String(Number(EPOCH) + seconds) },
});
/** In a process of its own. */
const sync = async (seconds = 0) => runSvccmd(['iplookup', 'sync'], optionsAt(seconds));

/** The lookup is verified, and the one before it is its version. */
async function expectReplaced(former: string, next: string): Promise<void> {
  expect(city()).toBe(next);
  expect((await remote.folder.run('verify', join(remote.folder.lookups, 'geo.mmdb'))).code).toBe(0);
  expect((await remote.folder.run('explain', 'geo', '10.0.0.1')).stdout).toContain(`city: ${next}`);
  expect((await remote.folder.run('rollback', 'geo')).code).toBe(0);
  expect(city()).toBe(former);
  expect((await remote.folder.run('rollback', 'geo')).code).toBe(0);
}

test.each([
  ['before open .geo.mmdb.partial', -100],
  ['before link 1', 100],
])(
  'a sync that pauses %s leaves a lookup alone that another run has built meanwhile',
  async (moment, seconds) => {
    const write = (name: string, month: number) => {
      const modified = new Date(Date.UTC(2026, month));
      utimesSync(remote.folder.write('base.csv', rows(name)), modified, modified);
    };
    remote.folder.declare('lookups: {geo: {layers: [{source: base.csv, input_ip_format: cidr}]}}');
    write('Prague', 1);
    // Older than what either of the two builds, whichever is first.
    await sync(-200);
    write('Brno', 2);
    let other: ReturnType<typeof sync> | undefined;
    const code = await runAround(['iplookup', 'sync'], optionsAt(seconds), moment, async () => {
      other = sync();
      // It may have to wait until the first one goes on.
      await Promise.race([other, sleep(4000)]);
    });
    expect([code, (await other)?.code]).toEqual([0, 0]);
    await expectReplaced('Prague', 'Brno');
  },
);

test('two syncs that fetch the same file at once both succeed', async () => {
  remote.server.answers = { '/base.csv': sendFile(rows('Prague')) };
  await sync();
  const send = sendFile(rows('Brno'));
  const waiting: (() => void)[] = [];
  remote.server.answers['/base.csv'] = (request, response) => {
    waiting.push(() => send(request, response));
    if (waiting.length === 2) for (const answer of waiting) answer();
  };
  const ended = await Promise.all([sync(), sync()]);
  expect(ended.map(({ code, stderr }) => [code, stderr.includes('fetched')])).toEqual([
    [0, true],
    [0, true],
  ]);
  await expectReplaced('Prague', 'Brno');
});

test('a sync beside the server’s schedule: both succeed, and each change makes one version', async () => {
  remote.server.answers = { '/base.csv': sendFile(rows('city 0')) };
  remote.folder.configure(
    `${ALLOWED}interval = 100 ms\nkeep_versions = 5\n[http]\nport = 0\naddress = 127.0.0.1\n`,
  );
  await sync();
  const server = await startLookupServer(remote.folder);
  try {
    for (const round of [1, 2, 3]) {
      remote.server.answers['/base.csv'] = sendFile(rows(`city ${round}`));
      expect((await sync()).code).toBe(0);
      expect(city()).toBe(`city ${round}`);
    }
    expect(server.output()).not.toContain('sync failed');
  } finally {
    expect(await server.stop()).toBe(0);
  }
  const { stdout } = await remote.folder.run('versions', 'geo', '--json');
  expect((JSON.parse(stdout) as { versions: object[] }).versions).toHaveLength(3);
  await expectReplaced('city 2', 'city 3');
});
