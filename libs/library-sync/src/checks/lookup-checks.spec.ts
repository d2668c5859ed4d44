import type { SourceEntry } from '../ports/library-source.js';
import { findingText } from '../ports/library-finding.js';
import { checkLibrary, contentHash } from './check-library.js';
import { isIndependent, type LookupRules } from './declaration-rules.js';

/** What is said about files, by their texts. */
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

test('a lookup that exists nowhere is reported where it is named, wherever the key stands', async () => {
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
  ['a file whose name only starts so', { 'Lookups/sites-old.yaml': 'a: 1\n' }],
])('%s is no lookup', async (_case, files) => {
  expect(await findings({ 'Enrichers/a.yaml': 'lookup: sites\n', ...files })).toHaveLength(1);
});

test('computed values, other kinds of values and other keys name no lookup', async () => {
  const text =
    'lookup: !ITEM EVENT name\nx: {lookup: {by: sites}, my_lookup: sites}\nx_lookups: [1, null, ""]\n';
  expect(await findings({ 'Enrichers/a.yaml': text })).toEqual([]);
});

test('a declaration that has not changed is checked again, since its lookup may be gone', async () => {
  const text = 'lookup: sites\n';
  const rules = { schemas: [], includes: [], sealed: [], lookups: { keys: ['lookup'], known: [] } };
  expect(isIndependent(rules)).toBe(false);
  const passed = new Map([['other.yaml', contentHash(Buffer.from('a: 1\n'))]]);
  expect(await findings({ 'a.yaml': text, 'other.yaml': 'a: 1\n' }, {}, passed)).toHaveLength(1);
});

test('a file full of wrong names is reported by its first ten', async () => {
  expect(await findings({ 'a.yaml': `lookup: [${'x,'.repeat(50)}]\n` })).toHaveLength(10);
});
