import { DEFAULT_CAPABILITIES, extendCapabilities } from '../fields/capabilities.js';
import type { CurrentClient } from '../fields/client-metadata.js';
import {
  validatePatch,
  validateRegistration,
  validateUpdate,
  type UpdateOptions,
} from './validate-request.js';
import type { ValidationResult } from './validate-client.js';

const CB = 'https://app.example.com/cb';

/** A stored Client as `GET` answers with it. */
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
  cookie_entry_uri: 'https://app.example.com/cookie',
  session_expiration: '1 h',
  session_expiration_seconds: 3600,
  client_id_issued_at: 1_700_000_000,
  enabled: true,
  own_extra: { a: [1, { b: 2, c: null }] },
};

const MINIMAL = { client_name: 'New', redirect_uris: [CB] };

const put = (body: unknown, options?: UpdateOptions) =>
  validateUpdate(CURRENT, body, DEFAULT_CAPABILITIES, options);
const patch = (body: unknown) => validatePatch(CURRENT, body, DEFAULT_CAPABILITIES);
const problemsOf = (result: ValidationResult) =>
  result.valid ? [] : result.violations.map(({ field, code }) => `${field} ${code}`);

describe('PUT', () => {
  test('replaces all editable fields: omitted ones get their defaults', () => {
    const result = put(MINIMAL);
    expect(result).toMatchObject({
      valid: true,
      metadata: { client_name: 'New', code_challenge_method: 'none' },
    });
    expect(result).not.toHaveProperty('metadata.cookie_entry_uri');
    expect(result).not.toHaveProperty('metadata.session_expiration');
    expect(result).not.toHaveProperty('metadata.client_id');
  });

  test('accepts a GET response unchanged', () => {
    const result = put(structuredClone(CURRENT));
    expect(result).toMatchObject({
      valid: true,
      metadata: { client_name: 'App', session_expiration: '1 h' },
    });
    expect(result).not.toHaveProperty('metadata.own_extra');
  });

  test('accepts any value for fields that change by themselves', () => {
    const current = { ...CURRENT, client_secrets: [{ hint: 'abcd' }] };
    const body = { ...MINIMAL, client_secrets: [] };
    expect(validateUpdate(current, body, DEFAULT_CAPABILITIES)).toMatchObject({ valid: true });
    expect(problemsOf(validateRegistration(body, DEFAULT_CAPABILITIES))).toEqual([
      '/client_secrets server_owned',
    ]);
  });

  test('without name and redirect URIs is rejected', () => {
    expect(problemsOf(put({}))).toEqual(['/client_name required', '/redirect_uris required']);
  });

  test.each<[string, unknown]>([
    ['client_id', 'other'],
    ['client_id', null],
    ['cookie_name', 'other'],
    ['client_id_issued_at', 1],
    ['client_id_issued_at', '1700000000'],
    ['session_expiration_seconds', 60],
    ['enabled', false],
    ['client_secret', 'x'],
    ['client_secret', null],
    ['client_secret_expires_at', 0],
    ['registration_access_token', 'x'],
    ['own_extra', { a: [1, { b: 3, c: null }] }],
    ['own_extra', { a: [1, { b: 2 }] }],
    ['own_extra', { a: [1] }],
    ['own_extra', { a: { 0: 1 } }],
    ['own_extra', 'x'],
  ])('cannot set %s to %p', (name, value) => {
    expect(put({ ...MINIMAL, [name]: value })).toMatchObject({
      valid: false,
      violations: [
        {
          field: `/${name}`,
          code: 'server_owned',
          message: expect.stringContaining('leave it out') as string,
        },
      ],
    });
  });

  test('compares server-owned fields by value, regardless of member order', () => {
    expect(problemsOf(put({ ...MINIMAL, own_extra: { a: [1, { c: null, b: 2 }] } }))).toEqual([]);
  });

  test('accepts null for unset fields', () => {
    expect(problemsOf(put({ ...MINIMAL, client_secret_hint: null }))).toEqual([]);
    const stored: CurrentClient = { ...CURRENT, own_extra: null };
    expect(problemsOf(validateUpdate(stored, { ...MINIMAL, own_extra: null }, DEFAULT_CAPABILITIES))).toEqual(
      [],
    );
  });

  test('a secret check does not excuse other violations', () => {
    const options = { isCurrentSecret: () => true };
    expect(problemsOf(put({ ...MINIMAL, client_id: 'other' }, options))).toEqual(['/client_id server_owned']);
    expect(problemsOf(put({ ...MINIMAL, client_secret: 7 }, options))).toEqual([
      '/client_secret server_owned',
    ]);
  });

  test('may carry the present client_secret, which only the caller can check', () => {
    const isCurrentSecret = (secret: string) => secret === 'right';
    expect(problemsOf(put({ ...MINIMAL, client_secret: 'right' }, { isCurrentSecret }))).toEqual([]);
    expect(problemsOf(put({ ...MINIMAL, client_secret: 'wrong' }, { isCurrentSecret }))).toEqual([
      '/client_secret server_owned',
    ]);
    const stored = { ...CURRENT, client_secret: 'x' };
    expect(
      problemsOf(validateUpdate(stored, { ...MINIMAL, client_secret: 'x' }, DEFAULT_CAPABILITIES)),
    ).toEqual(['/client_secret server_owned']);
  });

  test('cannot change the client_id', () => {
    expect(problemsOf(put({ ...MINIMAL, preferred_client_id: 'other' }))).toEqual([
      '/preferred_client_id registration_only',
    ]);
    const same = put({ ...MINIMAL, preferred_client_id: 'kNo1' });
    expect(same).toMatchObject({ valid: true });
    expect(same).not.toHaveProperty('preferredClientId');
  });

  test('rejects unknown fields and non-objects', () => {
    expect(problemsOf(put({ ...MINIMAL, colour: 1 }))).toEqual(['/colour unknown_field']);
    expect(problemsOf(put([]))).toEqual([' type']);
  });

  test('is validated against the new type, not the former one', () => {
    const capabilities = extendCapabilities({ application_type: ['native'] });
    const native = { ...MINIMAL, application_type: 'native', redirect_uris: ['com.example.app:/cb'] };
    expect(problemsOf(validateUpdate(CURRENT, native, capabilities))).toEqual([]);
    const stored: CurrentClient = { ...CURRENT, ...native };
    expect(problemsOf(validateUpdate(stored, { ...native, application_type: 'web' }, capabilities))).toEqual([
      '/redirect_uris/0 uri_scheme_of_web_client',
    ]);
  });
});

