import {
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  deleteVersions,
  historyFolder,
  keepVersion,
  listVersions,
  pruneVersions,
  restoreVersion,
} from './lookup-versions.js';
import { writeFileAtomically } from './write-file-atomically.js';

let folder: string;
let target: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lookup-versions-'));
  target = join(folder, 'sites.mmdb');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Replaces the file as a build does. */
async function swap(text: string, keep = 10): Promise<void> {
  const content = async function* () {
    yield Buffer.from(text);
  };
  const beforeSwap = async () => {
    await keepVersion(target);
  };
  await writeFileAtomically(target, content(), { gzip: false, beforeSwap });
  await pruneVersions(target, keep);
}

const current = () => readFileSync(target, 'utf8');
const versions = async () =>
  (await listVersions(target)).map(({ number, path }) => [number, readFileSync(path, 'utf8')]);

test('each replaced file becomes a version, and the last few are kept', async () => {
  for (const text of ['a', 'b', 'c', 'd']) await swap(text, 2);
  expect([current(), await versions()]).toEqual([
    'd',
    [
      [3, 'c'],
      [2, 'b'],
    ],
  ]);
  expect(readdirSync(folder).sort()).toEqual(['.history', 'sites.mmdb']);
  await pruneVersions(target, 0);
  expect(readdirSync(historyFolder(join(folder, 'x')).replace(/x$/, ''))).toEqual([]);
});

test('a rollback restores the newest version, and another one undoes it', async () => {
  for (const text of ['a', 'b', 'c']) await swap(text);
  utimesSync(join(historyFolder(target), '2'), 1, 1);
  expect(await restoreVersion(target)).toMatchObject({ restored: { number: 2 }, replaced: 3 });
  expect([current(), await versions()]).toEqual([
    'b',
    [
      [3, 'c'],
      [1, 'a'],
    ],
  ]);
  // Readers reload a file that has become newer.
  expect(Date.now() - statSync(target).mtimeMs).toBeLessThan(60_000);
  expect(await restoreVersion(target)).toMatchObject({ restored: { number: 3 }, replaced: 4 });
  expect([current(), await versions()]).toEqual([
    'c',
    [
      [4, 'b'],
      [1, 'a'],
    ],
  ]);
  expect(await restoreVersion(target, 1)).toMatchObject({ restored: { number: 1 }, replaced: 5 });
  expect([current(), await versions()]).toEqual([
    'a',
    [
      [5, 'c'],
      [4, 'b'],
    ],
  ]);
  expect(readdirSync(folder).sort()).toEqual(['.history', 'sites.mmdb']);
});

test('without versions, nothing is restored', async () => {
  expect(await restoreVersion(target)).toBeUndefined();
  expect(await keepVersion(target)).toBeUndefined();
  await swap('a');
  expect(await restoreVersion(target)).toBeUndefined();
  await swap('b');
  expect(await restoreVersion(target, 7)).toBeUndefined();
  expect([current(), readdirSync(folder)]).toEqual(['b', ['.history', 'sites.mmdb']]);
});

test('a lost lookup is restored', async () => {
  await swap('a');
  await swap('b');
  rmSync(target);
  expect(await restoreVersion(target)).toMatchObject({ restored: { number: 1 }, replaced: undefined });
  expect([current(), await versions()]).toEqual(['a', []]);
});

test('the current file is not one of its versions, even if a swap was interrupted', async () => {
  await swap('a');
  await swap('b');
  await keepVersion(target);
  await keepVersion(target);
  expect(readdirSync(historyFolder(target)).sort()).toEqual(['1', '2']);
  expect(await versions()).toEqual([[1, 'a']]);
  await swap('c');
  expect(await versions()).toEqual([
    [2, 'b'],
    [1, 'a'],
  ]);
});

test('a rollback interrupted after the swap leaves no version twice', async () => {
  for (const text of ['a', 'b']) await swap(text);
  const kept = join(historyFolder(target), '1');
  await restoreVersion(target);
  // As if the process had died before it deleted the version.
  linkSync(target, kept);
  expect(await versions()).toEqual([[2, 'b']]);
  await swap('c');
  expect(await versions()).toEqual([
    [3, 'a'],
    [2, 'b'],
  ]);
});

test('consecutive interrupted rollbacks leave no version twice', async () => {
  for (const text of ['a', 'b']) await swap(text);
  await restoreVersion(target);
  // As if one process had died before it deleted the version, and the next one before it swapped.
  linkSync(target, join(historyFolder(target), '1'));
  linkSync(target, join(historyFolder(target), '3'));
  expect([current(), await versions()]).toEqual(['a', [[2, 'b']]]);
  await restoreVersion(target);
  expect([current(), await versions()]).toEqual(['b', [[3, 'a']]]);
  await pruneVersions(target, 10);
  expect(readdirSync(historyFolder(target))).toEqual(['3']);
});

test('a link to a file elsewhere is kept as that file', async () => {
  writeFileSync(join(folder, 'elsewhere'), 'a');
  symlinkSync('elsewhere', target);
  await swap('b');
  expect(await versions()).toEqual([[1, 'a']]);
  await restoreVersion(target);
  expect(current()).toBe('a');
});

test('deleting versions leaves nothing behind', async () => {
  await swap('a');
  await swap('b');
  await deleteVersions(target);
  expect(readdirSync(folder)).toEqual(['sites.mmdb']);
});

test('swaps and rollbacks at the same time leave whole files, and nothing else', async () => {
  await swap('first');
  await swap('second');
  const jobs = Array.from({ length: 20 }, (_, index) =>
    index % 2 === 0 ? swap(`build ${index}`, 1000) : restoreVersion(target).catch(() => undefined),
  );
  await Promise.all(jobs);
  expect(current()).toMatch(/^(first|second|build \d+)$/);
  const texts = (await versions()).map(([, text]) => text);
  for (const text of texts) expect(text).toMatch(/^(first|second|build \d+)$/);
  expect(readdirSync(folder).sort()).toEqual(['.history', 'sites.mmdb']);
});
