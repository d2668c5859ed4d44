import { idQueries } from './id-queries.js';

test('a few ids become one query, sorted and escaped', () => {
  expect(idQueries(['b&q=x', 'a'])).toEqual(['?client_id=a&client_id=b%26q%3Dx']);
  expect(idQueries([])).toEqual([]);
});

test('500 of the longest ids are split into queries far below the 16 KiB limit of a request', () => {
  const ids = Array.from(
    { length: 500 },
    (_, index) => `${String(index).padStart(5, '0')}${'%'.repeat(250)}`,
  );
  const queries = idQueries(ids.toReversed());
  expect(queries.flatMap((query) => new URLSearchParams(query).getAll('client_id'))).toEqual(ids);
  expect(Math.max(...queries.map(({ length }) => length))).toBeLessThanOrEqual(6_000);
});
