import { preferredFormat } from './preferred-format.js';

const FORMATS = { ndjson: ['application/x-ndjson', 'application/ndjson'], csv: ['text/csv'] };

test.each([
  [undefined, 'ndjson'],
  ['', 'ndjson'],
  ['*/*', 'ndjson'],
  ['application/*', 'ndjson'],
  ['application/ndjson', 'ndjson'],
  ['text/csv', 'csv'],
  ['Text/CSV; charset=utf-8', 'csv'],
  ['text/*', 'csv'],
  ['text/csv, application/x-ndjson', 'ndjson'],
  ['text/csv, application/x-ndjson;q=0.5', 'csv'],
  ['text/csv, */*;q=0.1', 'csv'],
  ['application/x-ndjson;q=0, */*', 'ndjson'],
  ['application/x-ndjson;q=0, application/ndjson;q=0, */*', 'csv'],
  ['application/json', undefined],
  ['text/csv;q=0', undefined],
  ['nonsense', undefined],
])('Accept: %s gives %s', (accept, expected) => {
  expect(preferredFormat(accept, FORMATS)).toBe(expected);
});
