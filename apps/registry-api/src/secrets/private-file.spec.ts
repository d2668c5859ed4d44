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

test('a written file is readable only by its owner, even if it replaces a readable one', async () => {
  const path = join(folder, 'token');
  await writeFile(path, 'former', { mode: 0o644 });
  await writePrivateFile(path, 'new');
  expect(await readFile(path, 'utf8')).toBe('new');
  expect(await modeOf(path)).toBe('600');
});

test('created parent folders are accessible only to the owner', async () => {
  await writePrivateFile(join(folder, 'data', 'token'), 'new');
  expect(await modeOf(join(folder, 'data'))).toBe('700');
});

test('an existing file is read, not created again', async () => {
  const path = join(folder, 'pepper');
  await writeFile(path, 'present');
  expect(await readOrMakePrivateFile(path, () => 'another')).toBe('present');
});

test('concurrent processes all read the same file, and no temporary file remains', async () => {
  const path = join(folder, 'pepper');
  const read = await Promise.all(
    Array.from({ length: 10 }, (_, index) => readOrMakePrivateFile(path, () => `made by ${index}`)),
  );
  expect(new Set(read).size).toBe(1);
  expect(await readdir(folder)).toEqual(['pepper']);
  expect(await modeOf(path)).toBe('600');
});
