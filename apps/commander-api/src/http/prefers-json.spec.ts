import { prefersJson } from './prefers-json.js';

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
  expect(prefersJson(accept)).toBe(expected);
});
