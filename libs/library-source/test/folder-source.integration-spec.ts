import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesOf, createEntryFilter } from '@svc/library-sync';
import { contentHash, type LoadRecord } from '@svc/library-sync';
import { LoadCopies, openSource } from '../src/index.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-folder-'));
  await mkdir(join(folder, 'b'));
  await writeFile(join(folder, 'b', 'x.yaml'), 'x: 1');
  await writeFile(join(folder, 'a.yaml'), 'a: 1');
});

afterEach(async () => rm(folder, { recursive: true }));

const read = async (address = folder, subfolder?: string) =>
  openSource({ address, subfolder }).read(() => () => true);
const listed = async () => (await read()).entries.map(({ kind, path }) => `${kind} ${path}`);

test('everything is found, in a stable order', async () => {
  expect(await listed()).toEqual(['file a.yaml', 'folder b', 'file b/x.yaml']);
  expect((await read(`file://${folder}`, 'b')).entries).toMatchObject([{ path: 'x.yaml', kind: 'file' }]);
});

test('files are read up to the total limit; the rest is only measured', async () => {
  const read = async (maxBytes: number) =>
    openSource({ address: folder }).read(() => () => true, undefined, maxBytes);
  const file = (path: string, text: string) => ({ kind: 'file', path, data: Buffer.from(text) });
  const [a, b] = [file('a.yaml', 'a: 1'), { kind: 'folder', path: 'b' }];
  expect((await read(8)).entries).toEqual([a, b, file('b/x.yaml', 'x: 1')]);
  const unread = { ...file('b/x.yaml', ''), data: new Uint8Array(), oversize: 4 };
  expect((await read(7)).entries).toEqual([a, b, unread]);
  expect((await read(7)).revision).toBe((await read(8)).revision);
});

test('a pipe is reported as such and not read', async () => {
  execFileSync('mkfifo', [join(folder, 'p')]);
  expect(await listed()).toContain('special p');
});

test('a file over the limit is measured, not read', async () => {
  await writeFile(join(folder, 'large.csv'), Buffer.alloc(1_000_001));
  expect((await read()).entries).toContainEqual({
    kind: 'file',
    path: 'large.csv',
    data: new Uint8Array(),
    oversize: 1_000_001,
  });
});

test('excluded folders are not entered', async () => {
  let checked: string[] = [];
  const { entries } = await openSource({ address: folder }).read(() => {
    checked = [];
    return (path) => {
      checked.push(path);
      return path !== 'b';
    };
  });
  expect(checked).toEqual(['a.yaml', 'b']);
  expect(entries).toHaveLength(1);
});

test('the revision changes if and only if a file does', async () => {
  const source = openSource({ address: folder });
  const before = await source.revision();
  expect(await source.revision()).toBe(before);
  await writeFile(join(folder, 'b', 'x.yaml'), 'x: 22');
  expect(await source.revision()).not.toBe(before);
});

test('excluded files do not change the revision; names with a dot do, except those of git', async () => {
  await writeFile(join(folder, '.libraryignore'), '/logs/\n');
  const source = openSource({ address: folder, exclude: ['*.bak'] });
  const read = async () => (await source.read((text) => createEntryFilter(text, ['*.bak'], []))).revision;
  const before = await source.revision();
  expect(await read()).toBe(before);
  await mkdir(join(folder, 'logs'));
  await mkdir(join(folder, '.git'));
  for (const path of ['logs/a.log', 'b/x.bak', '.git/HEAD']) await writeFile(join(folder, path), path);
  expect(await source.revision()).toBe(before);
  await writeFile(join(folder, 'b', '.x.yaml.partial'), 'x');
  const partial = await source.revision();
  expect(partial).not.toBe(before);
  await writeFile(join(folder, '.libraryignore'), '/logs/\n*.tmp\n');
  expect(await source.revision()).not.toBe(partial);
  expect(await read()).toBe(await source.revision());
});

