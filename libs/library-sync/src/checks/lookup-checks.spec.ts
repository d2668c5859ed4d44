import type { SourceEntry } from '../ports/library-source.js';
import { findingText } from '../ports/library-finding.js';
import { checkLibrary, contentHash } from './check-library.js';
import { isIndependent, type LookupRules } from './declaration-rules.js';

/** The problems of a library with these files. */
async function findings(
  files: Readonly<Record<string, string>>,
  lookups: Partial<LookupRules> = {},
  passed?: ReadonlyMap<string, string>,
): Promise<string[]> {
  const entries = Object.entries(files).map(([path, text]): SourceEntry => ({
    kind: 'file',
    path,
    data: Buffer.from(text),
  }));
  const rules = {
    schemas: [],
    includes: [],
    sealed: [],
    lookups: { keys: ['lookup', '*_lookups'], known: [], ...lookups },
  };
  const options = { names: 'any', allowEmpty: false, maxBytes: 1 << 20, rules } as const;
  return (await checkLibrary(entries, options, undefined, passed)).problems.map(findingText);
}

const REMEDY =
  'which is neither in the library nor in iplookup.destination_path; add it, or correct the name';

test('a missing lookup is reported at each place that names it, at any depth', async () => {
  const text = 'a:\n  - Lookup: sites\n    geo_lookups: [sites, cities]\n---\nlookup: sites\n';
  expect(await findings({ 'Enrichers/a.yaml': text })).toEqual([
    `Enrichers/a.yaml:2:13: error: names the lookup "sites", ${REMEDY}`,
    `Enrichers/a.yaml:3:19: error: names the lookup "sites", ${REMEDY}`,
    `Enrichers/a.yaml:3:26: error: names the lookup "cities", ${REMEDY}`,
    `Enrichers/a.yaml:5:9: error: names the lookup "sites", ${REMEDY}`,
  ]);
});

test.each([
  ['a file below Lookups', { 'Lookups/sites.yaml': 'a: 1\n' }, {}],
  ['a file further below', { 'Lookups/geo/sites.csv': 'a\n' }, {}],
  ['a lookup file', { 'Lookups/sites.mmdb.gz': 'x' }, {}],
  ['a declaration of a lookup', { 'Others/z.yaml': 'define: {type: lookup/ip, name: sites}\n' }, {}],
  ['a built lookup', {}, { known: ['sites'] }],
])('a lookup can be %s', async (_case, files, lookups) => {
  expect(await findings({ 'Enrichers/a.yaml': 'lookup: sites\n', ...files }, lookups)).toEqual([]);
});

test.each([
  ['a file elsewhere', { 'Parsers/Lookups/sites.yaml': 'a: 1\n' }],
  ['a declaration of something else', { 'Others/z.yaml': 'define: {type: parser, name: sites}\n' }],
  ['a file whose name only starts with it', { 'Lookups/sites-old.yaml': 'a: 1\n' }],
])('%s is not a lookup', async (_case, files) => {
  expect(await findings({ 'Enrichers/a.yaml': 'lookup: sites\n', ...files })).toHaveLength(1);
});

test('computed values, values that are not text, and other keys do not name lookups', async () => {
  const text =
    'lookup: !ITEM EVENT name\nx: {lookup: {by: sites}, my_lookup: sites}\nx_lookups: [1, null, ""]\n';
  expect(await findings({ 'Enrichers/a.yaml': text })).toEqual([]);
});

test('an unchanged declaration is checked again, since its lookup may have been removed', async () => {
  const text = 'lookup: sites\n';
  const rules = { schemas: [], includes: [], sealed: [], lookups: { keys: ['lookup'], known: [] } };
  expect(isIndependent(rules)).toBe(false);
  const passed = new Map([['other.yaml', contentHash(Buffer.from('a: 1\n'))]]);
  expect(await findings({ 'a.yaml': text, 'other.yaml': 'a: 1\n' }, {}, passed)).toHaveLength(1);
});

test('at most ten missing lookups are reported per document', async () => {
  const names = Array.from({ length: 50 }, (_, index) => `l${index}`).join(', ');
  expect(await findings({ 'a.yaml': `lookup: [${names}]\n---\nlookup: missing\n` })).toHaveLength(11);
});

test('a missing lookup is found after any number of existing ones, wherever they are declared', async () => {
  const existing = Array.from({ length: 12 }, (_, index) => `l${index}`);
  const lookups = existing.slice(0, 6).map((name) => [`Lookups/${name}.yaml`, 'a: 1\n']);
  const declared = existing.slice(6).map((name) => `define: {type: lookup/ip, name: ${name}}\n`);
  const files = {
    'A.yaml': `lookup: [${existing.join(', ')}, missing]\n`,
    ...(Object.fromEntries(lookups) as Record<string, string>),
    'Z.yaml': declared.join('---\n'),
  };
  expect(await findings(files)).toEqual([`A.yaml:1:60: error: names the lookup "missing", ${REMEDY}`]);
});
