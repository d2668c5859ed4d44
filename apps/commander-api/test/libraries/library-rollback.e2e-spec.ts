import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, writeFiles } from './support/library-folder.js';
import { svccmd, type Outcome } from './support/svccmd.js';

let folder: string;
let state: string;
let stored: string;

beforeEach(async () => {
  [folder, state, stored] = await Promise.all([makeFolder(), makeFolder(), makeFolder()]);
});

afterEach(async () => {
  for (const one of [folder, state, stored]) await rm(one, { recursive: true });
});

const library = async (...words: string[]): Promise<Outcome> =>
  svccmd(['library', ...words], {
    SVCCMD_SOURCE_PATH: folder,
    SVCCMD_SOURCE_STATE_PATH: state,
    SVCCMD_DESTINATION_URLS: `file://${stored}`,
    SVCCMD_DESTINATION_PATH: '/library',
  });
const content = async () => readFile(join(stored, 'library', 'a.csv'), 'utf8');

async function load(text: string): Promise<void> {
  await writeFiles(folder, { 'a.csv': text });
  expect(await library('load')).toMatchObject({ code: 0 });
}

test('the oldest of ten loads can be put back, one before it no more', async () => {
  for (let count = 1; count <= 11; count += 1) await load(`${count}`);
  expect(await library('rollback', '--to', '2')).toMatchObject({ code: 0 });
  expect(await content()).toBe('2');
  expect(await library('rollback', '--to', '2')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'svccmd: there is no such load to go back to; known are: 12, 11, 10, 9, 8, 7, 6, 5, 4, 3 (see svccmd library history)\n',
  });
  expect(await content()).toBe('2');
});

test('a load whose copy is gone, or a part of it, cannot be put back, and nothing is changed', async () => {
  for (const text of ['1', '2', '3']) await load(text);
  const missing = (number: number) => ({
    code: 1,
    stdout: '',
    stderr: `svccmd: no copy of load ${number} is kept in ${state} (ENOENT)\n`,
  });
  const [destination] = await readdir(join(state, 'loads'));
  await rm(join(state, 'loads', destination!, '1.json'));
  expect(await library('rollback', '--to', '1')).toEqual(missing(1));
  await rm(join(state, 'contents'), { recursive: true });
  expect(await library('rollback')).toEqual(missing(2));
  expect(await content()).toBe('3');
});
