import { filtersIn, readListSearch, withParam } from './list-search.js';

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

test('setting a parameter to an empty value removes it', () => {
  expect(withParam({ q: 'a', enabled: 'true' }, 'enabled', '')).toEqual({ q: 'a' });
  expect(withParam({ q: 'a' }, 'q', 'b')).toEqual({ q: 'b' });
});
