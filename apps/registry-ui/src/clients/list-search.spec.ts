import { filtersIn, readListSearch, withParam } from './list-search.js';

test('an address tells search, filters and order, but no pages', () => {
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

test('setting a parameter to nothing leaves it out', () => {
  expect(withParam({ q: 'a', enabled: 'true' }, 'enabled', '')).toEqual({ q: 'a' });
  expect(withParam({ q: 'a' }, 'q', 'b')).toEqual({ q: 'b' });
});
