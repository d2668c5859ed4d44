import { CAPABILITIES, FROM, observationOf, observedClient } from '../../test/request-history.js';
import {
  type Capabilities,
  type ClientMetadata,
  extendCapabilities,
  recommend,
  type RequestUse,
} from '../index.js';
import type { Observation, ObservedClient } from './observation.js';

const CALLBACK = 'https://shop.example/cb';
const OLD = 'https://old.shop.example/cb';
const AT = new Date('2026-11-20T09:12:00Z');

const metadata = (overrides: Partial<ClientMetadata> = {}): ClientMetadata => ({
  client_name: 'Shop',
  redirect_uris: [CALLBACK, OLD],
  redirect_uri_validation_method: 'full_match',
  application_type: 'web',
  code_challenge_method: 'S256',
  response_types: ['code'],
  grant_types: ['authorization_code'],
  token_endpoint_auth_method: 'none',
  ...overrides,
});
const used = (overrides: Partial<RequestUse> = {}, count = 1) => ({
  use: {
    ...{ kind: 'request' as const, redirect_uri: CALLBACK, match: 'exact' as const, pkce: 'S256' as const },
    response_type: 'code',
    ...overrides,
  },
  count,
  lastAt: AT,
});
/** Without a registered redirect URI. */
const foreign = (overrides: Partial<RequestUse>, count = 1) => ({
  use: { kind: 'request' as const, pkce: 'S256' as const, response_type: 'code', ...overrides },
  count,
  lastAt: AT,
});
const changed = (before: Partial<ClientMetadata>, after: Partial<ClientMetadata> = {}) => ({
  kind: 'updated',
  before: metadata(before),
  after: metadata(after),
});

interface Case {
  readonly metadata?: Partial<ClientMetadata>;
  readonly client?: Partial<ObservedClient>;
  readonly observation?: Partial<Observation>;
  readonly capabilities?: Capabilities;
}
const recommended = ({ metadata: members, client, observation, capabilities = CAPABILITIES }: Case) => {
  const history = { metadata: metadata(members), requests: [], secrets: [] };
  const observed = observationOf(history, { uses: [used()], ...observation });
  return recommend(observedClient(history.metadata, client), observed, capabilities);
};
const kindsOf = (given: Case) => recommended(given).map(({ kind }) => kind);

test('a recommendation carries what it rests on', () => {
  const uses = [
    used({}, 5),
    used({ pkce: 'none' }, 2),
    foreign({ refusal: 'no_match' }, 3),
    { use: { kind: 'secret' as const, secret: '1' }, count: 4, lastAt: AT },
  ];
  const observation = { uses, lastUsedAt: AT };
  expect(recommended({ metadata: { code_challenge_method: 'none' }, observation })).toEqual([
    {
      kind: 'remove_redirect_uris',
      change: { action: 'patch', patch: { redirect_uris: [CALLBACK] } },
      evidence: {
        ...{ requests: 7, secretChecks: 4, refused: 3, lastUsedAt: AT },
        seen: [{ value: CALLBACK, count: 7, lastAt: AT }],
        unused: [OLD],
      },
      replay: { requests: 7, refused: 0 },
    },
  ]);
});

const TEMPORARY = { temporaryUris: [{ redirect_uri: OLD, expires_at: '2027-01-01T00:00:00.000Z' }] };
const ONLY_TEMPORARY = {
  temporaryUris: [{ redirect_uri: CALLBACK, expires_at: '2027-01-01T00:00:00.000Z' }],
};

test.each<[string, Case, string[]]>([
  ['registered all the time', {}, ['remove_redirect_uris']],
  ['added meanwhile', { observation: { changes: [changed({ redirect_uris: [CALLBACK] })] } }, []],
  ['removed and added again', { observation: { changes: [changed({}, { redirect_uris: [CALLBACK] })] } }, []],
  [
    'of a Client that changed otherwise',
    { observation: { changes: [changed({ client_name: 'x' })] } },
    ['remove_redirect_uris'],
  ],
  ['that ends by itself', { client: TEMPORARY }, []],
  ['beside one that ends', { client: ONLY_TEMPORARY }, []],
  [
    'that one of many others may have used',
    { observation: { uses: [used(), foreign({ match: 'exact', others: true })] } },
    [],
  ],
  [
    'of a Client that was disabled meanwhile',
    { observation: { changes: [{ kind: 'enabled', before: null, after: null }] } },
    [],
  ],
  ['of a disabled Client', { client: { enabled: false } }, []],
  ['of a Client from within these days', { client: { createdAt: FROM } }, []],
])('an unused redirect URI %s', (_case, given, kinds) => {
  expect(kindsOf(given)).toEqual(kinds);
});

const UNUSED = { uses: [] };

test.each<[string, Case, string[]]>([
  ['is disabled', { observation: UNUSED }, ['disable']],
  [
    'is disabled also if requests were refused',
    { observation: { uses: [used({ refusal: 'no_match' })] } },
    ['disable'],
  ],
  [
    'may be one whose server reports nothing',
    { observation: { ...UNUSED, sees: { requests: false, secrets: true } } },
    [],
  ],
  [
    'may still set cookies',
    { observation: UNUSED, metadata: { cookie_entry_uri: 'https://shop.example/entry' } },
    [],
  ],
  [
    'may still refresh tokens',
    { observation: UNUSED, metadata: { grant_types: ['authorization_code', 'refresh_token'] } },
    [],
  ],
  [
    'was enabled a moment ago',
    { observation: { ...UNUSED, changes: [{ kind: 'enabled', before: null, after: null }] } },
    [],
  ],
])('a Client without uses %s', (_case, given, kinds) => {
  expect(kindsOf(given)).toEqual(kinds);
});