describe('PUT by a developer (RFC 7592 section 2.2)', () => {
  const publicly = (body: object, options?: UpdateOptions) => put(body, { ...options, requester: 'public' });

  test('must name the client_id', () => {
    expect(problemsOf(publicly(MINIMAL))).toEqual(['/client_id required']);
    expect(problemsOf(publicly({ ...MINIMAL, client_id: 'kNo1' }))).toEqual([]);
    expect(problemsOf(publicly({ ...MINIMAL, client_id: 'other' }))).toEqual(['/client_id server_owned']);
  });

  test.each([
    'registration_access_token',
    'registration_client_uri',
    'client_secret_expires_at',
    'client_id_issued_at',
  ])('must not name %s, whatever its value', (name) => {
    expect(problemsOf(publicly({ ...MINIMAL, client_id: 'kNo1', [name]: CURRENT[name] ?? 1 }))).toEqual([
      `/${name} server_owned`,
    ]);
  });

  test('keeps what only an administrator can set', () => {
    const result = publicly({ ...MINIMAL, client_id: 'kNo1' });
    expect(result).toMatchObject({ metadata: { cookie_entry_uri: 'https://app.example.com/cookie' } });
    expect(result).not.toHaveProperty('metadata.session_expiration');
    expect(
      problemsOf(publicly({ ...MINIMAL, client_id: 'kNo1', cookie_entry_uri: 'https://b.example/' })),
    ).toEqual(['/cookie_entry_uri not_public']);
    expect(publicly({ ...MINIMAL, client_id: 'kNo1', cookie_entry_uri: null })).toMatchObject({
      metadata: { cookie_entry_uri: 'https://app.example.com/cookie' },
    });
  });

  describe('of a Client whose redirect URI validation an administrator has relaxed', () => {
    const relaxed: CurrentClient = { ...CURRENT, redirect_uri_validation_method: 'prefix_match' };
    const update = (method?: string | null) =>
      validateUpdate(
        relaxed,
        {
          ...MINIMAL,
          client_id: 'kNo1',
          ...(method !== undefined && { redirect_uri_validation_method: method }),
        },
        DEFAULT_CAPABILITIES,
        { requester: 'public' },
      );

    test.each([
      ['takes back what was read', 'prefix_match', 'prefix_match'],
      ['keeps it when it is left out', undefined, 'prefix_match'],
      ['keeps it when it is null', null, 'prefix_match'],
      ['narrows it when asked to', 'full_match', 'full_match'],
    ])('%s', (_case, method, kept) => {
      expect(update(method)).toMatchObject({
        valid: true,
        metadata: { client_name: 'New', redirect_uri_validation_method: kept },
      });
    });

    test('does not extend it further', () => {
      expect(problemsOf(update('none'))).toEqual(['/redirect_uri_validation_method not_public']);
    });
  });

  test('ignores unknown fields', () => {
    expect(problemsOf(publicly({ ...MINIMAL, client_id: 'kNo1', logo_uri: 'x' }))).toEqual([]);
  });
});

