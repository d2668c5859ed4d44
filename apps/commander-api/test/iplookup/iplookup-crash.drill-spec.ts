import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mayMount, mountSmallDisk, recordFigure, type SmallDisk } from '@svc/test-servers';
import { startServer } from '../http/running-server.js';
import { startSvccmd, SVCCMD } from '../shell/run-svccmd.js';
import { EPOCH, type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';

afterAll(removeLookupFolders);

/** The moments at which processes are killed follow from this number: DRILL_SEED repeats a run. */
const SEED = Number(process.env['DRILL_SEED'] ?? Date.now() % 1_000_000);
const POINTS = Number(process.env['DRILL_POINTS'] ?? 10);

const FORMER = 'the former lookup';
const BUILD = ['from-csv', 'many.csv', '-i', 'ipv4-int', '--include-ip-range'];
const REQUEST = { file_name: 'many.csv', input_ip_format: 'ipv4-int', include_ip_range: true };
const FULL = 'many.mmdb cannot be written: the disk is full; free some space and try again';

const row = (_: unknown, index: number) => `${index * 9},${index * 9 + 3},value ${index}\n`;
const CSV = `ip_from,ip_to,v\n${Array.from({ length: 100_000 }, row).join('')}`;

let folder: LookupFolder;
let complete: Buffer;
const lookup = () => readFileSync(join(folder.lookups, 'many.mmdb'));
const random = numbersFrom(SEED);

beforeAll(async () => {
  process.stderr.write(`DRILL_SEED=${SEED}\n`);
  folder = makeLookupFolder();
  folder.write('many.csv', CSV);
  expect((await folder.run(...BUILD)).code).toBe(0);
  complete = lookup();
}, 600_000);

/** Calls `strike` some random time after the new file has begun to be written; every other time at once. */
async function strikeWhileWriting(point: number, ended: Promise<unknown>, strike: () => void): Promise<void> {
  const delay = point % 2 === 0 ? 0 : Math.floor(random() * 120);
  const watcher = watch(folder.lookups, (_event, name) => {
    if (name?.endsWith('.partial')) void sleep(delay).then(strike);
  });
  await ended;
  watcher.close();
}

/** The lookup is the former one or, where the strike came too late, the whole new one. @returns true for the former */
function expectWhole(point: number): boolean {
  const former = lookup().equals(Buffer.from(FORMER));
  expect({ seed: SEED, point, whole: former || lookup().equals(complete) }).toMatchObject({ whole: true });
  return former;
}

test('kill -9 while a lookup is written: the previous one is kept, and the next run cleans up', async () => {
  let left = 0;
  for (let point = 0; point < POINTS; point++) {
    writeFileSync(join(folder.lookups, 'many.mmdb'), FORMER);
    const child = startSvccmd(['iplookup', ...BUILD], {
      cwd: folder.path,
      env: { SOURCE_DATE_EPOCH: EPOCH },
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    await strikeWhileWriting(point, ended, () => child.kill('SIGKILL'));
    if (expectWhole(point)) left++;
  }
  recordFigure('lookup: kill -9 while it is written', `${POINTS} times`);
  recordFigure('the former lookup stood, the new one was whole already', `${left}, ${POINTS - left}`);
  // A drill in which nothing was hit would prove nothing.
  expect({ seed: SEED, left: left > 0 }).toEqual({ seed: SEED, left: true });
  expect((await folder.run(...BUILD)).code).toBe(0);
  expect(readdirSync(folder.lookups).sort()).toEqual(['.history', 'many.mmdb']);
  expect(lookup().equals(complete)).toBe(true);
}, 900_000);

test('kill -9 of the server while a lookup is written: the same', async () => {
  const points = Math.ceil(POINTS / 4);
  const post = (url: string) => {
    const token = readFileSync(join(folder.path, 'svccmd.token'), 'utf8').trim();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return fetch(`${url}/iplookup/from-csv`, { method: 'POST', headers, body: JSON.stringify(REQUEST) });
  };
  for (let point = 0; point < points; point++) {
    writeFileSync(join(folder.lookups, 'many.mmdb'), FORMER);
    const server = await startServer(folder.path, { SOURCE_DATE_EPOCH: EPOCH });
    const answered = post(server.url).then(
      (response) => response.status,
      () => undefined,
    );
    await strikeWhileWriting(point, answered, () => void server.stop('SIGKILL'));
    await server.stop('SIGKILL').catch(() => undefined);
    expectWhole(point);
  }
  const server = await startServer(folder.path, { SOURCE_DATE_EPOCH: EPOCH });
  expect((await post(server.url)).status).toBe(200);
  expect(await server.stop()).toBe(0);
  recordFigure('the same of the server: kill -9, lookups that were not whole', `${points} times, 0`);
  expect(readdirSync(folder.lookups).sort()).toEqual(['.history', 'many.mmdb']);
  expect(lookup().equals(complete)).toBe(true);
}, 900_000);

test('kill -9 while a lookup is rolled back: one version is in place, and the other one is not lost', async () => {
  writeFileSync(join(folder.lookups, 'many.mmdb'), FORMER);
  expect((await folder.run(...BUILD)).code).toBe(0);
  for (let point = 0; point < POINTS; point++) {
    const child = startSvccmd(['iplookup', 'rollback', 'many'], { cwd: folder.path });
    const ended = new Promise((resolve) => child.once('close', resolve));
    await strikeWhileWriting(point, ended, () => child.kill('SIGKILL'));
    const isFormer = expectWhole(point);
    const { stdout } = await folder.run('versions', 'many', '--json');
    const [version, ...others] = (JSON.parse(stdout) as { versions: { bytes: number }[] }).versions;
    const other = isFormer ? complete.length : FORMER.length;
    expect({ seed: SEED, point, bytes: version?.bytes, others }).toEqual({
      seed: SEED,
      point,
      bytes: other,
      others: [],
    });
  }
  recordFigure('lookup: kill -9 while it is rolled back, versions lost', `${POINTS} times, 0`);
  expect((await folder.run(...BUILD)).code).toBe(0);
  expect(readdirSync(folder.lookups).sort()).toEqual(['.history', 'many.mmdb']);
  expect(lookup().equals(complete)).toBe(true);
}, 900_000);

test('kill -9 while guards compare: the previous lookup is kept', async () => {
  for (let point = 0; point < Math.ceil(POINTS / 2); point++) {
    writeFileSync(join(folder.lookups, 'many.mmdb'), FORMER);
    const child = startSvccmd(['iplookup', ...BUILD, '--guards', '--max-share', '1%', '--force'], {
      cwd: folder.path,
      env: { SOURCE_DATE_EPOCH: EPOCH },
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    await strikeWhileWriting(point, ended, () => void sleep(200).then(() => child.kill('SIGKILL')));
    expectWhole(point);
  }
  expect((await folder.run(...BUILD)).code).toBe(0);
  expect(readdirSync(folder.lookups).sort()).toEqual(['.history', 'many.mmdb']);
}, 900_000);

test('a file size limit is reported, and the previous lookup is kept', () => {
  writeFileSync(join(folder.lookups, 'many.mmdb'), FORMER);
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', 'ulimit -f 300; exec "$@"', 'sh', process.execPath, SVCCMD, 'iplookup', ...BUILD],
    { cwd: folder.path, env: { PATH: process.env['PATH'], SOURCE_DATE_EPOCH: EPOCH }, encoding: 'utf8' },
  );
  const reason = 'the file would exceed the size limit of this process (see ulimit -f) or of the file system';
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toBe(`svccmd: ${join(folder.lookups, 'many.mmdb')} cannot be written: ${reason}\n`);
  expect(readdirSync(folder.lookups).sort()).toEqual(['.history', 'many.mmdb']);
  expect(lookup().toString()).toBe(FORMER);
});

describe('a sync of a declared lookup', () => {
  const DECLARED = `lookups:
  many:
    layers:
      - {source: many.csv, input_ip_format: ipv4-int}
      - {source: deny.csv, input_ip_format: cidr, set: [denied=yes]}
`;
  const CHANGED = CSV.replaceAll('value', 'other');
  let synced: LookupFolder;
  /** By the content of the source. */
  const whole = new Map<string, Buffer>();
  const current = () => readFileSync(join(synced.lookups, 'many.mmdb'));

  beforeAll(async () => {
    synced = makeLookupFolder();
    writeFileSync(
      join(synced.path, 'svccmd.conf'),
      '[iplookup]\nsource_path = in\ndestination_path = out\ndeclarations = lookups.yaml\nmanifests = yes\n',
    );
    writeFileSync(join(synced.path, 'lookups.yaml'), DECLARED);
    synced.write('deny.csv', 'network,reason\n0.0.1.0/24,scans\n');
    for (const content of [CHANGED, CSV]) {
      synced.write('many.csv', content);
      expect((await synced.run('sync')).code).toBe(0);
      whole.set(content, current());
    }
  }, 600_000);

  test('kill -9 at any moment: the former lookup is in place or the new one, and the next run completes', async () => {
    let former = 0;
    for (let point = 0; point < POINTS; point++) {
      const [next, before] = point % 2 === 0 ? [CHANGED, CSV] : [CSV, CHANGED];
      synced.write('many.csv', next);
      // Layers are built anew, so that a kill can hit the reading of the source, too.
      rmSync(join(synced.lookups, '.sync', 'layers'), { recursive: true, force: true });
      const child = startSvccmd(['iplookup', 'sync'], {
        cwd: synced.path,
        env: { SOURCE_DATE_EPOCH: EPOCH },
      });
      const ended = new Promise((resolve) => child.once('close', resolve));
      await sleep(200 + Math.floor(random() * 1500));
      child.kill('SIGKILL');
      await ended;
      if (current().equals(whole.get(before)!)) former++;
      else
        expect({ seed: SEED, point, isNew: current().equals(whole.get(next)!) }).toMatchObject({
          isNew: true,
        });
      expect((await synced.run('sync')).code).toBe(0);
      expect(current().equals(whole.get(next)!)).toBe(true);
    }
    recordFigure('sync: kill -9, the former lookup stood', `${former} of ${POINTS} times`);
    expect(readdirSync(synced.lookups).sort()).toEqual(['.history', '.sync', 'many.mmdb']);
  }, 900_000);

  test('a file size limit is reported, and the previous lookup is kept', () => {
    const before = current();
    synced.write('many.csv', before.equals(whole.get(CSV)!) ? CHANGED : CSV);
    rmSync(join(synced.lookups, '.sync', 'layers'), { recursive: true, force: true });
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', 'ulimit -f 300; exec "$@"', 'sh', process.execPath, SVCCMD, 'iplookup', 'sync'],
      { cwd: synced.path, env: { PATH: process.env['PATH'], SOURCE_DATE_EPOCH: EPOCH }, encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([1, expect.stringContaining('the file would exceed the size limit')]);
    expect(current().equals(before)).toBe(true);
  });
});

(mayMount() ? describe : describe.skip)('a full disk (skipped where no file system may be mounted)', () => {
  let small: LookupFolder;
  let disk: SmallDisk;

  beforeAll(() => {
    small = makeLookupFolder();
    small.write('many.csv', CSV);
    disk = mountSmallDisk(small.lookups, 1);
    for (const name of ['many.mmdb', 'many.mmdb.gz']) writeFileSync(join(small.lookups, name), FORMER);
  });

  afterAll(() => {
    disk.unmount();
  });

  function expectUntouched(): void {
    expect(readdirSync(small.lookups).sort()).toEqual(['many.mmdb', 'many.mmdb.gz']);
    for (const name of ['many.mmdb', 'many.mmdb.gz'])
      expect(readFileSync(join(small.lookups, name), 'utf8')).toBe(FORMER);
  }

  test.each([
    [[], FULL],
    [['--gzip'], FULL.replace('many.mmdb', 'many.mmdb.gz')],
  ])('svccmd %p says so, and leaves the former lookup alone', async (options, message) => {
    const { code, stdout, stderr } = await small.run(...BUILD, ...options);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`svccmd: ${join(small.lookups, message)}\n`);
    expectUntouched();
  });

  test('the server says so', async () => {
    const server = await startServer(small.path, { SOURCE_DATE_EPOCH: EPOCH });
    const token = readFileSync(join(small.path, 'svccmd.token'), 'utf8').trim();
    const answer = await fetch(`${server.url}/iplookup/from-csv`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(REQUEST),
    });
    expect(answer.status).toBe(507);
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining(FULL) });
    expect(await server.stop()).toBe(0);
    expectUntouched();
    recordFigure(
      'lookup on a full disk: command, command with --gzip, server',
      'refused; the former lookup stands',
    );
  });
});

/** Numbers from 0 to 1 that follow from a seed (a linear congruential generator). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807 + 11) % 2_147_483_647) / 2_147_483_647;
}
