import { FIELD_FORMATS } from './field-formats.js';

const CONTEXT = { applicationType: 'web', capabilities: { http_redirect_hosts: [] } };

test.each([
  ['display-name', '\u200b', 'blank', 'must have at least one visible character'],
  ['client-id', 'features', 'reserved', 'must not be any of features . ..: paths use them'],
  [
    'client-id',
    'é',
    'not_vschar',
    'must consist of printable ASCII characters (VSCHAR, RFC 6749 appendix A.1)',
  ],
  [
    'domain',
    'com',
    'domain',
    'must be a domain name in ASCII form, such as example.com (RFC 6265 section 4.1.2.3)',
  ],
  ['duration', '0 s', 'duration_too_short', 'must be at least 1 second'],
] as const)('a %s of %j violates %s', (format, text, code, message) => {
  expect(FIELD_FORMATS[format].violations(text, CONTEXT)).toEqual([{ code, message }]);
});
