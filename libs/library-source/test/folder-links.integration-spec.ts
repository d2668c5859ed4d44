import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bytesOf, checkLibrary, createEntryFilter, type SourceEntry } from '@svc/library-sync';
import { openSource } from '../src/index.js';

let folder: string;
let root: string;
const at = (...names: string[]) => join(root, ...names);

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-links-')));
  root = join(folder, 'library');
  write('a.yaml', 'a: 1');
});

afterEach(async () => rm(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

function link(path: string, target: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  symlinkSync(target, at(path));
}

const source = (subfolder?: string) => openSource({ address: root, subfolder });
const read = async (subfolder?: string) => source(subfolder).read((text) => createEntryFilter(text, [], []));

function describeEntry(entry: SourceEntry): string {
  if (entry.kind === 'file') return `${entry.path}: ${Buffer.from(bytesOf(entry.data)).toString()}`;
  return entry.kind === 'link' ? `${entry.path} ${entry.refusal}` : `${entry.path}/`;
}
const listed = async (subfolder?: string) => (await read(subfolder)).entries.map(describeEntry);

/** A ConfigMap as written by the kubelet: everything behind one link, which is swapped atomically. */
function writeVolume(time: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    write(`..${time}/${path}`, text);
    const [name = ''] = path.split('/');
    rmSync(at(name), { force: true });
    link(name, `..data/${name}`);
  }
  link('..data_tmp', `..${time}`);
  renameSync(at('..data_tmp'), at('..data'));
}

test('a ConfigMap is read like plain files, and an update changes its content and revision', async () => {
  rmSync(at('a.yaml'));
  writeVolume('2026_11_22_1', {
    'a.yaml': 'a: 1',
    'Parsers/b.yaml': 'b: 1',
    '.libraryignore': 'c.yaml\n',
    'c.yaml': 'c',
  });
  expect(await listed()).toEqual(['Parsers/', 'a.yaml: a: 1', 'Parsers/b.yaml: b: 1']);
  const before = await source().revision();
  expect(await source().revision()).toBe(before);
  expect((await read()).revision).toBe(before);
  writeVolume('2026_11_22_2', { 'a.yaml': 'a: 2', 'Parsers/b.yaml': 'b: 2', '.libraryignore': '' });
  rmSync(at('..2026_11_22_1'), { recursive: true });
  expect(await listed()).toEqual(['Parsers/', 'a.yaml: a: 2', 'c.yaml missing', 'Parsers/b.yaml: b: 2']);
  expect(await source().revision()).not.toBe(before);
});

test('links within the source are followed, whether relative, absolute or nested', async () => {
  write('shared/x.yaml', 'x: 1');
  link('b.yaml', 'shared/x.yaml');
  link('c.yaml', at('b.yaml'));
  link('d', 'shared');
  link('e/f', '../d');
  link('g.yaml', '../library/./e/../a.yaml');
  expect(await listed()).toEqual([
    'a.yaml: a: 1',
    'b.yaml: x: 1',
    'c.yaml: x: 1',
    'd/',
    'e/',
    'g.yaml: a: 1',
    'shared/',
    'd/x.yaml: x: 1',
    'e/f/',
    'e/f/x.yaml: x: 1',
    'shared/x.yaml: x: 1',
  ]);
});

test('the revision covers a file behind a link, even if patterns exclude its own path', async () => {
  write('store/x.yaml', 'x: 1');
  write('.libraryignore', '/store/\n');
  link('b.yaml', 'store/x.yaml');
  expect(await listed()).toEqual(['a.yaml: a: 1', 'b.yaml: x: 1']);
  const before = (await read()).revision;
  write('store/x.yaml', 'x: 22');
  expect(await source().revision()).not.toBe(before);
});

test.each([
  ['out of the source', '/etc/passwd', 'outside'],
  ['to a folder outside', '/etc', 'outside'],
  ['out of it through ..', '../secret', 'outside'],
  ['to a folder whose name starts with that of the root', '../library-other/x.yaml', 'outside'],
  ['out of it through another link', 'way/secret', 'outside'],
  ['to the folder above', '..', 'outside'],
  ['into .git, which may contain a token', '.git/config', 'hidden'],
  ['to a hidden file', '.env', 'hidden'],
  ['nowhere', 'none.yaml', 'missing'],
  ['below a file', 'a.yaml/x', 'missing'],
  ['to itself', 'link.yaml', 'circular'],
  ['to its own folder', '.', 'circular'],
])('a link %s is rejected', async (_case, target, refusal) => {
  for (const path of ['../secret', '../library-other/x.yaml', '.git/config', '.env']) write(path, 'secret');
  link('link.yaml', target);
  symlinkSync('..', at('way'));
  write('.libraryignore', '/way\n');
  expect(await listed()).toEqual(['a.yaml: a: 1', `link.yaml ${refusal}`]);
});

test('an oversized file is oversized behind a link, too', async () => {
  write('large.csv', 'x'.repeat(1_000_001));
  link('link.csv', 'large.csv');
  const { entries } = await read();
  expect(entries).toMatchObject([
    {},
    { path: 'large.csv', oversize: 1_000_001 },
    { path: 'link.csv', oversize: 1_000_001 },
  ]);
});

test('folders that link to each other are not followed in circles', async () => {
  write('x/a.yaml', 'a: 1');
  write('y/b.yaml', 'b: 1');
  link('x/y', '../y');
  link('y/x', '../x');
  expect(await listed()).toEqual([
    'a.yaml: a: 1',
    'x/',
    'y/',
    'x/a.yaml: a: 1',
    'x/y/',
    'x/y/b.yaml: b: 1',
    'x/y/x circular',
    'y/b.yaml: b: 1',
    'y/x/',
    'y/x/a.yaml: a: 1',
    'y/x/y circular',
  ]);
});

test('links that turn thirty folders into a billion are rejected', async () => {
  for (let n = 0; n < 30; n += 1) {
    for (const name of ['l', 'r']) link(`d${n}/${name}`, `../d${n + 1}`);
  }
  write('d30/a.yaml', 'a: 1');
  await expect(read()).rejects.toThrow(
    /revisit the same folders \(more than 20000 entries\); remove some links$/,
  );
});

test('a rejected link is an error that says why', async () => {
  link('link.yaml', '/etc/passwd');
  const { problems } = await checkLibrary((await read()).entries, {
    names: 'library',
    allowEmpty: false,
    maxBytes: 100,
  });
  expect(problems).toEqual([
    {
      severity: 'error',
      path: 'link.yaml',
      code: 'link',
      message: 'is a symbolic link that points outside the source; replace it with the file itself',
    },
  ]);
});

test('a subfolder that links out of the source is rejected; one that stays inside is not', async () => {
  write('../secret/x.yaml', 'x: 1');
  write('releases/1/x.yaml', 'x: 1');
  link('out', '../secret');
  link('current', 'releases/1');
  expect(await listed('current')).toEqual(['x.yaml: x: 1']);
  await expect(read('out')).rejects.toThrow(
    `the subfolder of the source ${at('out')} is a link that leads out of it`,
  );
  await expect(source('out').revision()).rejects.toThrow(/leads out of it/);
});

test('a folder replaced by a link and back during the read: nothing outside is read', async () => {
  write('p/inner/x.yaml', 'inside');
  write('../secret/inner/x.yaml', 'outside');
  link('to.yaml', 'p/inner/x.yaml');
  const found: string[] = [];
  const reading = openSource({ address: root }).read(() => (path) => {
    // The next file, plain or behind a link, would be the one outside.
    if (path === 'p/inner/x.yaml' || path === 'to.yaml') {
      renameSync(at('p'), at('p.away'));
      symlinkSync('../secret', at('p'));
    } else if (path === 'p' || path === 'p/inner') restore();
    return !path.startsWith('p.away');
  });
  const restore = () => {
    rmSync(at('p'), { force: true });
    renameSync(at('p.away'), at('p'));
  };
  await reading.then(
    ({ entries }) => found.push(...entries.map(describeEntry)),
    () => undefined,
  );
  expect(found.join()).not.toContain('outside');
});
