import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createEntryFilter } from '@svc/library-sync';
import fc from 'fast-check';
import { openSource } from '../src/index.js';

/** The patterns' meaning is checked against git itself. */
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-ignore-'));
  execFileSync('git', ['init', '-q', folder]);
  const names = ['a', 'b', 'ab', 'abc', 'b.c', '-', ']', '[a', '!a', '#b', 'a b', 'a*b'];
  for (const outer of ['', 'a/', 'b/', 'ab/', 'b.c/', 'a/b/', 'a/ab/', 'a/b/a/', 'x/y/z/', 'a/b/c/ab/b/']) {
    for (const name of names) write(`${outer}f-${name}`);
    for (const name of ['a.yaml', 'b.c.yaml', 'c', 'x']) write(`${outer}${name}-`);
  }
  for (const path of ['c/a', 'c/b/a', 'c/b/ab', 'c/ab/abc', 'd e/a b', 'z/c/b/a', 'z/c/a/b']) write(path);
});

afterAll(() => rmSync(folder, { recursive: true }));

function write(path: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), '');
}

function gitKeeps(lines: readonly string[]): string[] {
  const file = join(folder, '.git', 'patterns');
  writeFileSync(file, lines.join('\n'));
  const words = ['-c', 'core.quotePath=false', 'ls-files', '--others', '-z', '-X', file];
  return execFileSync('git', words, { cwd: folder }).toString().split('\0').filter(Boolean).sort();
}

async function sourceKeeps(lines: readonly string[]): Promise<string[]> {
  const { entries } = await openSource({ address: folder }).read(() =>
    createEntryFilter(lines.join('\n'), [], []),
  );
  return entries.flatMap(({ kind, path }) => (kind === 'file' ? [path] : [])).sort();
}

const piece = fc.constantFrom(
  ...[
    'a',
    'b',
    'ab',
    'c',
    'f-',
    'x',
    'y',
    '.',
    'yaml',
    '*',
    '*',
    '?',
    '**',
    '/',
    '/',
    '/',
    '/**/',
    '**/',
    '/**',
  ],
  ...[
    '[ab]',
    '[!a]',
    '[^b-c]',
    '[a-',
    '[]a]',
    '[]-]',
    '[[:alpha:]]',
    '[[:punct:]]',
    '[[:bad:]]',
    '[[:a]',
    '[a/b]',
  ],
  ...['\\*', '\\a', '\\', '\\ ', ' ', '!', '#', '\\!', '\\#', '-', ']', 'c.'],
);
/** Before 2.41, git reads out of bounds for these. */
const isUnclear = (line: string) => /[^/*]\*{2,}(\/|$)/.test(line);
const line = fc
  .array(piece, { minLength: 1, maxLength: 6 })
  .map((pieces) => pieces.join(''))
  .filter((text) => !isUnclear(text));
const lines = fc.array(fc.tuple(fc.boolean(), line), { minLength: 1, maxLength: 5 });

test('for any patterns, a source keeps the same files as git', async () => {
  await fc.assert(
    fc.asyncProperty(lines, async (drawn) => {
      // The first pattern must not be negated, or everything would be kept.
      const text = drawn.map(([isNegated, pattern], index) =>
        isNegated && index > 0 && !pattern.startsWith('**') ? `!${pattern}` : pattern,
      );
      expect(await sourceKeeps(text)).toEqual(gitKeeps(text));
    }),
    { numRuns: 60 },
  );
});

test.each([
  [['*', '!a', '!*.yaml-']],
  [['/a/*', '!/a/b']],
  [['a/**']],
  [['**/b']],
  [['a/**/b/']],
  [['**/**/a/**/**/ab']],
  [['c/b/a']],
  [['a**b']],
  [['**']],
  [['/**/']],
  [['f-a\\ b  ']],
  [['f-[[:alpha:]]']],
  [['f-[]]', 'f-[!]]']],
  [['f-\\#b', '\\!a', '#x-']],
  [['/']],
  [['f-?']],
  [['**\\/a']],
  [['a/**\\/b']],
  [['**\\/**/a/']],
  [['x\\/y']],
])('keeps the same as git for %j', async (text) => {
  expect(await sourceKeeps(text)).toEqual(gitKeeps(text));
});
