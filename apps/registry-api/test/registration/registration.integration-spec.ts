import { ClientChange } from '../../src/clients/client-change.entity.js';
import { DATABASE_START_MS, onPostgres } from '../on-both-databases.js';
import { ask, pathOf, registration as publicClient, runRegistry } from '../running-registry.js';

/** A Client with a secret; those without are in public-clients.integration-spec.ts. */
const registration = (overrides: Readonly<Record<string, unknown>> = {}) =>
  publicClient({ token_endpoint_auth_method: 'client_secret_basic', ...overrides });

onPostgres(
  (registry) => {
    let initial: string;
    beforeAll(async () => {
      const body = { name: 'developers', scopes: ['clients:register'] };
      initial = String((await registry().ask('POST', '/token', { body })).body['token']);
    });

    const register = async (overrides: Record<string, unknown> = {}, token = initial) =>
      ask(`${registry().url}/register`, 'POST', token, { body: registration(overrides) });
    const registered = async (overrides: Record<string, unknown> = {}) => (await register(overrides)).body;
    const manage = async (method: string, client: Record<string, unknown>, body?: unknown) =>
      ask(String(client['registration_client_uri']), method, String(client['registration_access_token']), {
        body,
      });

    test('a registration responds as RFC 7591 section 3.2.1 requires', async () => {
      const { status, headers, body } = await register({ redirect_uris: ['https://shop.example/cb'] });
      expect(status).toBe(201);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('pragma')).toBe('no-cache');
      expect(body).toEqual({
        client_id: expect.stringMatching(/^[\w-]{22}$/),
        client_secret: expect.stringMatching(/^[\w-]{43}$/),
        client_id_issued_at: expect.any(Number),
        client_secret_expires_at: 0,
        client_name: 'Shop',
        redirect_uris: ['https://shop.example/cb'],
        application_type: 'web',
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_basic',
        code_challenge_method: 'none',
        redirect_uri_validation_method: 'full_match',
        registration_access_token: expect.stringMatching(/^svcreg_/),
        registration_client_uri: `${registry().url}/register/${String(body['client_id'])}`,
      });
    });

    test('the Client is like any other, with its developer in the history', async () => {
      const { client_id } = await registered();
      expect((await registry().ask('GET', pathOf(client_id))).status).toBe(200);
      const changes = registry().dataSource.getRepository(ClientChange);
      expect(await changes.findOneByOrFail({ clientId: String(client_id) })).toMatchObject({
        kind: 'registered',
        actorName: 'developers',
      });
    });

    test('unknown metadata is ignored', async () => {
      const { status, body } = await register({
        software_id: 'x',
        'client_name#cs': 'Obchod',
        jwks: { keys: [] },
      });
      expect(status).toBe(201);
      expect(body).not.toHaveProperty('software_id');
    });

    test.each<[string, Record<string, unknown>, string]>([
      ['no redirect URI', { redirect_uris: [] }, 'invalid_redirect_uri'],
      ['a redirect URI with a fragment', { redirect_uris: ['https://a.example/#'] }, 'invalid_redirect_uri'],
      ['a grant type that is not supported', { grant_types: ['password'] }, 'invalid_client_metadata'],
      ['a client_id of its choice', { preferred_client_id: 'mine' }, 'invalid_client_metadata'],
      ['a client_secret of its choice', { client_secret: 'mine' }, 'invalid_client_metadata'],
      ['prefixes', { redirect_uri_validation_method: 'prefix_match' }, 'invalid_client_metadata'],
      ['a cookie webhook', { cookie_webhook_uri: 'https://a.example/' }, 'invalid_client_metadata'],
      ['a cookie entry point', { cookie_entry_uri: 'https://a.example/' }, 'invalid_client_metadata'],
      ['a cookie domain', { cookie_domain: 'a.example' }, 'invalid_client_metadata'],
      ['an authorize URI', { authorize_uri: 'https://a.example/' }, 'invalid_client_metadata'],
      ['a login URI', { login_uri: 'https://a.example/' }, 'invalid_client_metadata'],
      ['anonymous users', { authorize_anonymous_users: true }, 'invalid_client_metadata'],
      ['an anonymous user', { anonymous_cid: 'x' }, 'invalid_client_metadata'],
    ])(
      'a registration with %s is refused as RFC 7591 section 3.2.2 says',
      async (_case, overrides, error) => {
        const { status, headers, body } = await register(overrides);
        expect(status).toBe(400);
        expect(headers.get('content-type')).toMatch(/^application\/json/);
        expect(headers.get('cache-control')).toBe('no-store');
        expect(body).toMatchObject({ error, error_description: expect.stringMatching(/^[\x20-\x7e]+$/) });
      },
    );

    test.each([
      ['no JSON', '{'],
      ['a list', '[]'],
      ['null', 'null'],
      ['a member twice', '{"client_name":"a","client_name":"b"}'],
      ['nothing', ''],
    ])('a body of %s is refused in the same form', async (_case, body) => {
      const {
        status,
        headers,
        body: answer,
      } = await ask(`${registry().url}/register`, 'POST', initial, { body });
      expect(status).toBe(400);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(answer).toMatchObject({ error: 'invalid_client_metadata' });
    });

    test('a form is 415, as JSON', async () => {
      const { status, headers } = await ask(`${registry().url}/register`, 'POST', initial, {
        body: 'client_name=a',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect([status, headers.get('content-type')]).toEqual([415, 'application/json; charset=utf-8']);
    });

    test('registering requires an initial access token', async () => {
      const none = await fetch(`${registry().url}/register`, { method: 'POST' });
      expect(none.status).toBe(401);
      expect(none.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(none.headers.get('content-type')).toMatch(/^application\/json/);
      expect((await register({}, 'wrong')).status).toBe(401);
      const { body } = await registry().ask('POST', '/token', {
        body: { name: 'r', scopes: ['clients:write'] },
      });
      expect((await register({}, String(body['token']))).status).toBe(403);
      expect((await ask(`${registry().url}/client`, 'GET', initial)).status).toBe(403);
    });

    test('its token reads, replaces and deletes the Client', async () => {
      const client = await registered();
      const { client_secret: _, ...shown } = client;
      const read = await manage('GET', client);
      expect([read.status, read.body]).toEqual([200, shown]);
      expect(read.headers.get('cache-control')).toBe('no-store');

      const update = { client_id: client['client_id'], ...registration({ client_name: 'Store' }) };
      const replaced = await manage('PUT', client, update);
      expect([replaced.status, replaced.body]).toEqual([200, { ...shown, client_name: 'Store' }]);

      const removed = await manage('DELETE', client);
      expect([removed.status, removed.headers.get('cache-control')]).toEqual([204, 'no-store']);
      expect((await manage('GET', client)).status).toBe(401);
      expect((await registry().ask('GET', pathOf(client['client_id']))).status).toBe(404);
    });

    test('the history says that the developer did it', async () => {
      const client = await registered();
      await manage('PUT', client, {
        client_id: client['client_id'],
        ...registration({ client_name: 'Store' }),
      });
      const changes = registry().dataSource.getRepository(ClientChange);
      const where = { clientId: String(client['client_id']), kind: 'updated' } as const;
      expect(await changes.findOneByOrFail(where)).toMatchObject({
        actorId: `registration:${String(client['client_id'])}`,
        actorName: 'registration access token',
      });
    });

    test.each<[string, (client: Record<string, unknown>) => Record<string, unknown>]>([
      ['without client_id', () => ({ client_id: undefined })],
      ['with another client_id', () => ({ client_id: 'other' })],
      ['with its token', ({ registration_access_token }) => ({ registration_access_token })],
      ['with its address', ({ registration_client_uri }) => ({ registration_client_uri })],
      ['with client_id_issued_at', ({ client_id_issued_at }) => ({ client_id_issued_at })],
      ['with client_secret_expires_at', ({ client_secret_expires_at }) => ({ client_secret_expires_at })],
      ['with another secret', () => ({ client_secret: 'of my choice' })],
      ['with a field of the administrator’s', () => ({ cookie_domain: 'a.example' })],
    ])('an update %s is refused (RFC 7592 section 2.2)', async (_case, overrides) => {
      const client = await registered();
      const update = { client_id: client['client_id'], ...registration(), ...overrides(client) };
      const { status, body } = await manage('PUT', client, update);
      expect([status, body['error']]).toEqual([400, 'invalid_client_metadata']);
    });

    test('an update may contain the current secret, and keeps what the administrator has set', async () => {
      const client = await registered();
      const admin = { ...registration(), cookie_entry_uri: 'https://shop.example/cookie' };
      await registry().ask('PUT', pathOf(client['client_id']), { body: admin });
      const { client_id, client_secret } = client;
      const { status, body } = await manage('PUT', client, { client_id, client_secret, ...registration() });
      expect(status).toBe(200);
      expect(body).not.toHaveProperty('cookie_entry_uri');
      const { body: whole } = await registry().ask('GET', pathOf(client_id));
      expect(whole['cookie_entry_uri']).toBe('https://shop.example/cookie');
    });

    test('what a developer reads can be sent back, whatever the administrator has set', async () => {
      const client = await registered();
      const { client_id } = client;
      const patch = { body: { redirect_uri_validation_method: 'prefix_match' } };
      expect((await registry().ask('PATCH', pathOf(client_id), patch)).status).toBe(200);
      const { body: read } = await manage('GET', client);
      // RFC 7592 section 2.2: these must not be in an update.
      for (const name of ['registration_access_token', 'registration_client_uri', 'client_id_issued_at'])
        delete read[name];
      delete read['client_secret_expires_at'];
      const { status, body } = await manage('PUT', client, { ...read, client_name: 'Store' });
      expect([status, body['client_name'], body['redirect_uri_validation_method']]).toEqual([
        200,
        'Store',
        'prefix_match',
      ]);
      delete read['redirect_uri_validation_method'];
      expect((await manage('PUT', client, read)).body).toMatchObject({
        client_name: 'Shop',
        redirect_uri_validation_method: 'prefix_match',
      });
    });

    test('temporary redirect URIs are not shown to the developer, whose updates keep them until they end', async () => {
      const client = await registered();
      const { client_id, redirect_uris: permanent } = client;
      const preview = 'https://pr-9.preview.example/cb';
      const added = { redirect_uri: preview, expires_in: '1 h' };
      const { body: before } = await registry().ask('POST', `${pathOf(client_id)}/redirect_uris`, {
        body: added,
      });
      expect((await manage('GET', client)).body['redirect_uris']).toEqual(permanent);
      const update = { client_id, ...registration({ client_name: 'Store', redirect_uris: permanent }) };
      expect((await manage('PUT', client, update)).body['redirect_uris']).toEqual(permanent);
      const { body: after } = await registry().ask('GET', pathOf(client_id));
      expect(after).toMatchObject({
        client_name: 'Store',
        redirect_uris: before['redirect_uris'],
        temporary_redirect_uris: before['temporary_redirect_uris'],
      });
      const none = { ...update, redirect_uris: [] };
      expect((await manage('PUT', client, none)).body['error']).toBe('invalid_redirect_uri');
    });

    test('a wrong token, another Client’s, an unknown Client and an administrator’s get the same response', async () => {
      const client = await registered();
      const other = await registered();
      const { body: admins } = await registry().ask('POST', '/client', { body: registration() });
      const token = String(other['registration_access_token']);
      const cases: [unknown, string][] = [
        [client['client_id'], token],
        [client['client_id'], `${String(client['registration_access_token'])}x`],
        [client['client_id'], registry().token],
        [client['client_id'], initial],
        [admins['client_id'], token],
        ['nobody', token],
        ['a\0b', token],
      ];
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answers = await Promise.all(
          cases.map(([id, presented]) =>
            ask(`${registry().url}/register/${encodeURIComponent(String(id))}`, method, presented, {
              ...(method === 'PUT' && { body: { client_id: 'whatever', ...registration() } }),
            }),
          ),
        );
        expect(answers.map(({ status }) => status)).toEqual(cases.map(() => 401));
        expect(new Set(answers.map(({ body }) => body['error_description'])).size).toBe(1);
        expect(answers[0]?.body).toMatchObject({ error: 'invalid_token' });
        expect(answers[0]?.headers.get('www-authenticate')).toContain('error="invalid_token"');
      }
      expect((await manage('GET', client)).status).toBe(200);
    });

    test('no registration access token is in the log', async () => {
      const client = await registered();
      await manage('GET', client);
      expect(registry().logged()).not.toContain(client['registration_access_token']);
      expect(registry().logged()).not.toContain(client['client_secret']);
    });
  },
  { REGISTRATION: 'token', TOKEN_ENDPOINT_AUTH_METHODS: 'client_secret_basic' },
);

test(
  'it is off unless configured, and a configured address is in the answers',
  async () => {
    const off = await runRegistry();
    const statuses = [
      (await off.ask('POST', '/register', { body: publicClient() })).status,
      (await off.ask('GET', '/register/x')).status,
    ];
    await off.close();
    expect(statuses).toEqual([404, 404]);
    const on = await runRegistry({ REGISTRATION: 'token', PUBLIC_URL: 'https://registry.example/base/' });
    const { body } = await on.ask('POST', '/register', { body: publicClient() });
    await on.close();
    expect(body['registration_client_uri']).toMatch(
      /^https:\/\/registry\.example\/base\/register\/[\w-]{22}$/,
    );
  },
  DATABASE_START_MS * 2,
);
