import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ended } from '../shell/run-svccmd.js';
import { makeFolder, writeFiles } from './support/library-folder.js';
import { svccmd } from './support/svccmd.js';

let folder: string;

beforeEach(async () => {
  folder = await makeFolder({ 'library/a.csv': '1', 'library/inner/b.csv': '2' });
  await symlink('library', join(folder, 'link'));
});
afterEach(async () => rm(folder, { recursive: true }));

interface Places {
  readonly source?: string;
  readonly state?: string;
  /** Folder and path. */
  readonly destination?: readonly [folder: string, path: string];
  readonly exclude?: string;
}

const library = async (
  words: readonly string[],
  { source = 'library', state = 'state', destination = ['stored', '/x'], exclude = '' }: Places,
): Promise<Ended> =>
  svccmd(['library', ...words], {
    SVCCMD_SOURCE_PATH: join(folder, source),
    SVCCMD_SOURCE_EXCLUDE: exclude,
    SVCCMD_SOURCE_STATE_PATH: join(folder, state),
    SVCCMD_DESTINATION_URLS: `file://${join(folder, destination[0])}`,
    SVCCMD_DESTINATION_PATH: destination[1],
  });

const files = async () => readdir(folder, { recursive: true });

const STATE = /^svccmd: source\.state_path: \S+ is inside the source \S+, /;
const INSIDE = /^svccmd: destination: \S+ is inside the source \S+, /;
const AROUND = /^svccmd: destination: the source \S+ is inside \S+, /;

test.each<[string, Places, RegExp]>([
  ['copies in the source', { state: 'library/copies' }, STATE],
  ['copies in the source, through a link', { state: 'link/inner/copies' }, STATE],
  ['copies that are the source', { state: 'library' }, STATE],
  ['copies in a source that is a link', { source: 'link', state: 'library/copies' }, STATE],
  ['a destination in the source', { destination: ['library', '/stored'] }, INSIDE],
  ['a destination that is the source', { destination: ['', '/library'] }, INSIDE],
  ['a destination in the source, through a link', { destination: ['link/stored', '/x'] }, INSIDE],
  ['a source in the destination', { source: 'library/inner', destination: ['', '/library'] }, AROUND],
])('%s: nothing is loaded or written', async (_, places, message) => {
  const before = await files();
  const refused = { code: 3, stdout: '', stderr: expect.stringMatching(message) };
  expect(await library(['load', '--prune-all'], places)).toMatchObject(refused);
  expect(await files()).toEqual(before);
});

test.each<[string, Places, RegExp]>([
  ['copies that are the source', { state: 'library' }, STATE],
  ['a destination that is the source', { destination: ['', '/library'] }, INSIDE],
  ['a source in the destination', { source: 'library/inner', destination: ['', '/library'] }, AROUND],
])('%s: nothing is watched', async (_, places, message) => {
  const before = await files();
  const watched = await library(['watch'], places);
  expect(watched.code).toBe(3);
  expect(watched.stderr.split('\n').at(-2)).toMatch(message);
  expect(await files()).toEqual(before);
});

test.each<[string, Places]>([
  ['copies in a folder whose name starts with a dot', { state: 'library/.copies' }],
  ['copies in a folder that is not loaded', { state: 'library/inner/copies', exclude: '/inner/' }],
  ['copies in a folder that has the source', { state: '' }],
  ['a destination in a folder whose name starts with a dot', { destination: ['library/.stored', '/x'] }],
  [
    'a destination with the source in a folder whose name starts with a dot',
    { source: '.hidden/a', destination: ['', '/'] },
  ],
  ['a destination beside the source', { destination: ['', '/library2'] }],
])('%s: loads work', async (_, places) => {
  await mkdir(join(folder, '.hidden/a'), { recursive: true });
  await writeFiles(folder, { '.hidden/a/a.csv': '1' });
  expect(await library(['load'], places)).toMatchObject({ code: 0 });
  expect((await library(['load'], places)).stdout).toContain('unchanged since load 1');
});

test('an excluded folder may be listed in .libraryignore', async () => {
  await writeFiles(folder, { 'library/.libraryignore': 'copies/\n' });
  expect(await library(['load'], { state: 'library/copies' })).toMatchObject({ code: 0 });
});

test('an excluded folder may be listed in a .libraryignore that is a link, as in a volume of Kubernetes', async () => {
  await writeFiles(folder, { 'library/..2026/.libraryignore': 'copies/\n' });
  await symlink('..2026', join(folder, 'library/..data'));
  await symlink('..data/.libraryignore', join(folder, 'library/.libraryignore'));
  expect(await library(['load'], { state: 'library/copies' })).toMatchObject({ code: 0 });
});

test.each([
  ['is not in UTF-8', '\xff', /\.libraryignore: it is not UTF-8/],
  ['is too large', '#'.repeat(2 ** 20), /\.libraryignore: it has more than \d+ bytes/],
])('an error names a .libraryignore that %s', async (_, text, message) => {
  await writeFile(join(folder, 'library/.libraryignore'), text, 'latin1');
  const before = await files();
  const loaded = await library(['load'], { state: 'library/copies' });
  expect(loaded).toMatchObject({ code: 4, stdout: '', stderr: expect.stringMatching(message) });
  expect(await files()).toEqual(before);
});

test('a load can still be rolled back if the source has come to contain the copies', async () => {
  await library(['load'], {});
  await writeFiles(folder, { 'library/a.csv': 'bad' });
  await library(['load'], {});
  await rm(join(folder, 'library'), { recursive: true });
  await symlink('.', join(folder, 'library'));
  expect(await library(['load'], {})).toMatchObject({ code: 3, stderr: expect.stringMatching(STATE) });
  expect(await library(['rollback'], {})).toMatchObject({ code: 0 });
});
