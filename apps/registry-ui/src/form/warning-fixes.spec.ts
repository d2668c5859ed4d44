import {
  type CurrentClient,
  extendCapabilities,
  supportedFeatures,
  validateUpdate,
} from '@svc/client-metadata';
import type { Features } from '../api/client-documents.js';
import { WEB_CLIENT } from './form.fixture.js';
import { fixOf } from './warning-fixes.js';

const capabilities = extendCapabilities({
  application_type: ['native'],
  grant_types: ['password', 'refresh_token'],
});
const features = supportedFeatures(capabilities) as Features;

const client = (overrides: object = {}) =>
  ({
    client_id: 'shop',
    ...WEB_CLIENT,
    ...overrides,
  }) as CurrentClient & Record<string, unknown>;

const fix = (code: string, overrides: object) => {
  const of = client(overrides);
  const { client_id: _, ...body } = of;
  // Without the warning there would be nothing to fix.
  expect(validateUpdate(of, body, capabilities).warnings.map((warning) => warning.code)).toContain(code);
  return fixOf(code, features, body, of);
};

test.each([
  [
    'not_oauth_compliant',
    { redirect_uri_validation_method: 'prefix_match' },
    { redirect_uri_validation_method: 'full_match' },
  ],
  [
    'localhost_redirect_uri',
    { application_type: 'native', redirect_uris: ['http://localhost:5000/cb', 'com.example:/cb'] },
    { redirect_uris: ['http://127.0.0.1:5000/cb', 'com.example:/cb'] },
  ],
  ['weak_pkce', { code_challenge_method: 'plain' }, { code_challenge_method: 'S256' }],
  [
    'discouraged_grant',
    { grant_types: ['authorization_code', 'password'] },
    { grant_types: ['authorization_code'] },
  ],
  [
    'cookie_domain_dot',
    { cookie_domain: '.shop.example', cookie_entry_uri: 'https://shop.example/cookie' },
    { cookie_domain: 'shop.example' },
  ],
])('the fix of %s removes the warning, and nothing else', (code, overrides, expected) => {
  expect(fix(code, overrides)).toEqual(expected);
});

test.each([
  [
    'a prefix that ends in a segment',
    'prefix_without_slash',
    { redirect_uri_validation_method: 'prefix_match', redirect_uris: ['https://a.example/cb'] },
  ],
  ['a loopback address over http', 'plain_http_redirect_uri', { redirect_uris: ['http://localhost:5173/'] }],
  ['a look-alike name', 'look_alike_name', { client_name: 'pаypal' }],
])('%s is left to the user', (_case, code, overrides) => {
  expect(fix(code, overrides)).toBeUndefined();
});
