import { findingText } from './ports/library-finding.js';
import type { LibrarySource, SourceEntry } from './ports/library-source.js';
import { LibraryLockedError } from './ports/library-store.js';
import { loadLibrary } from './load-library.js';
import type { LoadOptions } from './load-task.js';
import { fixedSource, PLAIN_LOAD } from './testing/load-fixtures.js';
import { MemoryCluster, MemoryLibraryStore } from './testing/memory-library-store.js';
import { validateLibrary } from './read-library.js';

const file = (path: string, content: string | Uint8Array = 'x'): SourceEntry => ({
  kind: 'file',
  path,
  data: Buffer.from(content),
});
const of = (...entries: SourceEntry[]): LibrarySource => ({
  ...fixedSource({}),
  read: async () => ({ entries: [file('good.txt'), ...entries], revision: 'new' }),
});
const DEEP = `${'a/'.repeat(2_047)}long.csv`;

let cluster: MemoryCluster;

const load = async (source: LibrarySource, options: Partial<LoadOptions> = {}) =>
  loadLibrary(
    source,
    new MemoryLibraryStore(cluster),
    { ...PLAIN_LOAD, ...options },
    { id: 'one', by: 'a test', now: () => new Date(0) },
  );

beforeEach(async () => {
  cluster = new MemoryCluster();
  await load(fixedSource({ 'before.txt': 'x', 'folder/theirs.csv': 'x' }));
});

/** All current nodes, including the loader's own. */
const nodes = () => structuredClone({ library: cluster.nodes.library, state: cluster.nodes.state });

test.each([
  [
    'a symbolic link',
    { kind: 'link', path: 'a.yaml' } as const,
    'a.yaml: error: is a symbolic link; replace it with the file itself: what a link points to is not part of the source',
  ],
  [
    'a submodule',
    { kind: 'submodule', path: 'm' } as const,
    'm: error: is a git submodule; its content is not part of the repository',
  ],
  ['a pipe', { kind: 'special', path: 'p' } as const, 'p: error: is neither a file nor a folder'],
  [
    'an LFS pointer',
    file('l.csv', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n'),
    'l.csv: error: is a Git LFS pointer, not the file; store the file itself in the repository',
  ],
  [
    'a file of a million bytes and one',
    file('l.csv', Buffer.alloc(1_000_001)),
    'l.csv: error: has 1000001 bytes, more than the 1000000 that a node can hold',
  ],
  [
    'a folder with a dot',
    { kind: 'folder', path: 'v1.2' } as const,
    'v1.2: error: is a folder whose name has a dot: consumers would take it for a file; rename it (only .io and .d may end a folder name)',
  ],
  [
    'a control character in a name',
    file('a\u0007.csv'),
    'a\\u0007.csv: error: contains a character that ZooKeeper rejects (control character, emoji, private use); rename it',
  ],
  ['a long path', file(DEEP), `${DEEP}: error: has a path of more than 4096 bytes; shorten it`],
  ['YAML that is not UTF-8', file('a.yaml', Buffer.from([0xff])), 'a.yaml: error: is not valid UTF-8'],
  ['YAML with a key twice', file('a.yaml', 'a: 1\na: 2\n'), 'a.yaml:2:1: error: the key "a" occurs twice'],
  [
    'YAML with an undefined alias',
    file('a.yaml', 'a: *b\n'),
    'a.yaml:1:4: error: *b has no anchor before it',
  ],
  [
    'YAML with a control character',
    file('a.yaml', 'a: "\u0001"\n'),
    'a.yaml:1:5: error: has a control character',
  ],
  [
    'YAML nested without end',
    file('a.yaml', `${'- '.repeat(300)}x`),
    expect.stringMatching(/^a\.yaml:1:\d+: error: is nested more than 200 levels deep$/) as string,
  ],
  [
    'the version node',
    file('.version.yaml', '9'),
    '.version.yaml: error: has the name of the version node, which the loader writes; rename it or set another version_node',
  ],
])('%s is rejected, and nothing is written', async (_case, entry, line) => {
  const before = nodes();
  const failure = await load(of(entry)).catch((error: Error) => error.message.split('\n'));
  expect(failure).toEqual(['the library has 1 error; nothing was written:', line]);
  expect(nodes()).toEqual(before);
  expect(cluster.holder).toBeUndefined();
});

test('a source without files is rejected, and nothing is written', async () => {
  const before = nodes();
  await expect(load(fixedSource({ 'empty/': '' }))).rejects.toThrow(
    'the library has 1 error; nothing was written:\n(library): error: the source has no files; pass --allow-empty to load it anyway, which empties the library',
  );
  expect(nodes()).toEqual(before);
});

test('a file in place of a folder with others’ nodes is rejected, and nothing is written', async () => {
  cluster.nodes.library.set('folder/other.csv', { data: Buffer.from('x'), version: 0 });
  const before = nodes();
  await expect(load(of(file('folder')), { names: 'any' })).rejects.toThrow(
    'the library has 1 error; nothing was written:\nfolder: error: is a file in the source, but in the destination it is a folder that contains nodes which this load may not remove; remove or rename one',
  );
  expect(nodes()).toEqual(before);
});

test('a folder named like the version node is rejected, also by validation', async () => {
  const options = { names: 'any', versionNode: 'folder' } as const;
  const message =
    'folder: error: has the name of the version node, which the loader writes; rename it or set another version_node';
  const source = fixedSource({ 'folder/a.txt': 'x' });
  await expect(load(source, options)).rejects.toThrow(
    `the library has 1 error; nothing was written:\n${message}`,
  );
  const { valid, problems } = await validateLibrary(source, { ...PLAIN_LOAD, ...options });
  expect([valid, problems.map(findingText)]).toEqual([false, [message]]);
});

test('while another holder has the lock, a load fails, and nothing is written', async () => {
  const before = nodes();
  cluster.holder = { id: 'other', by: 'root@host, process 1', since: '2026-01-01T00:00:00.000Z' };
  await expect(load(of())).rejects.toThrow(new LibraryLockedError(cluster.holder));
  await expect(load(of())).rejects.toThrow(
    'another load is running: the lock is held by root@host, process 1 since 2026-01-01T00:00:00.000Z; wait for it to end, or load with --wait',
  );
  expect(nodes()).toEqual(before);
});

test('at most ten thousand problems are listed, errors first; the rest are counted', async () => {
  const warned = Array.from({ length: 3 }, (_, index) => file(`w${index}..x.csv`));
  const links = Array.from({ length: 10_005 }, (_, index) => ({ kind: 'link' as const, path: `l${index}` }));
  const { problems, valid } = await validateLibrary(of(...warned, ...links), PLAIN_LOAD);
  expect(valid).toBe(false);
  expect(problems).toHaveLength(10_001);
  expect(problems[0]).toMatchObject({ severity: 'error', path: 'l0' });
  expect(findingText(problems.at(-1)!)).toBe('(library): error: has 8 more problems, which are not listed');
});
