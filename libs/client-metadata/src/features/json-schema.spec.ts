import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { DEFAULT_CAPABILITIES, extendCapabilities, type Capabilities } from '../fields/capabilities.js';
import { CLIENT_FIELDS } from '../fields/client-fields.js';
import {
  validateImport,
  validatePatch,
  validateRegistration,
  validateUpdate,
} from '../validation/validate-request.js';
import { hostileJson } from '../../test/hostile-json.js';
import {
  clientSchema,
  patchSchema,
  registrationSchema,
  updateSchema,
  type JsonSchema,
} from './json-schema.js';

/** Any code point but a lone surrogate. fast-check's `unit: 'binary'` would build a table of a million entries. */
const codePoint = fc
  .oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

const WIDE = extendCapabilities({
  application_type: ['native'],
  response_types: ['token', 'id_token', 'code id_token token'],
  grant_types: ['refresh_token', 'client_credentials', 'implicit'],
  token_endpoint_auth_method: ['client_secret_basic'],
  default_cookie_domain: 'example.com',
  optional_fields: ['jwks', 'scope', 'jwks_uri', 'post_logout_redirect_uris'],
  languages: ['de'],
});

const CB = 'https://app.example.com/cb';
const MINIMAL = { client_name: 'App', redirect_uris: [CB] };

function validator(schema: JsonSchema) {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

test.each<[string, (capabilities: Capabilities) => JsonSchema]>([
  ['registration', registrationSchema],
  ['update', updateSchema],
  ['patch', patchSchema],
  ['client', clientSchema],
])('the %s schema is strictly valid', (_name, schema) => {
  expect(validator(schema(DEFAULT_CAPABILITIES))({})).toBeDefined();
  expect(validator(schema(WIDE))({})).toBeDefined();
});

test('the registration schema has exactly the fields of a registration', () => {
  const { properties, required, additionalProperties } = registrationSchema(DEFAULT_CAPABILITIES);
  const names = CLIENT_FIELDS.filter((field) => field.editable !== 'never' && !field.optional).map(
    (field) => field.name,
  );
  expect(Object.keys(properties as object)).toEqual(names);
  expect([required, additionalProperties]).toEqual([['client_name', 'redirect_uris'], false]);
});

test('a field is described with its default, values and limits', () => {
  expect(registrationSchema(WIDE)['properties']).toMatchObject({
    client_name: { type: 'string', title: 'Name', minLength: 1, maxLength: 255 },
    redirect_uris: {
      type: 'array',
      minItems: 0,
      maxItems: 100,
      uniqueItems: true,
      items: { type: 'string', format: 'uri', maxLength: 2048 },
    },
    application_type: { type: 'string', enum: ['web', 'native'], default: 'web' },
    grant_types: { default: ['authorization_code'], minItems: 1 },
    cookie_domain: { default: 'example.com' },
    preferred_client_id: { writeOnly: true },
    session_expiration: { anyOf: [{ type: 'number', minimum: 1, maximum: 315_360_000 }, { type: 'string' }] },
    client_uri: {
      description: 'A web page about the application, shown to users as a link. (RFC 7591 section 2)',
    },
  });
});

test('the words of a value may be in any order', () => {
  const items = {
    items: { enum: expect.arrayContaining(['code id_token token', 'token id_token code']) as unknown },
  };
  expect(registrationSchema(WIDE)['properties']).toMatchObject({ response_types: items });
});

test('responses and updates may contain server-owned fields', () => {
  expect(clientSchema(DEFAULT_CAPABILITIES)['properties']).toMatchObject({
    client_id: { readOnly: true },
    client_id_issued_at: { readOnly: true, type: 'integer' },
  });
  const stored = { ...MINIMAL, client_id: 'x', cookie_name: 'y', enabled: true, etag: '7' };
  expect(validator(updateSchema(DEFAULT_CAPABILITIES))(stored)).toBe(true);
  expect(validator(registrationSchema(DEFAULT_CAPABILITIES))(stored)).toBe(false);
});

test('a patch may contain any editable field, or null unless it is required', () => {
  const names = CLIENT_FIELDS.filter((field) => field.editable === 'always' && !field.optional).map(
    (field) => field.name,
  );
  expect(Object.keys(patchSchema(DEFAULT_CAPABILITIES)['properties'] as object)).toEqual(names);
  const accepts = validator(patchSchema(DEFAULT_CAPABILITIES));
  const patches = [
    {},
    { client_name: 'A' },
    { client_uri: null },
    { client_uri: CB },
    { client_name: null },
    { client_uri: 7 },
  ];
  expect(patches.map((patch) => accepts(patch))).toEqual([true, true, true, true, false, false]);
});

test('a response has no preferred_client_id', () => {
  expect(clientSchema(DEFAULT_CAPABILITIES)['properties']).not.toHaveProperty('preferred_client_id');
});

test.each<[string, object]>([
  ['a missing name', { client_name: undefined }],
  ['a blank name', { client_name: '  ' }],
  ['a long name', { client_name: 'x'.repeat(256) }],
  ['no redirect URI', { redirect_uris: [] }],
  ['a relative redirect URI', { redirect_uris: ['/cb'] }],
  ['the same twice', { redirect_uris: [CB, CB] }],
  ['another application type', { application_type: 'desktop' }],
  ['another PKCE method', { code_challenge_method: 's256' }],
  ['a script as home page', { client_uri: 'javascript:alert(1)' }],
  ['an endpoint with a fragment', { authorize_uri: 'https://example.com/#' }],
  ['a boolean in words', { authorize_anonymous_users: 'true' }],
  ['a domain with a scheme', { cookie_domain: 'https://example.com' }],
  ['an unknown unit', { session_expiration: '5 months' }],
  ['no time at all', { session_expiration: 0 }],
  ['an id of other letters', { preferred_client_id: 'é' }],
  ['an unknown field', { colour: 'blue' }],
])('the registration schema rejects %s, like validation', (_case, more) => {
  const body = JSON.parse(JSON.stringify({ ...MINIMAL, ...more })) as unknown;
  expect(validator(registrationSchema(WIDE))(body)).toBe(false);
  expect(validateRegistration(body, WIDE).valid).toBe(false);
});

/** Bodies that are often valid: each field is missing, of its type, or of any type. */
const uri = fc.constantFrom(
  CB,
  `${CB}?a=1`,
  'http://localhost/',
  'http://[::1]:1/',
  'com.example.app:/cb',
  '/cb',
  'x:',
);
const optional = (...values: unknown[]) => fc.constantFrom(undefined, ...values);
const body = fc.record({
  client_name: fc.oneof(fc.string({ unit: codePoint, maxLength: 300 }), fc.constant('App')),
  client_uri: optional(CB, 'HTTPS://example.com', `${CB}#a`, 'x', 7),
  redirect_uris: fc.oneof(fc.array(uri, { maxLength: 3 }), fc.constant([CB])),
  application_type: optional('web', 'native', 'x'),
  response_types: optional([], ['code'], ['token'], ['token code id_token'], 'code'),
  grant_types: optional(['authorization_code'], ['authorization_code', 'implicit'], ['refresh_token'], []),
  token_endpoint_auth_method: optional('none', 'client_secret_basic', 'x'),
  code_challenge_method: optional('none', 'plain', 'S256', 'x'),
  preferred_client_id: optional('x', '~ /%', 'features', ''),
  redirect_uri_validation_method: optional('full_match', 'prefix_match', 'none', 'x'),
  cookie_domain: optional('example.com', '.example.com', 'localhost', 'x', 'xn--bcher-kva.example'),
  cookie_entry_uri: optional(CB, 'HTTP://a', `${CB}#`),
  authorize_anonymous_users: optional(true, false, 'x'),
  anonymous_cid: optional('x', '', 'a\0'),
  'client_name#de': optional('Laden', ' ', 7),
  jwks: optional(
    { keys: [] },
    { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43), more: [1] }] },
    {},
    [],
  ),
  jwks_uri: optional(CB, 'http://a', `${CB}#`),
  scope: optional('openid', 'a b', 'a  b', ''),
  session_expiration: optional(1, 0, 1.5, '5 m', '5 minutes', '5', 'x', '9999 y'),
});

