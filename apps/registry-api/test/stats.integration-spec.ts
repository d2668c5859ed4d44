import { metadataOf, store } from './list/stored-clients.js';
import { onPostgres } from './on-both-databases.js';
import { pathOf, registration } from './running-registry.js';

const DAY_MS = 86_400_000;

onPostgres((registry) => {
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
  const client = (clientId: string, days: number, enabled: boolean, warnings: readonly string[]) => {
    const createdAt = ago(days);
    const metadata = metadataOf({
      token_endpoint_auth_method: clientId === 'public' ? 'none' : 'client_secret_basic',
    });
    return { clientId, metadata, enabled, warnings, createdAt, updatedAt: createdAt };
  };

  test('Clients are counted by state, warning and age, secrets by use and expiry; the result is cached', async () => {
    await store(registry().dataSource, [
      client('old', 1_000, true, ['weak_pkce']),
      client('off', 20, false, ['weak_pkce', 'look_alike_name']),
      client('new', 0, true, []),
      client('public', 0, true, []),
    ]);
    await registry().dataSource.query(
      `INSERT INTO client_secret (client_id, hash, pepper_id, hint, created_at, expires_at, last_used_at) VALUES
         ('old', 'x', 'p', 'hint', now(), NULL, now() - interval '2 days'),
         ('off', 'x', 'p', 'hint', now(), now() + interval '3 days', NULL),
         ('new', 'x', 'p', 'hint', now(), now() - interval '1 day', now()),
         ('public', 'x', 'p', 'hint', now(), now() + interval '3 days', NULL)`,
    );
    const { status, body } = await registry().ask('GET', '/clients/stats');
    expect(status).toBe(200);
    expect(Date.now() - Date.parse(String(body['as_of']))).toBeLessThan(10_000);
    expect(body).toEqual({
      as_of: expect.any(String),
      clients: 4,
      enabled: 3,
      disabled: 1,
      pending: 0,
      with_warnings: 2,
      labels: [],
      managers: [{ clients: 4 }],
      warnings: [
        { code: 'weak_pkce', clients: 2 },
        { code: 'look_alike_name', clients: 1 },
      ],
      age: [
        { within_days: 1, count: 2 },
        { within_days: 7, count: 0 },
        { within_days: 30, count: 1 },
        { within_days: 90, count: 0 },
        { within_days: 365, count: 0 },
        { count: 1 },
      ],
      secrets: {
        count: 2,
        last_use: [
          { within_days: 1, count: 0 },
          { within_days: 7, count: 1 },
          { within_days: 30, count: 0 },
          { within_days: 90, count: 0 },
          { within_days: 365, count: 0 },
          { count: 0 },
        ],
        never_used: 1,
        imported_hashes: 0,
        expiring: [
          { within_days: 1, count: 0 },
          { within_days: 7, count: 1 },
          { within_days: 30, count: 1 },
        ],
      },
      usage: {
        last_use: [
          { within_days: 1, count: 1 },
          { within_days: 7, count: 1 },
          { within_days: 30, count: 0 },
          { within_days: 90, count: 0 },
          { within_days: 365, count: 0 },
          { count: 0 },
        ],
        never_used: 2,
        refused: 0,
      },
    });
    const made = await registry().ask('POST', '/client', { body: registration() });
    expect((await registry().ask('GET', '/clients/stats')).body).toEqual(body);
    // Whom the numbers of secrets are about, the filters of lists find.
    for (const query of ['secret_expires_within=7', 'secret_never_used=true']) {
      const list = (await registry().ask('GET', `/client?${query}`)).body;
      expect((list['clients'] as { client_id: string }[]).map(({ client_id }) => client_id)).toEqual(['off']);
    }
    await registry().ask('DELETE', pathOf(made.body['client_id']));
  });
});
