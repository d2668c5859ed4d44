import { filtersOf } from '../filters/filters.js';
import { readTyped, suggestionsFor, withoutTypedFilters } from './typed-filters.js';

const filters = filtersOf(undefined);

test.each([
  ['words alone', 'gift cards', 'gift cards', []],
  ['a value', 'acme warning:weak_pkce', 'acme', [['warning', 'weak_pkce']]],
  ['the only value that contains what was typed', 'warning:pkce', '', [['warning', 'weak_pkce']]],
  ['a part of a label', 'enabled:disabled', '', [['enabled', 'false']]],
  ['an equals sign in a label', 'label:team=shop', '', [['label', 'team:shop']]],
  ['a negated label', '-label:team', '', [['label!', 'team']]],
  ['any number of days', 'secret_expires_within:14', '', [['secret_expires_within', '14']]],
  [
    'several filters',
    'host:acme managed_by:set:shop x',
    'x',
    [
      ['host', 'acme'],
      ['managed_by', 'set:shop'],
    ],
  ],
  ['no value yet', 'acme warning:', 'acme', []],
  [
    'URLs and ports as words',
    'https://acme.example/cb localhost:3000 urn:a:b',
    'https://acme.example/cb localhost:3000 urn:a:b',
    [],
  ],
] as const)('a search has %s', (_case, typed, words, entries) => {
  expect(readTyped(typed, filters)).toEqual({ words, filters: entries, unknown: [], invalid: [] });
});

test('a day is midnight in the local time zone', () => {
  const [entry] = readTyped('created_since:2026-11-21', filters).filters;
  expect(Date.parse(entry?.[1] ?? '')).toBe(new Date(2026, 10, 21).getTime());
});

test('unknown names and invalid values are reported', () => {
  expect(readTyped('warnings:x', filters)).toMatchObject({ words: 'warnings:x', unknown: ['warnings'] });
  for (const typed of [
    'warning:nope',
    'warning:cookie',
    'created_since:soon',
    'label:=',
    'secret_expires_within:0',
  ]) {
    expect(readTyped(typed, filters)).toMatchObject({ words: '', filters: [], invalid: [{}] });
  }
});

test('filters leave the box, and the rest stays', () => {
  expect(withoutTypedFilters('acme host:x shop warning:nope', filters)).toBe('acme shop warning:nope ');
});

test('names are suggested by the beginnings of their words, values by what they contain', () => {
  const suggested = (word: string) =>
    suggestionsFor(word, filters, ({ options = [] }) => options).map((one) => one.word);
  expect(suggested('warn')).toEqual(['has_warnings:', 'warning:']);
  expect(suggested('warning:pkc')).toEqual(['warning:weak_pkce']);
  expect(suggested('shop')).toEqual([]);
  expect(suggested('')).toHaveLength(filters.length);
});
