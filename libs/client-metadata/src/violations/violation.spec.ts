import { type Violation } from '@svc/foundation';
import { errorCodeOf, errorDescriptionOf, quote } from './violation.js';

const at = (field: string, message = 'is wrong'): Violation => ({ field, code: 'x', message });

test.each([
  ['invalid_redirect_uri', [at('/redirect_uris')]],
  ['invalid_redirect_uri', [at('/redirect_uris/0'), at('/redirect_uris/7')]],
  ['invalid_client_metadata', [at('/client_name')]],
  ['invalid_client_metadata', [at('/redirect_uris/0'), at('/client_name')]],
  ['invalid_client_metadata', [at('/redirect_uris_x')]],
  ['invalid_client_metadata', [at('/x/redirect_uris')]],
  ['invalid_client_metadata', [at('')]],
  ['invalid_client_metadata', []],
])('the error is %s', (code, violations) => {
  expect(errorCodeOf(violations)).toBe(code);
});

test('an error_description contains only characters that RFC 6749 section 5.2 allows', () => {
  const description = errorDescriptionOf([at('/a/0', 'is "\\é\n'), at('', 'must be an object')]);
  expect(description).toBe("a/0: is '???; the request: must be an object");
});

test('a long error_description is cut', () => {
  const description = errorDescriptionOf([at('/client_name', 'x'.repeat(2000))]);
  expect(description).toHaveLength(1000);
  expect(description).toMatch(/x\.\.\.$/);
  expect(errorDescriptionOf([at('/a', 'b'.repeat(997))])).toMatch(/^a: b+$/);
});

test('quoted text is shown verbatim', () => {
  expect(quote("Žluťoučký kůň's 日本 & co.")).toBe("'Žluťoučký kůň's 日本 & co.'");
  expect(quote('x'.repeat(80))).toBe(`'${'x'.repeat(80)}'`);
});

test('quoted text is cut after 80 characters', () => {
  expect(quote('x'.repeat(81))).toBe(`'${'x'.repeat(80)}...'`);
  expect(quote('😀'.repeat(80))).toBe(`'${'😀'.repeat(80)}'`);
  expect(quote('😀'.repeat(81))).toBe(`'${'😀'.repeat(80)}...'`);
});

test('quoted text shows invisible characters', () => {
  expect(quote('a\0b\n\u202ec\ud800\u200b')).toBe("'aU+0000bU+000AU+202EcU+D800U+200B'");
});
