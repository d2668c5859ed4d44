import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildLookup } from './build-lookup.js';
import { removePartial, writeFileAtomically } from './write-file-atomically.js';

const folder = mkdtempSync(join(tmpdir(), 'iplookup-build-'));
afterAll(() => rmSync(folder, { recursive: true }));
const input = join(folder, 'input.csv');
writeFileSync(input, 'a,b,v\n1.0.0.0,1.0.0.0,x\n1.0.0.1,1.0.0.1,y\n1.0.0.2,1.0.0.2,z\n');
const request = { kind: 'csv', inputFormat: 'ipv4', buildEpoch: 1, input, folder } as const;

test('an untrusted input is limited in rows', async () => {
  const limits = { maxBytes: 1 << 20, maxRatio: 200 };
  const few = buildLookup({ ...request, inputName: 'rows.csv', limits: { ...limits, maxRows: 2 } });
  await expect(few).rejects.toThrow('rows.csv has more than 2 rows');
  expect(readdirSync(folder)).toEqual(['input.csv']);
  const enough = await buildLookup({ ...request, inputName: 'rows.csv', limits: { ...limits, maxRows: 3 } });
  expect(enough).toMatchObject({ rows: 3, lookup: 'rows' });
});

test('only a terminated writer’s partial file is removed, by its mark', async () => {
  const partials = () => readdirSync(folder).filter((name) => name.endsWith('.partial'));
  const open: string[][] = [];
  async function* content() {
    yield Buffer.from('begun');
    open.push(partials());
    yield Buffer.from('done');
    open.push(partials());
  }
  await writeFileAtomically(join(folder, 'marked.mmdb'), content(), { gzip: false, writer: 'mark' });
  const partial = open.flat()[0]!;
  const other = partial.replace('~mark.', '~other.');
  for (const name of [partial, other]) writeFileSync(join(folder, name), '');
  await removePartial(folder, 'mark');
  expect(partials()).toEqual([other]);
});

/** Whether this process has the file open; on Linux. */
const isOpen = (path: string) =>
  readdirSync('/proc/self/fd').some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      return false;
    }
  });

(existsSync('/proc/self/fd') ? test : test.skip)('a rejected input is closed', async () => {
  const refused = join(folder, 'refused.csv');
  writeFileSync(refused, `a,b,,v\n${'1.0.0.0,1.0.0.0,x\n'.repeat(200_000)}`);
  const { signal } = new AbortController();
  await expect(buildLookup({ ...request, input: refused, signal })).rejects.toThrow('has no name');
  while (isOpen(refused)) await sleep(5);
});

const integers = join(folder, 'integers.csv');
const inThreads = {
  ...request,
  input: integers,
  inputFormat: 'ipv4-int',
  threads: 2,
  threadsFromBytes: 0,
  threadBlockBytes: 1000,
} as const;

const writeIntegers = (): void =>
  writeFileSync(
    integers,
    `a,b,v\n${Array.from({ length: 30_000 }, (_, i) => `${2 * i},${2 * i},n${i % 7}\n`).join('')}`,
  );

test('where a second thread does not start, the first one reads the file alone', async () => {
  writeIntegers();
  // Its program is not among the sources.
  const { seconds, ...alone } = await buildLookup({ ...inThreads, threads: 1, lookupName: 'alone' });
  const built = await buildLookup({ ...inThreads, lookupName: 'other' });
  expect(built).toMatchObject({ ...alone, lookup: 'other', file: join(folder, 'other.mmdb') });
});

test('a build in two threads that is stopped, or has too many rows, leaves nothing behind', async () => {
  writeIntegers();
  const before = readdirSync(folder);
  const stop = new AbortController();
  const onProgress = () => stop.abort();
  const stopped = { ...inThreads, lookupName: 'stopped', signal: stop.signal, onProgress };
  await expect(buildLookup(stopped)).rejects.toThrow('aborted');
  const limits = { maxBytes: 1 << 30, maxRatio: 200, maxRows: 20_000 };
  await expect(buildLookup({ ...inThreads, limits })).rejects.toThrow('has more than 20000 rows');
  expect(readdirSync(folder)).toEqual(before);
});
