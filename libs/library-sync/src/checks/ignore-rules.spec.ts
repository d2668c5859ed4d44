import type { LibraryFinding } from '../ports/library-finding.js';
import { createEntryFilter } from './ignore-rules.js';

test('the filter skips names with a dot, with a note, and patterns, without', () => {
  const notes: { path: string }[] = [];
  const wants = createEntryFilter('*.md\n/drafts/\n!keep.md\n', ['*.bak'], notes as never);
  const asked = [
    'a.yaml',
    'a.md',
    'keep.md',
    'x/b.md',
    '.git',
    'x/.hidden',
    '.libraryignore',
    'y.bak',
    'drafts.yaml',
  ];
  expect(asked.filter((path) => wants(path, false))).toEqual(['a.yaml', 'keep.md', 'drafts.yaml']);
  expect([wants('drafts', true), wants('x/drafts', true)]).toEqual([false, true]);
  expect(notes.map(({ path }) => path)).toEqual(['.git', 'x/.hidden']);
});

test.each([
  [
    'folders in the middle',
    `${'a/**/'.repeat(150)}z`,
    (n: number) => `${'a/'.repeat(n)}y.yaml`,
    [25, 50, 800],
  ],
  [
    'folders at the beginning',
    `${'**/a/'.repeat(190)}z`,
    (n: number) => `${'a/'.repeat(n)}y.yaml`,
    [25, 50, 800],
  ],
  [
    'folders between names',
    `${'**/a*/'.repeat(150)}z`,
    (n: number) => `${'ab/'.repeat(n)}y.yaml`,
    [25, 50, 800],
  ],
  ['stars', `${'*a'.repeat(400)}z`, (n: number) => `${'a'.repeat(n)}y`, [25, 50, 250]],
  ['brackets and stars', `${'*[a-z]'.repeat(160)}!`, (n: number) => 'a'.repeat(n), [25, 50, 250]],
  ['question marks and stars', `${'*?'.repeat(450)}!`, (n: number) => 'a'.repeat(n), [25, 50, 250]],
])('many %s in a pattern take linear time', (_case, pattern, path, sizes) => {
  const wants = createEntryFilter(pattern, [], []);
  for (const size of sizes) expect(wants(path(size), false)).toBe(true);
});

test('the maximum number of patterns matches a deep path quickly', () => {
  const lines = Array.from({ length: 65 }, () => `${'*a/**/'.repeat(166)}z`);
  const wants = createEntryFilter(lines.join('\n'), [], []);
  expect(wants(`${'aaaa/'.repeat(200)}y.yaml`, false)).toBe(true);
});

test.each([
  ['more than 1,000 patterns', '#\n\n' + 'a\n'.repeat(1_001), 1_003],
  ['a pattern of more than 1,000 characters', `b\n${'a'.repeat(1_001)}`, 2],
  ['patterns of more than 65,536 characters together', `${'a'.repeat(1_000)}\n`.repeat(66), 66],
])('%s are an error at their line', (_case, text, line) => {
  const notes: LibraryFinding[] = [];
  createEntryFilter(text, [], notes);
  expect(notes).toEqual([
    {
      severity: 'error',
      path: '.libraryignore',
      line,
      code: 'ignore-patterns',
      message:
        'exceeds the limits of patterns (1000 of 1000 characters each, 65536 together); write fewer or shorter ones',
    },
  ]);
});

test('the maximum number of patterns is no error; comments do not count', () => {
  const notes: LibraryFinding[] = [];
  const text = `${'# comment\n'.repeat(5_000)}${'a\n'.repeat(1_000)}`;
  expect(createEntryFilter(text, [], notes)('a', false)).toBe(false);
  createEntryFilter(
    '',
    Array.from({ length: 1_001 }, () => 'a'),
    notes,
  );
  expect(notes).toMatchObject([{ path: 'source.exclude', line: 1_001 }]);
});
