import type { SourceEntry } from '../ports/library-source.js';
import { PLAIN_LOAD } from '../testing/load-fixtures.js';
import { type CheckOptions, checkLibrary, contentHash } from './check-library.js';
import { MAX_REQUEST_BYTES, maxDataBytes } from './node-limits.js';

const check = async (entries: readonly SourceEntry[], options: Partial<CheckOptions> = {}) => {
  const { problems } = await checkLibrary(entries, { ...PLAIN_LOAD, ...options });
  return problems.map(({ severity, path, code }) => `${severity} ${path} ${code}`);
};
const file = (path: string, text: string | Uint8Array = 'x'): SourceEntry => ({
  kind: 'file',
  path,
  data: Buffer.from(text),
});
const folder = (path: string): SourceEntry => ({ kind: 'folder', path });
const GOOD = file('good.csv');

test.each([
  ['a folder with a dot', folder('v1.2'), ['error v1.2 folder-with-dot']],
  ['a folder that ends in .d', folder('conf.d'), []],
  ['a folder that ends in .io', folder('a/teskalabs.io'), []],
  ['a file without an extension', file('LICENSE'), ['warning LICENSE file-without-extension']],
  ['a file with a folder’s ending', file('x.io'), ['warning x.io file-without-extension']],
  ['two dots in a row', file('a..b.csv'), ['warning a..b.csv name-unreadable']],
  ['a tilde', file('a~.csv'), ['warning a~.csv name-unreadable']],
  ['a tilde at the start', file('~a.csv'), ['error ~a.csv name-tilde']],
  ['a folder with a tilde at the start', folder('~a'), ['error ~a name-tilde']],
  ['a control character', file('a\u0007.csv'), ['error a\u0007.csv name-characters']],
  ['an emoji', file('🙂.csv'), ['error 🙂.csv name-characters']],
  ['letters of other scripts, spaces and signs', file("žluť 漢字 it's:\\.csv"), []],
  [
    'a path of more than 4,096 bytes',
    file(`${'é'.repeat(2_047)}.csv`),
    [expect.stringMatching(/^error .* path-length$/)],
  ],
  ['a link', { kind: 'link', path: 'l.yaml' } as const, ['error l.yaml link']],
  ['a submodule', { kind: 'submodule', path: 'm' } as const, ['error m submodule']],
  ['a pipe', { kind: 'special', path: 'p' } as const, ['error p special']],
  [
    'an LFS pointer',
    file('l.csv', 'version https://git-lfs.github.com/spec/v1\noid sha256:1\n'),
    ['error l.csv lfs-pointer'],
  ],
  ['a file of a million bytes', file('l.csv', Buffer.alloc(1_000_000)), ['warning l.csv file-large']],
  ['one byte more', file('l.csv', Buffer.alloc(1_000_001)), ['error l.csv file-size']],
  [
    'a file that was only measured',
    { ...file('l.csv', ''), oversize: 5e9 } as SourceEntry,
    ['error l.csv file-size'],
  ],
  ['a file of 512,000 bytes', file('l.csv', Buffer.alloc(512_000)), []],
  [
    'YAML by its extension, in capitals too',
    file('a.YML', 'a: 1\na: 2\n'),
    ['error a.YML yaml-duplicate-key'],
  ],
  ['no YAML by its extension', file('a.csv', 'a: [\n'), []],
])('%s', async (_case, entry, expected) => {
  expect(await check([GOOD, entry])).toEqual(expected);
});

test('YAML that passed before is not parsed again: the same bytes at the same path', async () => {
  const text = 'a: [';
  const passed = new Map([['a.yaml', contentHash(Buffer.from(text))]]);
  const entries = [file('a.yaml', text), file('b.yaml', text), file('c.yaml', 'a: 1')];
  const { library, problems } = await checkLibrary(entries, PLAIN_LOAD, undefined, passed);
  expect(problems.map(({ path }) => path)).toEqual(['b.yaml']);
  expect([...library.files.keys()]).toEqual(['a.yaml', 'b.yaml', 'c.yaml']);
  const changed = await checkLibrary([file('a.yaml', 'a: {')], PLAIN_LOAD, undefined, passed);
  expect(changed.problems).toHaveLength(1);
});

test('names any lifts only the consumers’ rules', async () => {
  const entries = [folder('v1.2'), file('LICENSE'), file('a~.csv'), file('🙂.csv')];
  expect(await check(entries, { names: 'any' })).toEqual(['error 🙂.csv name-characters']);
});

