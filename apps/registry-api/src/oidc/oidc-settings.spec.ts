import { ConfigError } from '@svc/foundation/config';
import { readRegistryConfig } from '../config.js';
import { oidcSettingsOf } from './oidc-settings.js';

const ISSUER = { OIDC_ISSUER: 'https://id.example/realm', OIDC_AUDIENCE: 'registry' };

const settingsOf = (environment: Record<string, string>) => oidcSettingsOf(readRegistryConfig(environment));

const violationsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readRegistryConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.violations;
    throw error;
  }
  return [];
};

test('without an issuer there is nothing to set', () => {
  expect(settingsOf({})).toBeUndefined();
});

test('an issuer and an audience are enough', () => {
  expect(settingsOf(ISSUER)).toMatchObject({
    issuer: 'https://id.example/realm',
    audience: 'registry',
    scopeClaim: 'scope',
    algorithms: expect.arrayContaining(['RS256', 'ES256']),
  });
});

test('one without the other is an error', () => {
  const violation = ['OIDC_ISSUER: and OIDC_AUDIENCE must be set together'];
  expect(violationsOf({ OIDC_ISSUER: ISSUER.OIDC_ISSUER })).toEqual(violation);
  expect(violationsOf({ OIDC_AUDIENCE: 'registry' })).toEqual([expect.stringMatching(/^OIDC_ISSUER: /)]);
});

test.each([
  ['OIDC_ISSUER', 'http://id.example'],
  ['OIDC_ISSUER', 'https://id.example/?a'],
  ['OIDC_ISSUER', 'id.example'],
  ['OIDC_ALGORITHMS', 'HS256'],
  ['OIDC_ALGORITHMS', 'RS256 none'],
  ['OIDC_SCOPE_MAP', 'admin=everything'],
  ['OIDC_TOKEN_MAX_LIFETIME', 'never'],
  ['OIDC_TOKEN_MAX_LIFETIME', '11 y'],
  ['OIDC_TOKEN_MAX_LIFETIME', '365'],
])('%s cannot be %s', (name, value) => {
  expect(violationsOf({ ...ISSUER, [name]: value })).toEqual([expect.stringMatching(`^${name}: `)]);
});

test('plain http is allowed on this machine', () => {
  expect(settingsOf({ ...ISSUER, OIDC_ISSUER: 'http://127.0.0.1:9000' })?.issuer).toBe(
    'http://127.0.0.1:9000',
  );
});