/** The body without invalid fields. */
function repaired(value: object): object {
  const result = validateRegistration({ ...MINIMAL, ...value }, WIDE);
  const invalid = result.valid ? [] : result.violations.map(({ field }) => field.split('/')[1]);
  return {
    ...MINIMAL,
    ...Object.fromEntries(Object.entries(value).filter(([name]) => !invalid.includes(name))),
  };
}

test('the schema accepts whatever validation accepts', () => {
  const accepts = validator(registrationSchema(WIDE));
  fc.assert(
    fc.property(body, (value) => {
      const given = JSON.parse(JSON.stringify(repaired(value))) as Record<string, unknown>;
      const result = validateRegistration(given, WIDE);
      fc.pre(result.valid && String(given['client_name']).length <= 255);
      expect([accepts(given), accepts.errors]).toEqual([true, null]);
      expect([accepts(result.metadata), accepts.errors]).toEqual([true, null]);
    }),
    { numRuns: 200 },
  );
});

test('stored metadata validates to itself, and an empty patch keeps it', () => {
  fc.assert(
    fc.property(body, (value) => {
      const first = validateRegistration(repaired(value), WIDE);
      fc.pre(first.valid);
      const { metadata, warnings } = first;
      expect(validateRegistration(metadata, WIDE)).toEqual({ valid: true, metadata, warnings });
      const stored = { ...metadata, client_id: 'x' };
      expect(validatePatch(stored, {}, WIDE)).toEqual({ valid: true, metadata, warnings });
    }),
    { numRuns: 200 },
  );
});

test('no JSON value makes validation throw', () => {
  const names = fc.constantFrom(...CLIENT_FIELDS.map((field) => field.name), '__proto__', 'constructor', 'x');
  const minimal = validateRegistration(MINIMAL, WIDE);
  if (!minimal.valid) throw new Error('the minimal Client is invalid');
  const stored = { ...minimal.metadata, client_id: 'x' };
  const anything = fc.oneof(hostileJson, fc.dictionary(names, hostileJson));
  fc.assert(
    fc.property(anything, (value) => {
      for (const result of [
        validateRegistration(value, WIDE),
        validateUpdate(stored, value, WIDE),
        validatePatch(stored, value, WIDE),
        validateImport(value, WIDE),
      ])
        if (!result.valid) expect(result.violations.length).toBeGreaterThan(0);
    }),
    { numRuns: 1000 },
  );
});
