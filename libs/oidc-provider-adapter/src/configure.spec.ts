import type { Adapter, Client, Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { EmptyStore } from '../test/empty-store.js';
import { configure, type ProviderConfiguration } from './configure.js';

const CLIENTS = new EmptyStore('the registry');

const configured = (configuration: Partial<ProviderConfiguration> = {}): Configuration =>
  configure({ adapter: EmptyStore, ...configuration }, CLIENTS);

const adapterOf = ({ adapter }: Configuration, model: string) =>
  (adapter as unknown as (model: string) => Adapter)(model);

test.each<[string, ProviderConfiguration['adapter']]>([
  ['a class', EmptyStore],
  ['a function', (model) => new EmptyStore(model)],
])('Clients come from the registry, everything else from %s', (_case, adapter) => {
  const configuration = configured({ adapter });
  expect(adapterOf(configuration, 'Client')).toBe(CLIENTS);
  expect(adapterOf(configuration, 'Session')).toMatchObject({ model: 'Session' });
});

test('settings unrelated to Clients are unchanged', () => {
  const scopes = ['openid', 'profile'];
  expect(configured({ scopes }).scopes).toBe(scopes);
});

test('custom properties are kept alongside the required ones, and only they reach the custom validator', () => {
  const validated: string[] = [];
  const { extraClientMetadata } = configured({
    extraClientMetadata: {
      properties: ['cookie_name', 'code_challenge_method'],
      validator: (_ctx, key) => void validated.push(key),
    },
  });
  expect(extraClientMetadata?.properties).toEqual([
    'cookie_name',
    'code_challenge_method',
    'redirect_uri_validation_method',
    'temporary_redirect_uris',
    'created_at',
    'frontchannel_logout_uri',
    'frontchannel_logout_session_required',
  ]);
  for (const key of extraClientMetadata?.properties ?? []) {
    extraClientMetadata?.validator?.(undefined, key, undefined, { client_id: 'shop' });
  }
  expect(validated).toEqual(['cookie_name', 'code_challenge_method']);
});

const isPkceRequired = (
  method: string,
  auth: string,
  { fapi, pkce }: { readonly fapi?: string; readonly pkce?: Configuration['pkce'] } = {},
) =>
  configured({ pkce }).pkce?.required?.(
    { oidc: { isFapi: () => fapi } } as unknown as KoaContextWithOIDC,
    { tokenEndpointAuthMethod: auth, code_challenge_method: method } as unknown as Client,
  );

test.each([
  ['S256', 'client_secret_basic', true],
  ['plain', 'client_secret_basic', true],
  ['none', 'client_secret_basic', false],
  ['none', 'none', true],
])('a Client with challenge method %s and authentication %s must use PKCE: %s', (method, auth, expected) => {
  expect(isPkceRequired(method, auth)).toBe(expected);
});

test('a FAPI profile requires PKCE', () => {
  expect(isPkceRequired('none', 'client_secret_basic', { fapi: '2.0' })).toBe(true);
});

test('a custom rule can be stricter than the Client’s registration, but not looser', () => {
  const always = { pkce: { required: () => true } };
  const never = { pkce: { required: () => false } };
  expect(isPkceRequired('none', 'client_secret_basic', always)).toBe(true);
  expect(isPkceRequired('none', 'none', never)).toBe(false);
  expect(isPkceRequired('S256', 'none', never)).toBe(true);
});
