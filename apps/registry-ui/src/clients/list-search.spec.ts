import {
  exportQuery,
  filtersIn,
  listParams,
  readListSearch,
  withFilter,
  withoutFilter,
  withParam,
} from './list-search.js';

test('a URL contains search, filters and order, but no pagination', () => {
  const read = readListSearch({
    q: 'shop',
    sort: 'client_name',
    enabled: 'false',
    cursor: 'x',
    limit: '9',
    'a-b': 'c',
  });
  expect(read).toEqual({ q: 'shop', sort: 'client_name', enabled: 'false' });
  expect(filtersIn(read)).toEqual([['enabled', 'false']]);
});

test('a search without a word is no search', () => {
  for (const q of ['https://', ' ', '\u0301'])
    expect(readListSearch({ q, host: 'a' })).toEqual({ host: 'a' });
});

test('setting a parameter to an empty value removes it', () => {
  expect(withParam({ q: 'a', enabled: 'true' }, 'enabled', '')).toEqual({ q: 'a' });
  expect(withParam({ q: 'a' }, 'q', 'b')).toEqual({ q: 'b' });
});

test('a list can be filtered by several labels, but by one value of everything else', () => {
  const search = withFilter(
    withFilter(withFilter({}, 'label', 'team:shop'), 'label', 'env:prod'),
    'host',
    'a',
  );
  expect(withFilter(search, 'host', 'b')).toEqual({ label: 'team:shop env:prod', host: 'b' });
  expect(filtersIn(search)).toEqual([
    ['label', 'team:shop'],
    ['label', 'env:prod'],
    ['host', 'a'],
  ]);
  expect(listParams(search)).toMatchObject({ label: ['team:shop', 'env:prod'], host: 'a' });
  expect(exportQuery({ ...search, q: 'x' })).toBe('?q=x&label=team%3Ashop&label=env%3Aprod&host=a');
  expect(withoutFilter(search, 'label', 'team:shop')).toEqual({ label: 'env:prod', host: 'a' });
  expect(withoutFilter({ label: 'a' }, 'label', 'a')).toEqual({});
});