test('a name or path that a file system cannot hold is an error if the destination is a folder, otherwise a warning', async () => {
  const long = `${'é'.repeat(126)}.csv`;
  const deep = `${`${'d'.repeat(200)}/`.repeat(20)}a.csv`;
  const entries = [file(long.slice(1)), file(long), folder('d'.repeat(256)), file(deep)];
  expect(await check(entries)).toEqual([
    `warning ${long} name-length`,
    `warning ${'d'.repeat(256)} name-length`,
  ]);
  expect(await check(entries, { names: 'any', folder: `/${'f'.repeat(100)}` })).toEqual([
    `error ${long} name-length`,
    `error ${'d'.repeat(256)} name-length`,
    `error ${deep} name-length`,
  ]);
});

test('names that differ only in case or Unicode form are reported', async () => {
  const entries = [file('a.csv'), file('A.csv'), file('é.csv'), file('e\u0301.csv'), file('b.csv')];
  expect(await check(entries)).toEqual(['warning A.csv name-twins', 'warning e\u0301.csv name-twins']);
});

test('a library is rejected by its total size, however small each file is', async () => {
  const entries = [file('a.csv', 'x'.repeat(60)), folder('b'), file('b/c.csv', 'x'.repeat(41))];
  expect(await check(entries, { maxBytes: 101 })).toEqual([]);
  const { problems } = await checkLibrary(entries, { ...PLAIN_LOAD, maxBytes: 100 });
  expect(problems).toEqual([
    {
      severity: 'error',
      path: '',
      code: 'library-size',
      message:
        'its files have 101 bytes in total, more than the 100 of source.max_bytes; exclude some, or raise the limit',
    },
  ]);
});

test('a source without files is rejected, with or without folders, unless allowed', async () => {
  expect(await check([folder('a')])).toEqual(['error  empty-source']);
  expect(await check([folder('a')], { allowEmpty: true })).toEqual([]);
});

test.each([
  ['not UTF-8', Buffer.from([0x61, 0x3a, 0xff]), 'yaml-encoding', undefined, undefined],
  ['a key twice', 'a: 1\nb:\n  c: 1\n  c: 2\n', 'yaml-duplicate-key', 4, 3],
  ['a key twice in a flow mapping', 'x: {a: 1, a: 2}\n', 'yaml-duplicate-key', 1, 11],
  ['the same number twice', '1: a\n0x1: b\n', 'yaml-duplicate-key', 2, 1],
  ['an alias without an anchor', 'a: *b\n', 'yaml-alias', 1, 4],
  ['a control character', 'a: "\u0001"\n', 'yaml-control', 1, 5],
  ['an open bracket', 'a: [1\nb: 2\n', 'yaml-syntax', expect.any(Number), expect.any(Number)],
  ['brackets without end', '['.repeat(100_000), 'yaml-depth', 1, expect.any(Number)],
  [
    'brackets by the hundred thousand',
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    'yaml-depth',
    1,
    expect.any(Number),
  ],
  ['sequences by the hundred thousand', `${'- '.repeat(100_000)}x`, 'yaml-depth', 1, expect.any(Number)],
])('YAML with %s is reported with its position', async (_case, text, code, line, column) => {
  const { problems } = await checkLibrary([file('a.yaml', text)], PLAIN_LOAD);
  expect(problems[0]).toMatchObject({ severity: 'error', path: 'a.yaml', code });
  expect([problems[0]?.line, problems[0]?.column]).toEqual([line, column]);
});

test.each([
  ['unknown tags', 'a: !EVENT\nb: !encpwd "x"\nc: !a:b {d: 1}\n'],
  ['anchors and aliases', 'a: &x {b: 1}\nc: *x\nd: [*x, *x]\n'],
  [
    'a bomb of aliases, which is never expanded',
    `a0: &a0 x\n${Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]\n`).join('')}`,
  ],
  ['the same key in different documents', 'a: 1\n---\na: 2\n'],
  ['a byte order mark', '\ufeffa: 1\n'],
])('YAML with %s is fine', async (_case, text) => {
  expect(await check([file('a.yaml', text)])).toEqual([]);
});

test.each([
  [
    'a file and a folder',
    [file('x.io'), folder('x.io')],
    'is both a file and a folder; rename one of the two',
  ],
  [
    'a folder and a file',
    [folder('x.io'), file('x.io')],
    'is both a file and a folder; rename one of the two',
  ],
  [
    'two files',
    [file('a/x.csv'), file('a/x.csv', 'y')],
    'occurs twice in its folder, both times as a file; remove one',
  ],
  [
    'two folders',
    [folder('x.io'), folder('x.io')],
    'occurs twice in its folder, both times as a folder; remove one',
  ],
])('%s with the same name are an error', async (_case, entries, message) => {
  const { problems } = await checkLibrary([GOOD, ...entries], { ...PLAIN_LOAD });
  const { path } = entries[0]!;
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([
    { severity: 'error', path, code: 'name-twice', message },
  ]);
});

test('the largest node leaves room for the rest of a request', () => {
  expect(maxDataBytes(100, 50)).toBe(MAX_REQUEST_BYTES - 232);
});