describe('PATCH', () => {
  test('changes what it names and keeps the rest', () => {
    expect(patch({ client_name: 'New' })).toMatchObject({
      valid: true,
      metadata: {
        client_name: 'New',
        redirect_uris: [CB],
        code_challenge_method: 'S256',
        cookie_entry_uri: 'https://app.example.com/cookie',
      },
    });
  });

  test('may set what only an administrator can set', () => {
    expect(patch({ cookie_domain: 'example.com', login_uri: null })).toMatchObject({
      metadata: { cookie_domain: 'example.com' },
    });
  });

  test('resets a field to its default with null', () => {
    const result = patch({ code_challenge_method: null, session_expiration: null });
    expect(result).toMatchObject({ valid: true, metadata: { code_challenge_method: 'none' } });
    expect(result).not.toHaveProperty('metadata.session_expiration');
  });

  test('cannot unset required fields', () => {
    expect(problemsOf(patch({ client_name: null }))).toEqual(['/client_name required']);
  });

  test('replaces a list as a whole (RFC 7396 section 1)', () => {
    const result = patch({ redirect_uris: ['https://b.example/cb'] });
    expect(result).toMatchObject({ metadata: { redirect_uris: ['https://b.example/cb'] } });
  });

  test('cannot change server-owned fields', () => {
    const body = {
      client_id: 'other',
      client_secret: 'x',
      cookie_name: null,
      enabled: false,
      preferred_client_id: 'x',
    };
    expect(problemsOf(patch(body))).toEqual([
      '/client_id server_owned',
      '/client_secret server_owned',
      '/cookie_name server_owned',
      '/enabled server_owned',
      '/preferred_client_id registration_only',
    ]);
    expect(problemsOf(patch({ client_id: 'kNo1', enabled: true }))).toEqual([]);
  });

  test('is validated together with the unchanged fields', () => {
    const capabilities = extendCapabilities({ application_type: ['native'] });
    const stored: CurrentClient = {
      ...CURRENT,
      application_type: 'native',
      redirect_uris: ['com.example.app:/cb'],
    };
    expect(problemsOf(validatePatch(stored, { application_type: 'web' }, capabilities))).toEqual([
      '/redirect_uris/0 uri_scheme_of_web_client',
    ]);
  });

  test('validates what was stored under older rules as well', () => {
    const stored: CurrentClient = { ...CURRENT, redirect_uris: ['http://app.example.com/cb'] };
    expect(problemsOf(validatePatch(stored, { client_name: 'New' }, DEFAULT_CAPABILITIES))).toEqual([
      '/redirect_uris/0 uri_plain_http',
    ]);
  });

  test('that is empty changes nothing; a non-object is rejected', () => {
    expect(patch({})).toMatchObject({
      valid: true,
      metadata: { client_name: 'App', session_expiration: '1 h' },
    });
    expect(problemsOf(patch(null))).toEqual([' type']);
  });
});

test('a patch merges labels entry by entry; null removes one, or all', () => {
  const current = { ...CURRENT, labels: { team: 'shop', tier: 'gold' } };
  const labelsAfter = (labels: unknown) => {
    const result = validatePatch(current, { labels }, DEFAULT_CAPABILITIES);
    return result.valid ? result.metadata.labels : result.violations;
  };
  expect(labelsAfter({ tier: null, region: 'eu' })).toEqual({ team: 'shop', region: 'eu' });
  expect(labelsAfter({ tier: null, team: null })).toBeUndefined();
  expect(labelsAfter(null)).toBeUndefined();
  expect(labelsAfter('x')).toMatchObject([{ field: '/labels', code: 'type' }]);
});
