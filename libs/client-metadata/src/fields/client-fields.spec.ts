import { CLIENT_FIELDS } from './client-fields.js';

test('the table has the fields of the specification, with its types, defaults and values', () => {
  const rows = CLIENT_FIELDS.map((field) => [
    field.name,
    field.type,
    field.required,
    field.editable,
    field.default,
    field.values,
  ]);
  expect(rows).toEqual([
    ['client_id', 'string', false, 'never', undefined, undefined],
    ['client_name', 'string', true, 'always', undefined, undefined],
    ['client_secret', 'string', false, 'never', undefined, undefined],
    ['client_uri', 'string', false, 'always', undefined, undefined],
    ['redirect_uris', 'string[]', true, 'always', undefined, undefined],
    ['application_type', 'string', false, 'always', 'web', ['web']],
    ['response_types', 'string[]', false, 'always', ['code'], ['code']],
    ['grant_types', 'string[]', false, 'always', ['authorization_code'], ['authorization_code']],
    ['token_endpoint_auth_method', 'string', false, 'always', 'none', ['none']],
    ['contacts', 'string[]', false, 'always', undefined, undefined],
    ['logo_uri', 'string', false, 'always', undefined, undefined],
    ['tos_uri', 'string', false, 'always', undefined, undefined],
    ['policy_uri', 'string', false, 'always', undefined, undefined],
    ['scope', 'string', false, 'always', undefined, undefined],
    ['jwks_uri', 'string', false, 'always', undefined, undefined],
    ['jwks', 'object', false, 'always', undefined, undefined],
    [
      'token_endpoint_auth_signing_alg',
      'string',
      false,
      'always',
      undefined,
      [
        ...['PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'],
        ...['ES256', 'ES384', 'ES512', 'Ed25519', 'EdDSA'],
      ],
    ],
    ['post_logout_redirect_uris', 'string[]', false, 'always', undefined, undefined],
    ['backchannel_logout_uri', 'string', false, 'always', undefined, undefined],
    ['backchannel_logout_session_required', 'boolean', false, 'always', undefined, undefined],
    ['frontchannel_logout_uri', 'string', false, 'always', undefined, undefined],
    ['frontchannel_logout_session_required', 'boolean', false, 'always', undefined, undefined],
    ['code_challenge_method', 'string', false, 'always', 'none', ['none', 'plain', 'S256']],
    ['preferred_client_id', 'string', false, 'registration', undefined, undefined],
    [
      'redirect_uri_validation_method',
      'string',
      false,
      'always',
      'full_match',
      ['full_match', 'prefix_match', 'none'],
    ],
    ['cookie_name', 'string', false, 'never', undefined, undefined],
    ['cookie_webhook_uri', 'string', false, 'always', undefined, undefined],
    ['cookie_entry_uri', 'string', false, 'always', undefined, undefined],
    ['cookie_domain', 'string', false, 'always', undefined, undefined],
    ['authorize_uri', 'string', false, 'always', undefined, undefined],
    ['login_uri', 'string', false, 'always', undefined, undefined],
    ['authorize_anonymous_users', 'boolean', false, 'always', undefined, undefined],
    ['anonymous_cid', 'string', false, 'always', undefined, undefined],
    ['session_expiration', 'number or string', false, 'always', undefined, undefined],
    ['labels', 'map', false, 'always', undefined, undefined],
    ['description', 'string', false, 'always', undefined, undefined],
  ]);
});

test('the fields of OAuth and OpenID Connect come first, then those of this registry', () => {
  const groups = CLIENT_FIELDS.map(({ group }) => group);
  expect(groups).toEqual([...Array<string>(22).fill('canonical'), ...Array<string>(14).fill('own')]);
});

