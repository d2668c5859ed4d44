import { existsSync } from 'node:fs';
import { readPage, tableRows } from './support/documented-tables.js';
import { ROOT } from './support/services.js';

const PAGE = readPage('docs/security-asvs.md');

/** The requirements of levels 1 and 2 by section of ASVS 5.0.0, without those of level 3. */
const LEVELS: Readonly<Record<string, Readonly<Record<1 | 2, readonly number[]>>>> = {
  '6.1': { 1: [1], 2: [2, 3] },
  '6.2': { 1: [1, 2, 3, 4, 5, 6, 7, 8], 2: [9, 10, 11, 12] },
  '6.3': { 1: [1, 2], 2: [3, 4] },
  '6.4': { 1: [1, 2], 2: [3, 4] },
  '6.5': { 1: [], 2: [1, 2, 3, 4, 5] },
  '6.6': { 1: [], 2: [1, 2, 3] },
  '6.8': { 1: [], 2: [1, 2, 3, 4] },
  '7.1': { 1: [], 2: [1, 2, 3] },
  '7.2': { 1: [1, 2, 3, 4], 2: [] },
  '7.3': { 1: [], 2: [1, 2] },
  '7.4': { 1: [1, 2], 2: [3, 4, 5] },
  '7.5': { 1: [], 2: [1, 2] },
  '7.6': { 1: [], 2: [1, 2] },
  '8.1': { 1: [1], 2: [2] },
  '8.2': { 1: [1, 2], 2: [3] },
  '8.3': { 1: [1], 2: [] },
  '8.4': { 1: [], 2: [1] },
  '9.1': { 1: [1, 2, 3], 2: [] },
  '9.2': { 1: [1], 2: [2, 3, 4] },
  '16.1': { 1: [], 2: [1] },
  '16.2': { 1: [], 2: [1, 2, 3, 4, 5] },
  '16.3': { 1: [], 2: [1, 2, 3, 4] },
  '16.4': { 1: [], 2: [1, 2, 3] },
  '16.5': { 1: [], 2: [1, 2, 3] },
};

/** Sections that require documentation, which a link shows. */
const OF_DOCUMENTATION = /^(6|7|8|16)\.1\./;

const VERDICTS = ['met', 'not applicable', 'open'] as const;

interface Row {
  readonly requirement: string;
  readonly level: string;
  readonly verdict: string;
  /** The last cell without the names of tests. */
  readonly reason: string;
  readonly tests: readonly NamedTest[];
}

interface NamedTest {
  readonly path: string;
  readonly name: string;
}

const NAMED_TEST = /`([^` ]+spec\.ts)` "([^"]+)"/g;

const rowOf = ([requirement = '', level = '', , verdict = '', evidence = '']: readonly string[]): Row => ({
  requirement,
  level,
  verdict,
  reason: evidence.replaceAll(NAMED_TEST, '').trim(),
  tests: [...evidence.matchAll(NAMED_TEST)].map(([, path = '', name = '']) => ({ path, name })),
});

const rows = tableRows(PAGE, 'requirement').map(rowOf);

/** Whether a file has a test of exactly this name. */
function hasTest({ path, name }: NamedTest): boolean {
  if (!existsSync(ROOT + path)) return false;
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`\(\s*(['"])${escaped}\1,\s*(async )?\(`).test(readPage(path));
}

/** What a row lacks. */
function missingIn({ requirement, verdict, reason, tests }: Row): string | undefined {
  if (!VERDICTS.some((known) => known === verdict)) return `has the unknown verdict ${verdict}`;
  if (verdict !== 'met') return reason.length < 15 ? 'has no reason' : undefined;
  if (tests.length > 0) return undefined;
  return OF_DOCUMENTATION.test(requirement) && reason.includes('](') ? undefined : 'names no test';
}

test('the page has each requirement of levels 1 and 2 once, with its level', () => {
  const expected = Object.entries(LEVELS).flatMap(([section, levels]) =>
    ([1, 2] as const).flatMap((level) => levels[level].map((number) => `${section}.${number} ${level}`)),
  );
  expect(rows.map(({ requirement, level }) => `${requirement} ${level}`)).toEqual(expected);
});

test('each verdict has its test, or its reason', () => {
  const lacking = rows.flatMap((row) => {
    const missing = missingIn(row);
    return missing === undefined ? [] : [`${row.requirement} ${missing}`];
  });
  expect(lacking).toEqual([]);
});

test('each named test exists', () => {
  const named = rows.flatMap(({ requirement, tests }) => tests.map((test) => ({ requirement, ...test })));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((test) => !hasTest(test))).toEqual([]);
});

test('every file in the tables is named with a test', () => {
  const files = [...PAGE.matchAll(/`[^` ]+spec\.ts`/g)].length;
  expect(files).toBe(rows.flatMap(({ tests }) => tests).length);
});

test('the counts of each chapter are those of its table', () => {
  const counted = tableRows(PAGE, 'chapter').map(([chapter = '', ...counts]) => {
    const ofChapter = rows.filter(({ requirement }) => requirement.startsWith(`${chapter.slice(1)}.`));
    const actual = VERDICTS.map((each) => String(ofChapter.filter(({ verdict }) => verdict === each).length));
    return { chapter, counts, actual };
  });
  expect(counted.map(({ chapter }) => chapter)).toEqual(['V6', 'V7', 'V8', 'V9', 'V16']);
  for (const { counts, actual } of counted) expect(counts).toEqual(actual);
});

test('a missing file, another name and a verdict without proof would be found', () => {
  const path = 'tools/test/security-asvs.integration-spec.ts';
  expect(hasTest({ path, name: 'each named test exists' })).toBe(true);
  expect(hasTest({ path, name: 'each named test' })).toBe(false);
  expect(hasTest({ path: 'tools/test/none.integration-spec.ts', name: 'each named test exists' })).toBe(
    false,
  );
  const verdicts = (requirement: string, verdict: string, evidence: string) =>
    missingIn(rowOf([requirement, '1', 'x', verdict, evidence]));
  expect(verdicts('6.3.1', 'met', '[a page](page.md) is not enough')).toBe('names no test');
  expect(verdicts('6.1.1', 'met', '[a page](page.md)')).toBeUndefined();
  expect(verdicts('6.3.1', 'open', `\`${path}\` "each named test exists"`)).toBe('has no reason');
  expect(verdicts('6.3.1', 'partly', 'because of many reasons')).toContain('partly');
});
