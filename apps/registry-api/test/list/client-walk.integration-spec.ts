import { jest } from '@jest/globals';
import fc from 'fast-check';
import { onBothDatabases } from '../on-both-databases.js';
import type { Answer } from '../running-registry.js';
import { type ListedClient, type ListedSecret, metadataOf, store } from './stored-clients.js';

jest.setTimeout(180_000);

/** More than are looked at one by one, so that the ways to rare Clients are gone, too. */
const COUNT = 4_600;

const pick = <T>(values: readonly T[], index: number): T => values[index % values.length] as T;
const NAMES = [
  'Shop',
  'shop',
  'SHOP 2',
  'Émile',
  'émile',
  'Zebra',
  '100%',
  'a_b',
  'a\\b',
  '商店',
  '😀',
  '＠',
];
const START = Date.UTC(2026, 0, 1);

const DAY_MS = 86_400_000;
const NOW = Date.now();
const inDays = (days: number) => new Date(NOW + days * DAY_MS);

/** What a Client's secrets may be like: used and unused, ended, ending soon and never. */
const SECRETS: readonly (readonly ListedSecret[])[] = [
  [{ lastUsedAt: new Date(START) }],
  [{}],
  [{ lastUsedAt: new Date(START) }, { expiresAt: inDays(-1) }],
  [{ lastUsedAt: new Date(START) }],
  [],
];

const RARE_SECRETS: readonly ListedSecret[] = [
  { lastUsedAt: new Date(START) },
  { lastUsedAt: new Date(START), expiresAt: inDays(5) },
];

/** Many equal names and times; some values are common, some rare, some only at one end of an order. */
const CLIENTS: readonly ListedClient[] = Array.from({ length: COUNT }, (_, index) => {
  const spread = (index * 7_919) % COUNT;
  const isRare = spread % 919 === 0;
  const isLate = index > COUNT - 200;
  const createdAt = new Date(START + Math.floor(index / 9) * 1_000);
  return {
    clientId: `c${spread.toString(36).padStart(4, '0')}`,
    metadata: metadataOf({
      client_name: pick(NAMES, spread),
      redirect_uris: [`https://${isRare ? 'rare' : 'host'}${spread % 50}.example/cb`],
      client_uri: isLate ? 'https://late.example/' : undefined,
      application_type: isRare ? 'native' : 'web',
      grant_types: spread % 5 === 0 ? ['authorization_code', 'refresh_token'] : ['authorization_code'],
      token_endpoint_auth_method: spread % 3 === 0 ? 'none' : 'client_secret_basic',
      code_challenge_method: pick(['none', 'plain', 'S256', 'S256', 'S256'], spread),
      authorize_anonymous_users: pick([true, false, undefined, undefined, undefined], spread),
    }),
    enabled: !isLate,
    warnings: pick([[], [], ['weak_pkce'], ['weak_pkce', 'look_alike_name']], spread),
    createdAt,
    updatedAt: spread % 4 === 0 ? new Date(START + (spread % 600) * 1_000) : createdAt,
    secrets: spread % 700 < 2 ? RARE_SECRETS : pick(SECRETS, spread),
  };
});

/** Name, id, and host and path of each URI, by another parser than the registry's. */
const textsOf = ({ clientId, metadata }: ListedClient): string[] => {
  const uris = [metadata['client_uri'], ...(metadata['redirect_uris'] as string[])].filter(
    (uri) => uri !== undefined,
  );
  const places = uris.map((uri) => new URL(String(uri))).map(({ host, pathname }) => host + pathname);
  return [metadata.client_name, clientId, ...places].map((text) => text.toLowerCase());
};

const TEXTS = new Map(CLIENTS.map((client) => [client, textsOf(client)]));

/** A public Client has no use for its secrets. */
const validSecrets = ({ metadata, secrets = [] }: ListedClient): readonly ListedSecret[] =>
  metadata['token_endpoint_auth_method'] === 'none'
    ? []
    : secrets.filter(({ expiresAt }) => !expiresAt || expiresAt > inDays(0));

/** Each filter and what it means: the model that lists are compared with. */
const FILTERS: Readonly<Record<string, (value: string) => (client: ListedClient) => boolean>> = {
  q: (value) => {
    const words = value.toLowerCase().split(' ');
    return (client) =>
      words.every((word) =>
        TEXTS.get(client)?.some((text) =>
          word.length < 3
            ? [text.split(/[^\p{L}\p{N}]+/u), text.split(' ')].flat().some((part) => part.startsWith(word))
            : text.includes(word),
        ),
      );
  },
  enabled: (value) => (client) => String(client.enabled) === value,
  has_warnings: (value) => (client) => String(client.warnings.length > 0) === value,
  warning: (value) => (client) => client.warnings.includes(value),
  created_since: (value) => (client) => client.createdAt >= new Date(value),
  updated_since: (value) => (client) => client.updatedAt >= new Date(value),
  application_type: (value) => (client) => client.metadata['application_type'] === value,
  grant_types: (value) => (client) => (client.metadata['grant_types'] as string[]).includes(value),
  code_challenge_method: (value) => (client) => client.metadata['code_challenge_method'] === value,
  authorize_anonymous_users: (value) => (client) =>
    String(client.metadata['authorize_anonymous_users'] === true) === value,
  secret_expires_within: (value) => (client) =>
    validSecrets(client).some(({ expiresAt }) => expiresAt && expiresAt <= inDays(Number(value))),
  secret_never_used: (value) => (client) =>
    String(validSecrets(client).some(({ lastUsedAt }) => !lastUsedAt)) === value,
};

