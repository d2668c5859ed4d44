import { DEFAULT_CAPABILITIES, extendCapabilities } from '../fields/capabilities.js';
import type { CurrentClient } from '../fields/client-metadata.js';
import { validateRegistration, validateUpdate } from './validate-request.js';
import type { ValidationResult } from './validate-client.js';

const CB = 'https://app.example.com/cb';

const MINIMAL = { client_name: 'New', redirect_uris: [CB] };

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
};

const problemsOf = (result: ValidationResult) =>
  result.valid ? [] : result.violations.map(({ field, code }) => `${field} ${code}`);

test.each(['prefix_match', 'none'] as const)(
  'a developer keeps no %s over a redirect URI that is new',
  (method) => {
    const current: CurrentClient = { ...CURRENT, redirect_uri_validation_method: method };
    const change = (redirect_uris: string[], more = {}) =>
      problemsOf(
        validateUpdate(
          current,
          { client_id: 'kNo1', client_name: 'New', redirect_uris, ...more },
          DEFAULT_CAPABILITIES,
          { requester: 'public' },
        ),
      );
    const added = [CB, 'https://evil.example/'];
    expect(change(added)).toEqual(['/redirect_uris/1 not_public']);
    expect(change(added, { redirect_uri_validation_method: method })).toEqual([
      '/redirect_uris/1 not_public',
    ]);
    expect(change(added, { redirect_uri_validation_method: 'full_match' })).toEqual([]);
    expect(change([CB])).toEqual([]);
    expect(
      problemsOf(validateUpdate(current, { ...MINIMAL, redirect_uris: added }, DEFAULT_CAPABILITIES)),
    ).toEqual([]);
  },
);

test('a developer cannot set a longer session than allowed, but keeps one set by an administrator', () => {
  const capabilities = extendCapabilities({ developer_session_seconds: 7_200 });
  const change = (session_expiration: unknown, given = '1 h') =>
    problemsOf(
      validateUpdate(
        { ...CURRENT, session_expiration: given },
        { ...MINIMAL, client_id: 'kNo1', session_expiration },
        capabilities,
        { requester: 'public' },
      ),
    );
  expect(change('2 h')).toEqual([]);
  expect(change(7_201)).toEqual(['/session_expiration not_public']);
  expect(change('1 y', '1 y')).toEqual([]);
  expect(change('2 y', '1 y')).toEqual(['/session_expiration not_public']);
  const register = (session_expiration: unknown, requester: 'admin' | 'public') =>
    problemsOf(validateRegistration({ ...MINIMAL, session_expiration }, capabilities, { requester }));
  expect(register('3 h', 'public')).toEqual(['/session_expiration not_public']);
  expect(register('3 h', 'admin')).toEqual([]);
});
