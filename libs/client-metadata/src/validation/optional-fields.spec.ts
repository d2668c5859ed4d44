import { DEFAULT_CAPABILITIES, extendCapabilities } from '../fields/capabilities.js';
import { CLIENT_FIELDS } from '../fields/client-fields.js';
import type { CurrentClient } from '../fields/client-metadata.js';
import type { ValidationResult } from './validate-client.js';
import { validateImport, validatePatch, validateRegistration, validateUpdate } from './validate-request.js';

const WIDE = extendCapabilities({
  token_endpoint_auth_method: ['private_key_jwt'],
  optional_fields: CLIENT_FIELDS.filter(({ optional }) => optional).map(({ name }) => name),
  languages: ['de', 'cs'],
});
const MINIMAL = { client_name: 'Shop', redirect_uris: ['https://shop.example/cb'] };
const EC_KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};
const FULL = {
  ...MINIMAL,
  'client_name#de': 'Laden',
  'client_uri#cs': 'https://shop.example/cs',
  logo_uri: 'https://shop.example/logo.svg',
  'tos_uri#de': 'https://shop.example/agb',
  policy_uri: 'https://shop.example/privacy',
  scope: 'openid profile',
  jwks: { keys: [EC_KEY] },
  token_endpoint_auth_method: 'private_key_jwt',
  token_endpoint_auth_signing_alg: 'ES256',
  post_logout_redirect_uris: ['https://shop.example/bye'],
  backchannel_logout_uri: 'https://shop.example/logout',
  backchannel_logout_session_required: true,
  frontchannel_logout_uri: 'https://shop.example/logout/page',
  frontchannel_logout_session_required: false,
};

const problemsOf = (result: ValidationResult) =>
  result.valid ? [] : result.violations.map(({ field, code }) => `${field} ${code}`);
const violations = (more: object) => problemsOf(validateRegistration({ ...MINIMAL, ...more }, WIDE));
const stored = (more: object): CurrentClient => {
  const result = validateRegistration({ ...FULL, ...more }, WIDE);
  if (!result.valid) throw new Error(problemsOf(result).join());
  return { client_id: 'shop', ...result.metadata };
};

test('what is switched on is stored as it was sent', () => {
  expect(validateRegistration(FULL, WIDE)).toMatchObject({ valid: true, metadata: FULL });
});

test('what is switched off is refused by name, and ignored from developers', () => {
  const optional = Object.keys(FULL).filter((name) => !Object.hasOwn(MINIMAL, name));
  const off = optional.filter((name) => name !== 'token_endpoint_auth_method');
  const body = { ...FULL, token_endpoint_auth_method: 'none' };
  expect(problemsOf(validateRegistration(body, DEFAULT_CAPABILITIES))).toEqual(
    off.map((name) => `/${name} field_not_supported`),
  );
  const own = validateRegistration(body, DEFAULT_CAPABILITIES, { requester: 'public' });
  expect(own.valid && Object.keys(own.metadata).filter((name) => off.includes(name))).toEqual([]);
  expect(problemsOf(validateImport({ client_id: 'a', ...body }, DEFAULT_CAPABILITIES))).toHaveLength(
    off.length,
  );
});

test('a field that is switched off again keeps its value until it is removed', () => {
  const current = stored({ token_endpoint_auth_method: 'none' });
  const renamed = validatePatch(current, { client_name: 'New' }, DEFAULT_CAPABILITIES);
  expect(renamed).toMatchObject({ valid: true, metadata: { jwks: FULL.jwks, 'client_name#de': 'Laden' } });
  const sentBack = validateUpdate(current, current, DEFAULT_CAPABILITIES);
  expect(sentBack).toMatchObject({ valid: true, metadata: { scope: 'openid profile' } });
  const without = validatePatch(current, { scope: null, 'client_name#de': null }, DEFAULT_CAPABILITIES);
  expect(without.valid && Object.keys(without.metadata)).not.toEqual(expect.arrayContaining(['scope']));
  expect(problemsOf(validatePatch(current, { scope: 'other' }, DEFAULT_CAPABILITIES))).toEqual([
    '/scope field_not_supported',
  ]);
  const developers = validateUpdate(
    current,
    { client_id: 'shop', ...MINIMAL, scope: 'all' },
    DEFAULT_CAPABILITIES,
    {
      requester: 'public',
    },
  );
  expect(developers).toMatchObject({ valid: true, metadata: { scope: 'openid profile', jwks: FULL.jwks } });
});