const KEYS = {
  client_name: (client: ListedClient) => client.metadata.client_name.toLowerCase(),
  client_id: (client: ListedClient) => client.clientId,
  created_at: (client: ListedClient) => client.createdAt.toISOString(),
  updated_at: (client: ListedClient) => client.updatedAt.toISOString(),
};

/** Each order of all Clients, made once: by the bytes of UTF-8, then by client_id. */
const ORDERS = new Map(
  Object.entries(KEYS).map(([name, key]) => {
    const keyed = CLIENTS.map((client) => {
      const bytes = [key(client), client.clientId].map((text) => Buffer.from(text));
      return { client, bytes: bytes as [Buffer, Buffer] };
    });
    keyed.sort(({ bytes: [a, idOfA] }, { bytes: [b, idOfB] }) => a.compare(b) || idOfA.compare(idOfB));
    return [name, keyed.map(({ client }) => client)];
  }),
);

function expected(query: Readonly<Record<string, string>>, sort: string): string[] {
  const tests = Object.entries(query).map(([name, value]) => FILTERS[name]?.(value));
  const fitting = (ORDERS.get(sort.replace('-', '')) ?? [])
    .filter((client) => tests.every((fits) => fits?.(client)))
    .map(({ clientId }) => clientId);
  return sort.startsWith('-') ? fitting.reverse() : fitting;
}

const instants = fc.integer({ min: -5, max: 605 }).map((s) => new Date(START + s * 1_000).toISOString());
const queries = fc.record(
  {
    q: fc.constantFrom(
      ...NAMES,
      'example',
      'rare',
      'rare7.ex',
      'late.ex',
      'host4',
      'c0',
      'h',
      'la',
      'ra',
      '%',
      '_',
      '%%%',
      'nowhere',
      '.example/cb',
      'LE/CB',
      'cb rare',
      'HOST4 c0 h',
    ),
    enabled: fc.constantFrom('true', 'false'),
    has_warnings: fc.constantFrom('true', 'false'),
    warning: fc.constantFrom('weak_pkce', 'look_alike_name', 'discouraged_grant'),
    created_since: instants,
    updated_since: instants,
    application_type: fc.constantFrom('web', 'native'),
    grant_types: fc.constantFrom('authorization_code', 'refresh_token', 'implicit'),
    code_challenge_method: fc.constantFrom('none', 'plain', 'S256'),
    authorize_anonymous_users: fc.constantFrom('true', 'false'),
    secret_expires_within: fc.constantFrom('1', '7'),
    secret_never_used: fc.constantFrom('true', 'false'),
  },
  { requiredKeys: [] },
);
const sorts = fc.constantFrom(...Object.keys(KEYS).flatMap((key) => [key, `-${key}`]));

/** Nightly, with `TEST_DATABASES=both`, five times as many random queries are tried on each database. */
const isNightly = process.env['TEST_DATABASES'] === 'both';

onBothDatabases((registry) => {
  beforeAll(async () => {
    await store(registry().dataSource, CLIENTS);
    await registry().dataSource.query('ANALYZE client');
  });

  const list = async (query: Readonly<Record<string, string>>): Promise<Answer['body']> => {
    const { status, body } = await registry().ask('GET', `/client?${new URLSearchParams(query).toString()}`);
    expect({ status, problem: body['detail'] }).toEqual({ status: 200, problem: undefined });
    return body;
  };

  const walk = async (query: Readonly<Record<string, string>>): Promise<string[]> => {
    const met: string[] = [];
    let cursor: Readonly<Record<string, string>> = {};
    for (;;) {
      const body = await list({ ...query, ...cursor });
      met.push(...(body['clients'] as { client_id: string }[]).map(({ client_id }) => client_id));
      if (body['next'] === undefined) return met;
      cursor = { cursor: String(body['next']) };
    }
  };

  test.each(Object.keys(KEYS).flatMap((key) => [key, `-${key}`]))(
    'a walk sorted by %s meets every Client exactly once, in order',
    async (sort) => {
      expect(await walk({ sort, limit: '500' })).toEqual(expected({}, sort));
    },
  );

  test('paging with any filter, sort and page size yields exactly the matching Clients, in order', async () => {
    await fc.assert(
      fc.asyncProperty(queries, sorts, fc.integer({ min: 300, max: 500 }), async (query, sort, limit) => {
        expect(await walk({ ...query, sort, limit: String(limit) })).toEqual(expected(query, sort));
      }),
      { numRuns: isNightly ? 50 : 10 },
    );
  });

  test.each([{ q: 'rare' }, { secret_expires_within: '7' }])(
    'small pages of %j join without a gap',
    async (query) => {
      const rare = expected(query, '-client_name');
      expect(rare.length).toBeGreaterThan(4);
      expect(await walk({ ...query, sort: '-client_name', limit: '2' })).toEqual(rare);
    },
  );

  test.each([{ secret_never_used: 'true' }, { secret_never_used: 'false' }])(
    'a walk of %j meets exactly the Clients that fit',
    async (query) => {
      expect(await walk({ ...query, sort: '-updated_at', limit: '500' })).toEqual(
        expected(query, '-updated_at'),
      );
    },
  );

  test('the total is that of all pages, with any filter', async () => {
    await fc.assert(
      fc.asyncProperty(queries, async (query) => {
        const body = await list({ ...query, limit: '1', count: 'true' });
        const total = expected(query, 'client_id').length;
        expect(body).toMatchObject({ total, total_is_exact: true });
      }),
      { numRuns: isNightly ? 30 : 10 },
    );
  });
});
