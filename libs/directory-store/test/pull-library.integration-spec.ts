import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredNode } from '@svc/library-sync';
import { pullLibrary, PullRefusedError } from '../src/index.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-pull-'));
});

afterEach(async () => rm(folder, { recursive: true }));

const node = (path: string, text: string, kind: StoredNode['kind']): StoredNode => ({
  area: 'library',
  path,
  kind,
  data: Buffer.from(text),
  version: 0,
  hidesOthers: false,
});
const LIBRARY = [node('a', '', 'folder'), node('a/b.yaml', 'x: 1', 'file'), node('c', '', 'empty')];
const refusal = async (nodes: readonly StoredNode[], overwrite = true, target = folder) =>
  pullLibrary(nodes, target, { overwrite }).then(
    () => 'none',
    (error: Error) => (error instanceof PullRefusedError ? error.message : String(error.stack)),
  );

test('a new or empty folder receives the library; an empty node is a file or folder by its name', async () => {
  const target = join(folder, 'new');
  const nodes = [...LIBRARY, node('d.yaml', '', 'empty')];
  await expect(pullLibrary(nodes, target, { overwrite: false })).resolves.toEqual({
    files: 2,
    folders: 2,
    bytes: 4,
    unreadable: [],
    without_data: [],
  });
  expect((await readdir(target, { recursive: true })).sort()).toEqual(['a', 'a/b.yaml', 'c', 'd.yaml']);
  expect(await readFile(join(target, 'a/b.yaml'), 'utf8')).toBe('x: 1');
});

test('an empty node that a load wrote is what it was in the source, whatever its name', async () => {
  const nodes = [node('README', '', 'empty'), node('conf.d', '', 'empty'), node('c', '', 'empty')];
  const options = { overwrite: true, folders: new Set(['conf.d']), files: new Set(['README']) };
  await expect(pullLibrary(nodes, folder, options)).resolves.toMatchObject({ files: 1, folders: 2 });
  expect(await readFile(join(folder, 'README'), 'utf8')).toBe('');
});

test('unreadable nodes are left out and named, as is others’ data on a folder’s node', async () => {
  const nodes = [...LIBRARY, node('a/theirs', '', 'unreadable'), node('f', 'note', 'both')];
  const options = { overwrite: true, folders: new Set(['a', 'f']) };
  await expect(pullLibrary(nodes, folder, options)).resolves.toEqual({
    files: 1,
    folders: 3,
    bytes: 4,
    unreadable: ['a/theirs'],
    without_data: ['f'],
  });
  expect((await readdir(folder, { recursive: true })).sort()).toEqual(['a', 'a/b.yaml', 'c', 'f']);
});

test('a link in the place of a file is left out and named', async () => {
  const nodes = [...LIBRARY, { ...node('link.yaml', '', 'file'), hasContent: false }];
  await expect(pullLibrary(nodes, folder, { overwrite: true })).resolves.toMatchObject({
    files: 1,
    unreadable: ['link.yaml'],
  });
  expect(await readdir(folder)).not.toContain('link.yaml');
});

test('all obstacles are reported at once, and nothing is written', async () => {
  await symlink('/nowhere', join(folder, 'link.yaml'));
  await writeFile(join(folder, 'a'), 'mine');
  await mkdir(join(folder, 'd.yaml'));
  const before = (await readdir(folder)).sort();
  const nodes = [
    ...LIBRARY,
    node('link.yaml', 'x', 'file'),
    node('d.yaml', 'x', 'file'),
    node('both', 'x', 'both'),
    node('../out.yaml', 'x', 'file'),
    node('a/./b', 'x', 'file'),
  ];
  expect((await refusal(nodes)).split('\n')).toEqual([
    'both: has data and children: it cannot be both a file and a folder',
    '../out.yaml: would lead out of the folder',
    'a/./b: would lead out of the folder',
    `a: is a file in ${folder}, but a folder in the library; remove it first`,
    `link.yaml: is a link in ${folder}; svccmd does not write through links`,
    `d.yaml: is not a file in ${folder}, but one in the library; remove it first`,
  ]);
  expect((await readdir(folder)).sort()).toEqual(before);
  expect(await readFile(join(folder, 'a'), 'utf8')).toBe('mine');
});

test('a non-empty folder is rejected unless confirmed, a file in its place always', async () => {
  const file = join(folder, 'other.txt');
  await writeFile(file, 'mine');
  expect(await refusal(LIBRARY, false)).toBe(
    `${folder} is not empty; choose another folder, or pass --force to overwrite what is there`,
  );
  for (const overwrite of [false, true]) {
    expect(await refusal(LIBRARY, overwrite, file)).toBe(`cannot use ${file} (ENOTDIR)`);
  }
  expect(await readdir(folder)).toEqual(['other.txt']);
  expect(await refusal(LIBRARY)).toBe('none');
  expect(await readFile(file, 'utf8')).toBe('mine');
});
