import fc from 'fast-check';
import { parseSearch, pickParams, writeSearch } from './search-params.js';

test('what looks like a number or a boolean stays the text that it is', () => {
  expect(parseSearch('?client=123&enabled=true&q=%7B%7D')).toEqual({
    client: '123',
    enabled: 'true',
    q: '{}',
  });
});

test('what is empty is not written', () => {
  expect(writeSearch({ q: '', sort: undefined })).toBe('');
});

test('whatever is written is read back', () => {
  const name = fc.stringMatching(/^[a-z_]{1,12}$/);
  const value = fc.string({ minLength: 1, unit: 'grapheme' });
  fc.assert(
    fc.property(fc.dictionary(name, value), (params) => {
      expect(parseSearch(writeSearch(params))).toEqual({ ...params });
    }),
  );
});

test('only what is asked for and there is picked', () => {
  expect(pickParams({ q: 'a', sort: '', other: 'b' }, ['q', 'sort', 'enabled'])).toEqual({ q: 'a' });
});
