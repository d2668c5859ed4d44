import { ConfigError } from '@svc/foundation/config';
import { readRegistryConfig } from '../config.js';
import { oidcSettingsOf } from '../oidc/oidc-settings.js';
import { uiSettingsOf } from './ui-settings.js';

const ISSUER = { OIDC_ISSUER: 'https://id.example/realm', OIDC_AUDIENCE: 'https://registry.example' };

const settingsOf = (environment: Record<string, string>) => {
  const config = readRegistryConfig(environment);
  return uiSettingsOf(config, oidcSettingsOf(config));
};

test('without its own Client at the issuer, the UI accepts only API tokens', () => {
  expect(settingsOf(ISSUER)).toEqual({});
});

test('the registry’s scopes are requested, under the issuer’s names', () => {
  const given = { ...ISSUER, UI_OIDC_CLIENT_ID: 'console', OIDC_SCOPE_MAP: 'reader=clients:read boss=*' };
  expect(settingsOf(given)).toEqual({
    oidc: {
      issuer: 'https://id.example/realm',
      client_id: 'console',
      scope: 'openid reader boss',
      resource: 'https://registry.example',
    },
  });
});

test('with roles, no scope is requested, and an audience that is not a URI is not a resource', () => {
  const given = {
    ...ISSUER,
    UI_OIDC_CLIENT_ID: 'console',
    OIDC_AUDIENCE: 'registry',
    OIDC_SCOPE_CLAIM: 'roles',
  };
  expect(settingsOf(given)).toEqual({
    oidc: { issuer: 'https://id.example/realm', client_id: 'console', scope: 'openid' },
  });
});

test('the scopes can be configured', () => {
  const given = { ...ISSUER, UI_OIDC_CLIENT_ID: 'console', UI_OIDC_SCOPE: 'openid offline_access' };
  expect(settingsOf(given).oidc?.scope).toBe('openid offline_access');
});

test('a Client of the UI without an issuer is an error', () => {
  let thrown: unknown;
  try {
    readRegistryConfig({ UI_OIDC_CLIENT_ID: 'console' });
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(ConfigError);
  expect((thrown as ConfigError).violations).toEqual(['UI_OIDC_CLIENT_ID: requires OIDC_ISSUER']);
});