test('names by language follow the rules of the name, in the languages that are supported', () => {
  expect(violations({ 'client_name#de': ' ' })).toEqual(['/client_name#de too_short']);
  expect(violations({ 'client_uri#cs': 'x' })).toEqual(['/client_uri#cs uri_not_absolute']);
  expect(violations({ 'client_name#fr': 'Boutique' })).toEqual(['/client_name#fr field_not_supported']);
  expect(violations({ 'client_name#DE': 'Laden' })).toEqual(['/client_name#DE unknown_field']);
  expect(violations({ 'redirect_uris#de': [] })).toEqual(['/redirect_uris#de unknown_field']);
  expect(violations({ 'client_name#de': null })).toEqual([]);
  const result = validateRegistration({ ...MINIMAL, 'client_name#cs': 'p\u0430ypal' }, WIDE);
  expect(result.warnings.map(({ field, code }) => `${field} ${code}`)).toContain(
    '/client_name#cs look_alike_name',
  );
});

test.each<[string, object, string[]]>([
  [
    'keys in two places',
    { jwks: FULL.jwks, jwks_uri: 'https://a.example/k' },
    ['/jwks_uri jwks_and_jwks_uri'],
  ],
  [
    'assertions without keys',
    { token_endpoint_auth_method: 'private_key_jwt' },
    ['/token_endpoint_auth_method private_key_jwt_without_keys'],
  ],
  [
    'assertions with a key for encryption',
    { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [{ ...EC_KEY, use: 'enc' }] } },
    ['/jwks no_signing_key'],
  ],
  [
    'assertions by another algorithm',
    {
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'RS256',
      jwks: FULL.jwks,
    },
    ['/jwks no_signing_key'],
  ],
  [
    'invalid keys, reported once',
    { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [{ ...EC_KEY, d: 'x' }] } },
    ['/jwks/keys/0/d private_key'],
  ],
  [
    'a symmetric algorithm',
    { token_endpoint_auth_signing_alg: 'HS256' },
    ['/token_endpoint_auth_signing_alg value_not_supported'],
  ],
  [
    'no algorithm',
    { token_endpoint_auth_signing_alg: 'none' },
    ['/token_endpoint_auth_signing_alg value_not_supported'],
  ],
  ['keys in the clear', { jwks_uri: 'http://a.example/k' }, ['/jwks_uri uri_not_https']],
  ['keys of a development server', { jwks_uri: 'http://localhost:3000/k' }, []],
  ['keys as text', { jwks: '{}' }, ['/jwks type']],
  [
    'a page elsewhere',
    { frontchannel_logout_uri: 'https://b.example/out' },
    ['/frontchannel_logout_uri frontchannel_logout_elsewhere'],
  ],
  ['a page on the default port', { frontchannel_logout_uri: 'https://SHOP.example:443/out' }, []],
  ['a quote in a scope', { scope: 'a "b"' }, ['/scope scope']],
  ['two spaces in a scope', { scope: 'a  b' }, ['/scope scope']],
  ['a scope twice', { scope: 'a b a' }, ['/scope duplicate']],
  [
    'a script after logout',
    { post_logout_redirect_uris: ['javascript:1'] },
    ['/post_logout_redirect_uris/0 uri_dangerous_scheme'],
  ],
])('%s', (_case, more, expected) => {
  expect(violations(more)).toEqual(expected);
});