test.each<[string, Buffer]>([
  ['UTF-16', Buffer.from('\ufeff/b/\n', 'utf16le')],
  ['UTF-16 without a byte order mark', Buffer.from('/b/\n', 'utf16le')],
  ['Latin-1', Buffer.from('/b/ # größer\n', 'latin1')],
])('a .libraryignore in %s is refused, instead of ignored', async (_encoding, data) => {
  await writeFile(join(folder, '.libraryignore'), data);
  await expect(read()).rejects.toMatchObject({
    name: 'SourceUnreachableError',
    message: `cannot read ${folder}/.libraryignore: it is not UTF-8; save it as UTF-8`,
  });
});

const linkTo = (target: string) => async (file: string) => symlink(target, file);

test.each<[string, string, (file: string) => Promise<unknown>]>([
  ['a broken link', 'it is a broken link; correct or remove it', linkTo('missing')],
  ['a circular link', 'it is a circular link; correct or remove it', linkTo('.libraryignore')],
  [
    'a link that leads out',
    'it leads out of the source; replace it with the file itself',
    linkTo('/etc/hosts'),
  ],
  [
    'a link to a hidden file',
    'it leads to a name that starts with a dot; replace it with the file itself',
    linkTo('.hidden'),
  ],
  ['a folder', 'it is not a file; replace it with one, or remove it', mkdir],
  [
    'a pipe',
    'it is not a file; replace it with one, or remove it',
    async (file) => execFileSync('mkfifo', [file]),
  ],
])('a .libraryignore that is %s is refused, instead of ignored', async (_kind, reason, create) => {
  const file = join(folder, '.libraryignore');
  await writeFile(join(folder, '.hidden'), '*\n');
  await create(file);
  const refusal = { name: 'SourceUnreachableError', message: `cannot read ${file}: ${reason}` };
  await expect(read()).rejects.toMatchObject(refusal);
  await expect(openSource({ address: folder }).revision()).rejects.toMatchObject(refusal);
});

test('a .libraryignore may begin with a byte order mark', async () => {
  await writeFile(join(folder, '.libraryignore'), '\ufeff/b/\n');
  const { entries } = await openSource({ address: folder }).read((text) => createEntryFilter(text, [], []));
  expect(entries.map(({ path }) => path)).toEqual(['a.yaml']);
});

test('a missing folder, or a file in its place, is reported by name', async () => {
  await expect(read('/nowhere')).rejects.toThrow(/\/nowhere \(ENOENT\)/);
  await expect(read(join(folder, 'a.yaml'))).rejects.toThrow(/is not a folder/);
});

const contentOf = (text: string) => ({ data: Buffer.from(text), hash: contentHash(Buffer.from(text)) });
const recordOf = (load: number, files = 1): LoadRecord => ({
  ...{ load, source: 'x#main', source_kind: 'git', origin: 'x', revision: `commit-${load}` },
  ...{ by: 'root', started_at: '', files, bytes: 3, parts: 1 },
});

/** What the destination's records say of a load of these files, without folders. */
const pathsOf = (texts: Readonly<Record<string, string>>) =>
  new Map(Object.entries(texts).map(([path, text]) => [path, contentOf(text).hash]));

test('copies restore loads; contents are stored once, and only the last ten copies are kept', async () => {
  const state = join(folder, 'state');
  const copies = new LoadCopies(state, 'destination');
  for (let load = 1; load <= 12; load += 1) {
    const files = new Map([
      ['f.txt', contentOf(`${load}`)],
      ['same.txt', contentOf('s')],
    ]);
    await copies.keep(load, { folders: new Set(['e']), files });
  }
  const paths = pathsOf({ 'f.txt': '12', 'same.txt': 's', 'left-alone.txt': 'x' }).set('e/', '');
  const { entries } = await copies.source(recordOf(12, 2), paths).read(() => () => true);
  expect(entries).toEqual([
    { kind: 'folder', path: 'e' },
    { kind: 'file', path: 'f.txt', data: Buffer.from('12') },
    { kind: 'file', path: 'same.txt', data: Buffer.from('s') },
  ]);
  await expect(copies.source(recordOf(2, 2), paths).read(() => () => true)).rejects.toThrow(
    /no copy of load 2/,
  );
  expect(await readdir(join(state, 'contents'))).toHaveLength(11);
});

