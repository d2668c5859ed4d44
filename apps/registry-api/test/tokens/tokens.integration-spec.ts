import { jest } from '@jest/globals';
import { createLogger } from '@svc/service-kit';
import { eventually, SharedPostgres } from '@svc/test-servers';
import { EventKeys } from '../../src/secrets/event-keys.js';
import { SecurityEvents } from '../../src/security-events/security-events.js';
import { RetentionPolicy } from '../../src/settings/registry-settings.js';
import { ApiToken } from '../../src/tokens/api-token.entity.js';
import { MAX_DESCENDANTS, MAX_TOKENS } from '../../src/tokens/token-limits.js';
import { runTokenCommand } from '../../src/tokens/token.command.js';
import { onPostgres } from '../on-both-databases.js';
import { ask, registration, runRegistry } from '../running-registry.js';
import { deleteFiller, fillTokens } from './fill-tokens.js';

onPostgres((registry) => {
  const create = async (body: unknown, token = registry().token) =>
    ask(`${registry().url}/token`, 'POST', token, { body });
  const listed = async () =>
    (await registry().ask('GET', '/token')).body['tokens'] as Record<string, unknown>[];

  test('a token is created, shown once, and grants access by its scopes', async () => {
    const { status, headers, body } = await create({
      name: 'deploy',
      scopes: ['clients:read'],
      expires_in: '90 d',
    });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/token/${String(body['id'])}`);
    expect(headers.get('cache-control')).toBe('no-store');
    const { token: value, ...rest } = body;
    expect(rest).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      name: 'deploy',
      scopes: ['clients:read'],
      created_at: expect.any(String),
      created_by: expect.stringMatching(/^[0-9a-f]{16}$/),
      expires_at: expect.any(String),
      revoked_at: null,
      last_used_at: null,
    });
    const lifetime = Date.parse(String(body['expires_at'])) - Date.parse(String(body['created_at']));
    expect(lifetime).toBe(90 * 24 * 3_600_000);
    expect((await ask(`${registry().url}/client`, 'GET', String(value))).status).toBe(200);
    expect((await create({ name: 'x', scopes: ['clients:read'] }, String(value))).status).toBe(403);
    const self = async (token: string) => ask(`${registry().url}/token/self`, 'GET', token);
    expect((await self(String(value))).body).toEqual({
      id: body['id'],
      name: 'deploy',
      scopes: ['clients:read'],
      expires_at: body['expires_at'],
    });
    expect((await self(registry().token)).body).toMatchObject({ name: 'bootstrap', expires_at: null });
    expect((await self('wrong')).status).toBe(401);
    await eventually(async () => {
      const [found] = (await listed()).filter(({ id }) => id === body['id']);
      expect(found).toMatchObject({ name: 'deploy', last_used_at: expect.any(String) });
    });
    expect(JSON.stringify(await listed())).not.toContain(value);
    expect(registry().logged()).not.toContain(value);
  });

  test('a token without an expiry does not expire', async () => {
    expect((await create({ name: 'a', scopes: ['clients:read'] })).body['expires_at']).toBeNull();
    expect(
      (await create({ name: 'a', scopes: ['clients:read'], expires_in: null })).body['expires_at'],
    ).toBeNull();
  });

  test('a token cannot grant a scope that it does not hold', async () => {
    const { body } = await create({ name: 'office', scopes: ['tokens:write', 'clients:read'] });
    const office = String(body['token']);
    expect((await create({ name: 'less', scopes: ['clients:read'] }, office)).status).toBe(201);
    const refused = await create({ name: 'more', scopes: ['clients:read', 'clients:write'] }, office);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({
      error: 'insufficient_scope',
      detail: 'Cannot grant scopes you do not hold: clients:write.',
    });
    expect((await listed()).map(({ name }) => name)).not.toContain('more');
  });

  test('a revoked token is rejected at once', async () => {
    const { body } = await create({ name: 'short', scopes: ['clients:read'] });
    const use = async () => (await ask(`${registry().url}/client`, 'GET', String(body['token']))).status;
    expect(await use()).toBe(200);
    const path = `/token/${String(body['id'])}`;
    const { status, body: answer } = await registry().ask('DELETE', path);
    const revoked = expect.objectContaining({ id: body['id'], revoked_at: expect.any(String) });
    expect([status, answer]).toEqual([200, { revoked: [revoked], descendants: [] }]);
    expect(await use()).toBe(401);
    const again = await registry().ask('DELETE', path);
    expect([again.status, again.body]).toEqual([200, { revoked: [], descendants: [] }]);
  });

  test.each(['x', '%00', '..%2Fclient', 'a'.repeat(900), '0123456789abcdef'])(
    'there is no token %s',
    async (id) => {
      expect((await registry().ask('DELETE', `/token/${id}`)).status).toBe(404);
    },
  );

  const GOOD = { name: 'name', scopes: ['clients:read'] };
  const WRITER = { name: 'writer', scopes: ['tokens:write', 'clients:read'] };
  const fill = async (...given: [count: number, members?: Partial<ApiToken>]) =>
    fillTokens(registry().dataSource, ...given);
  test.each<[string, unknown]>([
    ['no name', { scopes: ['clients:read'] }],
    ['an empty name', { ...GOOD, name: '' }],
    ['a name that is too long', { ...GOOD, name: 'n'.repeat(256) }],
    ['a name with a control character', { ...GOOD, name: 'a\u0007' }],
    ['a name with a bidirectional override', { ...GOOD, name: 'a\u202eb' }],
    ['a name with a space at its end', { ...GOOD, name: 'a ' }],
    ['a name that is a list', { ...GOOD, name: ['a'] }],
    ['no scopes', { name: 'name' }],
    ['an empty list of scopes', { ...GOOD, scopes: [] }],
    ['an unknown scope', { ...GOOD, scopes: ['clients:fly'] }],
    ['a scope twice', { ...GOOD, scopes: ['clients:read', 'clients:read'] }],
    ['scopes in a string', { ...GOOD, scopes: 'clients:read' }],
    ['scopes of objects', { ...GOOD, scopes: [{}] }],
    ['a lifetime below a second', { ...GOOD, expires_in: 0 }],
    ['a negative lifetime', { ...GOOD, expires_in: -5 }],
    ['a lifetime without end', { ...GOOD, expires_in: '1e309' }],
    ['a lifetime of ages', { ...GOOD, expires_in: '11 y' }],
    ['a lifetime that is true', { ...GOOD, expires_in: true }],
    ['an unknown member', { ...GOOD, id: 'mine' }],
    ['a list', [GOOD]],
    ['null', null],
    ['nothing', undefined],
  ])('is 400 for %s', async (_case, body) => {
    const { status, headers } = await create(body);
    expect(status).toBe(400);
    expect(headers.get('content-type')).toContain('application/problem+json');
  });

  test('the number of usable tokens is limited, and ended ones do not count', async () => {
    const tokens = registry().dataSource.getRepository(ApiToken);
    await fill(MAX_TOKENS - (await listed()).length);
    expect((await create(GOOD)).status).toBe(409);
    await tokens.update({ name: 'filler' }, { expiresAt: new Date(Date.now() - 1_000) });
    expect((await create(GOOD)).status).toBe(201);
    await deleteFiller(registry().dataSource);
  });

  test('what descends from a token with a selector has a limit of its own, and keeps no unrestricted token from creating any', async () => {
    const [root, other] = await Promise.all(
      ['shop', 'billing'].map(async (team) => create({ ...WRITER, selector: { team } })),
    );
    const child = await create(WRITER, String(root?.body['token']));
    const madeByChild = { createdBy: String(child.body['id']) };
    await fill(MAX_DESCENDANTS - 2, madeByChild);
    const last = await create(WRITER, String(child.body['token']));
    expect(last.status).toBe(201);
    for (const { body } of [root!, child, last]) {
      const refused = await create(GOOD, String(body['token']));
      expect([refused.status, refused.body['detail']]).toEqual([
        409,
        expect.stringMatching(
          /^There are already 100 usable API tokens that were created with your token or/,
        ),
      ]);
    }
    expect((await create(GOOD, String(other?.body['token']))).status).toBe(201);

    await fill(MAX_TOKENS, madeByChild);
    expect((await create(GOOD, String(other?.body['token']))).status).toBe(409);
    expect((await create(GOOD)).status).toBe(201);
    await deleteFiller(registry().dataSource);
    expect((await create(GOOD, String(root?.body['token']))).status).toBe(201);
  });

  test('the shell creates a token however many there are', async () => {
    await fill(MAX_TOKENS);
    expect((await create(GOOD)).status).toBe(409);
    const { dataSource } = registry();
    const logger = createLogger('test', 'silent');
    const printed = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    await runTokenCommand(['create', '--name', 'rescue', '--expires-in', '1h'], {
      openDatabase: async () => ({ dataSource, close: async () => undefined }),
      openEvents: () => new SecurityEvents(dataSource, new EventKeys(['p'.repeat(40)]), logger),
      retention: new RetentionPolicy(400),
      logger,
    });
    const value = String(printed.mock.calls[0]?.[0]).trim();
    printed.mockRestore();
    expect((await ask(`${registry().url}/token/self`, 'GET', value)).body).toMatchObject({ name: 'rescue' });
    await deleteFiller(dataSource);
  });

  test('a token can revoke itself', async () => {
    const { body } = await create({ name: 'last', scopes: ['tokens:write', 'clients:write'] });
    const own = String(body['token']);
    expect((await ask(`${registry().url}/token/${String(body['id'])}`, 'DELETE', own)).status).toBe(200);
    const refused = await ask(`${registry().url}/client`, 'POST', own, { body: registration() });
    expect(refused.status).toBe(401);
  });
});

test('several replicas that start at once on one empty database agree on one bootstrap token', async () => {
  const server = new SharedPostgres();
  const BOOTSTRAP_TOKEN = 'a-token-that-all-replicas-were-given';
  const environment = {
    DATABASE_URL: await server.createDatabase(),
    BOOTSTRAP_TOKEN,
    SECRET_PEPPER: BOOTSTRAP_TOKEN,
  };
  const replicas = await Promise.all(Array.from({ length: 3 }, async () => runRegistry(environment)));
  for (const { url } of replicas) {
    expect((await ask(`${url}/client`, 'GET', BOOTSTRAP_TOKEN)).status).toBe(200);
  }
  for (const replica of replicas) await replica.close();
  const logged = replicas.map((replica) => replica.logged()).join('');
  expect(logged.match(/bootstrap API token with all scopes created/g)).toHaveLength(1);
  expect(logged).not.toContain(BOOTSTRAP_TOKEN);
  await server.dropDatabases();
});