test.each<[string, Partial<Observation>]>([
  ['used', { uses: [{ use: { kind: 'assertion' }, count: 9, lastAt: AT }] }],
  ['perhaps used, as its server may verify them alone', UNUSED],
])('a Client that authenticates by assertions is %s', (_case, observation) => {
  const capabilities = extendCapabilities({
    token_endpoint_auth_method: ['private_key_jwt', 'client_secret_basic'],
    grant_types: ['client_credentials'],
    optional_fields: ['jwks_uri'],
  });
  const members = metadata({
    ...{ token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://shop.example/jwks' },
    grant_types: ['authorization_code', 'client_credentials'],
  });
  const observed = observationOf({ metadata: members, requests: [], secrets: [] }, observation);
  expect(recommend(observedClient(members), observed, capabilities)).toEqual([]);
  const withSecret = { ...members, token_endpoint_auth_method: 'client_secret_basic' };
  const { kind } = recommend(observedClient(withSecret), { ...observed, ...UNUSED }, capabilities)[0]!;
  expect(kind).toBe('disable');
});

test('what was loosened within these days is left alone', () => {
  const members = {
    redirect_uris: [CALLBACK],
    code_challenge_method: 'none',
    redirect_uri_validation_method: 'prefix_match',
  } as const;
  const stricter = {
    ...members,
    code_challenge_method: 'S256',
    redirect_uri_validation_method: 'full_match',
  } as const;
  expect(kindsOf({ metadata: members })).toEqual(['require_s256', 'use_full_match']);
  expect(kindsOf({ metadata: members, observation: { changes: [changed(stricter, members)] } })).toEqual([]);
});

test('a Client should require S256 if it uses it for codes, whatever it does for other responses', () => {
  const types = {
    response_types: ['code', 'id_token', 'code id_token'],
    grant_types: ['authorization_code', 'implicit'],
  };
  const capabilities = extendCapabilities(types);
  const members = { ...types, redirect_uris: [CALLBACK], code_challenge_method: 'none' } as const;
  const kindsIn = (uses: Observation['uses']) =>
    kindsOf({ metadata: members, observation: { uses }, capabilities });
  const implicit = used({ response_type: 'id_token', pkce: 'none' }, 3);
  const observation = { uses: [used({}, 2), implicit] };
  expect(recommended({ metadata: members, observation, capabilities })).toMatchObject([
    {
      kind: 'require_s256',
      evidence: { seen: [{ value: 'S256', count: 2 }] },
      replay: { requests: 5, refused: 0 },
    },
  ]);
  expect(kindsIn([implicit])).toEqual([]);
  const hybrid = used({ response_type: 'code id_token', pkce: 'none' });
  expect(kindsIn([used(), hybrid])).toEqual([]);
});

test('a Client that must use plain, and is refused with S256, should require S256', () => {
  const uses = [used({ refusal: 'pkce_method_not_allowed' })];
  const members = { redirect_uris: [CALLBACK], code_challenge_method: 'plain' } as const;
  const sees = { requests: true, secrets: true };
  expect(kindsOf({ metadata: members, observation: { uses, sees } })).toEqual(['disable', 'require_s256']);
});

test('a Client that must use plain, and is accepted with S256, keeps what it uses', () => {
  const members = {
    ...{ redirect_uris: [CALLBACK], code_challenge_method: 'plain' as const },
    redirect_uri_validation_method: 'none' as const,
  };
  const unclean = foreign({ match: 'unchecked', origin: 'https://b.example', is_clean: false }, 2);
  expect(recommended({ metadata: members, observation: { uses: [used(), unclean] } })).toMatchObject([
    { kind: 'require_s256', replay: { requests: 3, refused: 0 } },
  ]);
});

test('a secret of a used Client is retired only where secrets are checked', () => {
  const secrets = [{ hint: 'abcd', createdAt: new Date('2026-01-01'), lastUsedAt: null }];
  const members = { redirect_uris: [CALLBACK] };
  const sees = { requests: true, secrets: false };
  expect(recommended({ metadata: members, observation: { secrets } })).toMatchObject([
    { kind: 'retire_secrets', change: { action: 'reset_secret' }, evidence: { unused: ['abcd'] } },
  ]);
  expect(kindsOf({ metadata: members, observation: { secrets, sees } })).toEqual([]);
});

test('an origin that may not be registered is not recommended', () => {
  const members = { redirect_uris: [CALLBACK], redirect_uri_validation_method: 'none' } as const;
  const on = (origin: string) => foreign({ match: 'unchecked', origin, is_clean: true });
  expect(
    recommended({ metadata: members, observation: { uses: [used(), on('https://b.example')] } }),
  ).toMatchObject([
    {
      change: {
        patch: {
          redirect_uri_validation_method: 'prefix_match',
          redirect_uris: [CALLBACK, 'https://b.example'],
        },
      },
    },
  ]);
  expect(kindsOf({ metadata: members, observation: { uses: [on('http://b.example')] } })).toEqual([]);
});
