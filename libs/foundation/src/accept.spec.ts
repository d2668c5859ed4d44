import { asksFor, preferredFormat } from './accept.js';

const EXPORTS = { ndjson: ['application/x-ndjson', 'application/ndjson'], csv: ['text/csv'] };
const TEXT_OR_JSON = { text: ['text/plain'], json: ['application/json'] };

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
  expect(preferredFormat(accept, EXPORTS)).toBe(expected);
});

test.each([
  [undefined, false],
  ['*/*', false],
  ['text/plain', false],
  ['application/json', true],
  ['application/*', true],
  ['APPLICATION/JSON; charset=utf-8', true],
  ['application/json, text/plain, */*', false],
  ['text/plain;q=0.5, application/json;q=0.9', true],
  ['text/plain, application/json;q=0.9', false],
  ['text/*;q=0.1, application/json;q=0.2', true],
  ['application/json;q=0', false],
  ['application/json;q=nonsense', false],
  ['image/png', false],
])('Accept: %s prefers JSON: %j', (accept, expected) => {
  expect(preferredFormat(accept, TEXT_OR_JSON) === 'json').toBe(expected);
});

test.each([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['text/*', false],
  ['text/event-stream', true],
  ['Text/Event-Stream; charset=utf-8', true],
  ['application/json, text/event-stream;q=0.5', true],
  ['text/event-stream;q=0', false],
  ['text/event-streams', false],
])('Accept: %s asks for an event stream: %s', (accept, expected) => {
  expect(asksFor(accept, 'text/event-stream')).toBe(expected);
});
