import { DEFAULT_CAPABILITIES } from '../fields/capabilities.js';
import type { CurrentClient } from '../fields/client-metadata.js';
import { validateImport } from './validate-request.js';
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
