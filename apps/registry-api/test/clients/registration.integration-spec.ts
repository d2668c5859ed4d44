import { cookieNameOf } from '../../src/clients/credentials.js';
import { onPostgres } from '../on-both-databases.js';
import { type Answer, pathOf, registration, type Sent, untilServed } from '../running-registry.js';

onPostgres((registry) => {
  const ask = async (method: string, path: string, sent?: Sent): Promise<Answer> =>
    registry().ask(method, path, sent);
  const register = async (overrides?: Record<string, unknown>): Promise<Answer> =>
    ask('POST', '/client', { body: registration(overrides) });
  const etagOf = (answer: Answer) => answer.headers.get('etag') ?? '';

  describe('registration', () => {
    test('returns 201 with the whole Client, its location, its ETag and its secret', async () => {
      const before = Math.floor(Date.now() / 1000);
      const answer = await register();
      expect(answer.status).toBe(201);
      expect(answer.headers.get('location')).toBe(pathOf(answer.body['client_id']));
      expect(etagOf(answer)).toMatch(/^"\d+-[0-9a-f]{12}"$/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const { client_id: id, client_secret: secret, client_id_issued_at: issued, ...rest } = answer.body;
      expect(id).toMatch(/^[\w-]{22}$/);
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(issued).toBeGreaterThanOrEqual(before);
      expect(rest).toEqual({
        enabled: true,
        managed_by: 'users',
        registered_by: { id: expect.any(String), name: 'bootstrap' },
        client_secret_expires_at: 0,
        client_secret_hint: String(secret).slice(-4),
        client_secrets: [{ hint: String(secret).slice(-4), created_at: rest['created_at'] }],
        client_name: 'Shop',
        redirect_uris: ['https://shop.example/cb'],
        application_type: 'web',
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'none',
        code_challenge_method: 'none',
        redirect_uri_validation_method: 'full_match',
        cookie_name: cookieNameOf('SvcClient', String(id)),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
        updated_at: rest['created_at'],
        warnings: [expect.objectContaining({ field: '/code_challenge_method', code: 'weak_pkce' })],
      });
    });

    test('later reads return the same, except for the secret', async () => {
      const registered = await register({ client_uri: 'https://shop.example/', session_expiration: '2 h' });
      const { client_secret, ...shown } = registered.body;
      expect(shown).toMatchObject({ session_expiration: '2 h', session_expiration_seconds: 7200 });
      const read = await ask('GET', pathOf(shown['client_id']));
      expect(read.status).toBe(200);
      expect(read.body).toEqual(shown);
      expect(etagOf(read)).toBe(etagOf(registered));
      const list = await ask('GET', '/client?limit=500');
      expect(list.body['clients']).toContainEqual(shown);
      expect(JSON.stringify(list.body)).not.toContain(String(client_secret));
    });

    test.each([
      'a/b%c d',
      '%2F',
      '..%2f..',
      'features/',
      '?a=b&c#d',
      String.raw`back\slash "quoted" {braces}`,
      ':client_id',
      '*',
      '~',
      '%'.repeat(255),
    ])('the client_id %s can be asked for, read, changed and deleted', async (clientId) => {
      const registered = await register({ preferred_client_id: clientId });
      expect(registered.status).toBe(201);
      expect(registered.body['client_id']).toBe(clientId);
      expect(registered.body).not.toHaveProperty('preferred_client_id');
      const path = registered.headers.get('location') ?? '';
      expect((await ask('GET', path)).body['client_id']).toBe(clientId);
      const put = await ask('PUT', path, { body: registration({ client_name: 'Renamed' }) });
      expect(put.body).toMatchObject({ client_id: clientId, client_name: 'Renamed' });
      expect((await ask('DELETE', path)).status).toBe(204);
      expect((await ask('GET', path)).status).toBe(404);
    });

    test('a taken client_id gets 409, naming it', async () => {
      await register({ preferred_client_id: 'taken' });
      const { status, body } = await register({ preferred_client_id: 'taken' });
      expect(status).toBe(409);
      expect(body).toMatchObject({
        error: 'invalid_client_metadata',
        detail: expect.stringContaining('taken'),
        errors: [{ field: '/preferred_client_id', code: 'taken' }],
      });
    });

    test('of several concurrent requests with one client_id, one succeeds', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, async () =>
          untilServed(async () => register({ preferred_client_id: 'raced' })),
        ),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(1);
      expect(statuses.filter((status) => status === 409)).toHaveLength(19);
    });

    test('all problems are reported at once, in the formats of RFC 7591 and RFC 9457', async () => {
      const { status, headers, body } = await ask('POST', '/client', { body: { client_name: '', nmae: 1 } });
      expect(status).toBe(400);
      expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(body).toMatchObject({ status: 400, instance: '/client', error: 'invalid_client_metadata' });
      expect((body['errors'] as { field: string }[]).map(({ field }) => field)).toEqual([
        '/nmae',
        '/client_name',
        '/redirect_uris',
      ]);
    });

    test('bad redirect URIs alone are invalid_redirect_uri, each at its place', async () => {
      const uris = ['https://shop.example/cb', 'https://shop.example/#f', 'javascript:alert(1)'];
      const { body } = await register({ redirect_uris: uris });
      expect(body['error']).toBe('invalid_redirect_uri');
      expect((body['errors'] as { field: string }[]).map(({ field }) => field)).toEqual([
        '/redirect_uris/1',
        '/redirect_uris/2',
      ]);
    });

    test.each(['client_id', 'client_secret', 'cookie_name', 'client_id_issued_at', 'created_at', 'seq'])(
      '%s cannot be chosen',
      async (name) => {
        const { status, body } = await register({ [name]: 'mine' });
        expect(status).toBe(400);
        expect(body['errors']).toEqual([expect.objectContaining({ field: `/${name}` })]);
      },
    );
  });

  describe('reading', () => {
    test('an unknown Client gets 404', async () => {
      const { status, body } = await ask('GET', '/client/nobody');
      expect(status).toBe(404);
      expect(body).toMatchObject({ error: 'not_found', instance: '/client/nobody' });
    });

    test.each(['%00', 'a%00b', '%E2%82%AC', 'x'.repeat(1000), '%ED%A0%80'])(
      'a client_id that none can have (%s) answers 404 or 400, never a server error',
      async (encoded) => {
        expect([400, 404]).toContain((await ask('GET', `/client/${encoded}`)).status);
      },
    );

    test('with the current ETag the response is 304 without a body, with an old one the Client', async () => {
      const registered = await register();
      const path = pathOf(registered.body['client_id']);
      const known = { headers: { 'if-none-match': `"x", W/${etagOf(registered)}` } };
      const unchanged = await ask('GET', path, known);
      expect(unchanged).toMatchObject({ status: 304, body: {} });
      expect(etagOf(unchanged)).toBe(etagOf(registered));
      await ask('PUT', path, { body: registration({ client_name: 'Renamed' }) });
      expect((await ask('GET', path, known)).body).toMatchObject({ client_name: 'Renamed' });
    });
  });
});