test('each text has a format and length limits', () => {
  const bounded = CLIENT_FIELDS.filter(({ format }) => format !== undefined);
  expect(
    bounded.map(({ name, format, limits }) => [name, format, limits.minLength, limits.maxLength]),
  ).toEqual([
    ['client_id', 'client-id', 1, 255],
    ['client_name', 'display-name', 1, 255],
    ['client_secret', 'text', 1, 255],
    ['client_uri', 'web-uri', 1, 2048],
    ['redirect_uris', 'redirect-uri', 1, 2048],
    ['contacts', 'text', 1, 255],
    ['logo_uri', 'web-uri', 1, 2048],
    ['tos_uri', 'web-uri', 1, 2048],
    ['policy_uri', 'web-uri', 1, 2048],
    ['scope', 'scope', 1, 2048],
    ['jwks_uri', 'keys-uri', 1, 2048],
    ['jwks', 'jwks', undefined, undefined],
    ['post_logout_redirect_uris', 'redirect-uri', 1, 2048],
    ['backchannel_logout_uri', 'endpoint-uri', 1, 2048],
    ['frontchannel_logout_uri', 'endpoint-uri', 1, 2048],
    ['preferred_client_id', 'client-id', 1, 255],
    ['cookie_name', 'text', 1, 255],
    ['cookie_webhook_uri', 'endpoint-uri', 1, 2048],
    ['cookie_entry_uri', 'endpoint-uri', 1, 2048],
    ['cookie_domain', 'domain', 1, 254],
    ['authorize_uri', 'endpoint-uri', 1, 2048],
    ['login_uri', 'web-uri', 1, 2048],
    ['anonymous_cid', 'text', 1, 255],
    ['session_expiration', 'duration', 1, 64],
    ['labels', 'labels', undefined, 63],
    ['description', 'text', 1, 1000],
  ]);
});

test('configuration can add only values that the rules support', () => {
  const optionalValues = CLIENT_FIELDS.filter((field) => field.optionalValues).map((field) => [
    field.name,
    field.optionalValues,
  ]);
  const urn = (name: string) => `urn:ietf:params:oauth:grant-type:${name}`;
  expect(optionalValues).toEqual([
    ['application_type', ['native']],
    [
      'response_types',
      ['token', 'id_token', 'id_token token', 'code id_token', 'code token', 'code id_token token'],
    ],
    [
      'grant_types',
      [
        ...['refresh_token', 'client_credentials', 'implicit', 'password'],
        ...['device_code', 'jwt-bearer', 'saml2-bearer', 'token-exchange'].map(urn),
      ],
    ],
    ['token_endpoint_auth_method', ['client_secret_basic', 'client_secret_post', 'private_key_jwt']],
  ]);
});

test('each row has a description and limits', () => {
  for (const { label, description, source, type, values, limits } of CLIENT_FIELDS) {
    expect(label).toMatch(/^[A-Z]/);
    expect(description).toMatch(/\.$/);
    expect(source).toMatch(/RFC \d+|OpenID Connect|this registry/);
    if (type !== 'boolean' && type !== 'object' && !values)
      expect(limits).toMatchObject({ maxLength: expect.any(Number) as number });
    if (type === 'string[]' || type === 'map' || type === 'object')
      expect(limits).toMatchObject({ maxItems: expect.any(Number) as number });
  }
});

test('each server-owned row says why requests must not set it', () => {
  const owned = CLIENT_FIELDS.filter((field) => field.editable === 'never');
  expect(owned.map(({ name, refusal }) => refusal?.startsWith(name))).toEqual([true, true, true]);
});

test('developers may register fields that do not affect others', () => {
  expect(
    CLIENT_FIELDS.filter((field) => field.public === true && !field.optional).map(({ name }) => name),
  ).toEqual([
    'client_name',
    'client_uri',
    'redirect_uris',
    'application_type',
    'response_types',
    'grant_types',
    'token_endpoint_auth_method',
    'contacts',
    'code_challenge_method',
    'session_expiration',
  ]);
});

test('what only configuration switches on is a field of the standards that developers may set', () => {
  const optional = CLIENT_FIELDS.filter((field) => field.optional);
  expect(optional.map(({ name }) => name)).toHaveLength(12);
  for (const field of optional)
    expect(field).toMatchObject({ group: 'canonical', required: false, editable: 'always', public: true });
});
