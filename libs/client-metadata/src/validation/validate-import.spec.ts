import { DEFAULT_CAPABILITIES } from '../fields/capabilities.js';
import type { CurrentClient } from '../fields/client-metadata.js';
import { validateImport, validatePatch, validateUpdate } from './validate-request.js';
import type { ValidationResult } from './validate-client.js';

const CB = 'https://app.example.com/cb';

const MINIMAL = { client_name: 'New', redirect_uris: [CB] };

/** A stored Client as `GET` answers with it and exports carry it. */
const CURRENT: CurrentClient = {
  client_id: 'kNo1',
  client_name: 'App',
  redirect_uris: [CB],
  application_type: 'web',
  response_types: ['code'],
  grant_types: ['authorization_code'],
  token_endpoint_auth_method: 'none',
  code_challenge_method: 'S256',
  redirect_uri_validation_method: 'full_match',
  cookie_name: 'SvcClient_ABC',
  session_expiration: '1 h',
  session_expiration_seconds: 3600,
  client_id_issued_at: 1_700_000_000,
  enabled: true,
  own_extra: 7,
};

const problemsOf = (result: ValidationResult) =>
  result.valid ? [] : result.violations.map(({ field, code }) => `${field} ${code}`);

const load = (body: object, current?: CurrentClient) =>
  validateImport(body, DEFAULT_CAPABILITIES, { carried: ['own_extra'], ...(current && { current }) });

test('registers an exported Client under its client_id', () => {
  expect(load(CURRENT)).toMatchObject({
    valid: true,
    preferredClientId: 'kNo1',
    metadata: { client_name: 'App', session_expiration: '1 h' },
  });
});

test('replaces the Client of the same id, whatever the server owns', () => {
  const result = load({ ...CURRENT, client_name: 'New', cookie_name: 'Other_ABC', enabled: false }, CURRENT);
  expect(result).toMatchObject({ valid: true, metadata: { client_name: 'New' } });
  expect(result).not.toHaveProperty('preferredClientId');
});

test('takes declarations with a preferred_client_id, and with none', () => {
  expect(load({ ...MINIMAL, preferred_client_id: 'mine' })).toMatchObject({ preferredClientId: 'mine' });
  expect(load({ ...MINIMAL, preferred_client_id: 'kNo1' }, CURRENT)).toMatchObject({ valid: true });
  expect(load(MINIMAL)).not.toHaveProperty('preferredClientId');
});

test('places the violations of an id where the record has it', () => {
  expect(load({ ...MINIMAL, client_id: 'features' })).toMatchObject({
    violations: [
      {
        field: '/client_id',
        code: 'reserved',
        message: expect.stringMatching(/^client_id must/) as string,
      },
    ],
  });
  expect(problemsOf(load({ ...MINIMAL, preferred_client_id: 'é' }))).toEqual([
    '/preferred_client_id not_vschar',
  ]);
});

test('places no other violation there', () => {
  expect(problemsOf(load({ client_id: 'features', client_name: '', redirect_uris: [CB] }))).toEqual([
    '/client_name too_short',
    '/client_id reserved',
  ]);
});

test('says what an id must equal', () => {
  expect(load({ ...MINIMAL, client_id: 'a', preferred_client_id: 'b' })).toMatchObject({
    violations: [{ message: 'client_id is not the same as preferred_client_id' }],
  });
  expect(load({ ...MINIMAL, client_id: 'a' }, CURRENT)).toMatchObject({
    violations: [{ message: 'client_id is not the same as that of the client to replace' }],
  });
  expect(problemsOf(load({ ...MINIMAL, preferred_client_id: 'a' }, CURRENT))).toEqual([
    '/preferred_client_id registration_only',
  ]);
  expect(problemsOf(load({ ...MINIMAL, client_id: null }, CURRENT))).toEqual([]);
});

test('refuses two ids that differ, secrets and unknown fields', () => {
  expect(problemsOf(load({ ...MINIMAL, client_id: 'a', preferred_client_id: 'b' }))).toEqual([
    '/client_id mismatch',
  ]);
  expect(problemsOf(load({ ...MINIMAL, client_id: 'other' }, CURRENT))).toEqual(['/client_id mismatch']);
  expect(problemsOf(load({ ...MINIMAL, client_secret: 'x', colour: 1 }))).toEqual([
    '/client_secret server_owned',
    '/colour unknown_field',
  ]);
  expect(problemsOf(validateImport('x', DEFAULT_CAPABILITIES))).toEqual([' type']);
});

test.each(['1893456000', '2030-01-01', '2030-01-01T00:00:00Z', true, [1], {}, Number.NaN, -1])(
  'a secret whose expiry is %p is refused: it would never expire',
  (expiry) => {
    const carried = ['client_secret', 'client_secret_hash'];
    const outcomes = [...carried, 'cookie_name'].map((name) =>
      problemsOf(
        validateImport({ ...MINIMAL, [name]: 'x', client_secret_expires_at: expiry }, DEFAULT_CAPABILITIES, {
          carried,
        }),
      ),
    );
    const refused = [
      `/client_secret_expires_at ${typeof expiry === 'number' && expiry < 0 ? 'expired' : 'type'}`,
    ];
    expect(outcomes).toEqual([refused, refused, []]);
  },
);

test.each([undefined, null, 0, 1_893_456_000, 1e30])('a secret may expire at %j', (expiry) => {
  const record = { ...MINIMAL, client_secret: 'x', client_secret_expires_at: expiry };
  expect(validateImport(record, DEFAULT_CAPABILITIES, { carried: ['client_secret'] })).toMatchObject({
    valid: true,
  });
});

test.each(['x', {}, { redirect_uri: CB }, ['x'], [null], [{ redirect_uri: 7 }], [[{ redirect_uri: CB }]]])(
  'temporary redirect URIs written as %j are refused: they would become permanent',
  (temporary) => {
    const record = { ...MINIMAL, temporary_redirect_uris: temporary };
    expect(problemsOf(load(record))).toEqual(['/temporary_redirect_uris type']);
    expect(problemsOf(validateUpdate(CURRENT, record, DEFAULT_CAPABILITIES))).toEqual([
      '/temporary_redirect_uris type',
    ]);
    expect(problemsOf(validatePatch(CURRENT, record, DEFAULT_CAPABILITIES))).toEqual([
      '/temporary_redirect_uris type',
    ]);
  },
);

test('a state that is neither true nor false is refused', () => {
  expect(problemsOf(load({ ...MINIMAL, enabled: 'no' }))).toEqual(['/enabled type']);
  expect(problemsOf(load({ ...MINIMAL, enabled: null, temporary_redirect_uris: null }))).toEqual([]);
});
