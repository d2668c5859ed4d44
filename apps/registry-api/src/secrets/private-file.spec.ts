import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOrMakePrivateFile, writePrivateFile } from './private-file.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'private-'));
});
afterEach(async () => rm(folder, { recursive: true }));

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test('a written file is its owner’s alone, also when a readable one stood there', async () => {
  const path = join(folder, 'token');
  await writeFile(path, 'former', { mode: 0o644 });
  await writePrivateFile(path, 'new');
  expect(await readFile(path, 'utf8')).toBe('new');
  expect(await modeOf(path)).toBe('600');
});

test('folders on the way are made for the owner alone', async () => {
  await writePrivateFile(join(folder, 'data', 'token'), 'new');
  expect(await modeOf(join(folder, 'data'))).toBe('700');
});

test('what is there is read, not made again', async () => {
  const path = join(folder, 'pepper');
  await writeFile(path, 'present');
  expect(await readOrMakePrivateFile(path, () => 'another')).toBe('present');
});

test('of several that make it at once, all read the same, and no draft stays', async () => {
  const path = join(folder, 'pepper');
  const read = await Promise.all(
    Array.from({ length: 10 }, (_, index) => readOrMakePrivateFile(path, () => `made by ${index}`)),
  );
  expect(new Set(read).size).toBe(1);
  expect(await readdir(folder)).toEqual(['pepper']);
  expect(await modeOf(path)).toBe('600');
});