test('after a destination is emptied, its loads restart at 1, and outdated copies are not used for them', async () => {
  const copies = new LoadCopies(join(folder, 'state'), 'destination');
  const keep = async (load: number, text: string) =>
    copies.keep(load, { folders: new Set(), files: new Map([['a.txt', contentOf(text)]]) });
  const textOf = async (load: number) => {
    const paths = pathsOf({ 'a.txt': `${load}` });
    const { entries } = await copies.source(recordOf(load), paths).read(() => () => true);
    return entries.map((entry) => entry.kind === 'file' && Buffer.from(bytesOf(entry.data)).toString());
  };
  for (let load = 1; load <= 12; load += 1) await keep(load, `former ${load}`);
  for (let load = 1; load <= 4; load += 1) await keep(load, `${load}`);
  for (let load = 1; load <= 4; load += 1) expect(await textOf(load)).toEqual([`${load}`]);
  await expect(textOf(12)).rejects.toThrow(/no copy of load 12/);
});

test('a copy keeps its origin, kind and, for git, revision', async () => {
  const copies = new LoadCopies(join(folder, 'state'), 'destination');
  const ofGit = copies.source(recordOf(3), new Map());
  expect(ofGit).toMatchObject({ kind: 'git', origin: 'x', name: 'x (copy of load 3)' });
  expect(await ofGit.revision()).toBe('commit-3');
  const ofFolder = copies.source({ ...recordOf(3), source_kind: 'folder' }, new Map());
  expect(ofFolder.kind).toBe('folder');
  expect(await ofFolder.revision()).toBe('load-3');
});

test('a copy with modified content is rejected', async () => {
  const state = join(folder, 'state');
  const copies = new LoadCopies(state, 'destination');
  const content = contentOf('x: 1\n');
  await copies.keep(1, { folders: new Set(), files: new Map([['a.yaml', content]]) });
  await writeFile(join(state, 'contents', content.hash), 'x: 2\n');
  await expect(
    copies.source(recordOf(1), pathsOf({ 'a.yaml': 'x: 1\n' })).read(() => () => true),
  ).rejects.toThrow(`no copy of load 1 is kept in ${state} (it is damaged)`);
});

test.each([
  ['with other content', { 'a.yaml': 'x: 2' }],
  ['with more files', { 'a.yaml': 'x: 1', 'b.yaml': '' }],
  ['with fewer files', {}],
])('a copy of a load %s is rejected', async (_case, texts: Record<string, string>) => {
  const state = join(folder, 'state');
  const copies = new LoadCopies(state, 'destination');
  const files = new Map([['a.yaml', contentOf('x: 1')]]);
  await copies.keep(1, { folders: new Set(), files });
  const record = recordOf(1, Object.keys(texts).length);
  await expect(copies.source(record, pathsOf(texts)).read(() => () => true)).rejects.toThrow(
    `no copy of load 1 is kept in ${state} (it is damaged)`,
  );
});

test('a subfolder is relative to the source, even with a leading slash, and cannot lead out of it', async () => {
  for (const subfolder of ['b', '/b', './b/']) {
    expect((await read(folder, subfolder)).entries).toMatchObject([{ path: 'x.yaml' }]);
  }
  expect(() => openSource({ address: folder, subfolder: '../b' })).toThrow(
    new RangeError('the subfolder leads out of the source; remove the ".."'),
  );
});

test('a folder has no ref', () => {
  for (const address of [folder, `file://${folder}`]) {
    expect(() => openSource({ address, ref: 'main' })).toThrow(
      new RangeError('a folder has no branch, tag or commit; leave the ref out'),
    );
  }
});

test('a name that is not UTF-8 is reported without hiding other entries, unless excluded', async () => {
  const bad = (name: string) => Buffer.from(`${folder}/${name}`, 'latin1');
  await writeFile(bad('caf\xe9.yaml'), 'x: 1');
  await mkdir(bad('b\xff'));
  expect(await listed()).toEqual([
    'file a.yaml',
    'folder b',
    'name-encoding b\ufffd',
    'name-encoding caf\ufffd.yaml',
    'file b/x.yaml',
  ]);
  const { entries } = await openSource({ address: folder }).read(() => (path) => !path.includes('\ufffd'));
  expect(entries.map(({ path }) => path)).toEqual(['a.yaml', 'b', 'b/x.yaml']);
  await rm(bad('b\xff'), { recursive: true });
});
