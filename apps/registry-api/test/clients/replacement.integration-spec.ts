import { onPostgres } from '../on-both-databases.js';
import { type Answer, pathOf, registration, type Sent } from '../running-registry.js';

onPostgres((registry) => {
  const ask = async (method: string, path: string, sent?: Sent): Promise<Answer> =>
    registry().ask(method, path, sent);
  const register = async (overrides?: Record<string, unknown>): Promise<Answer> =>
    ask('POST', '/client', { body: registration(overrides) });
  const etagOf = (answer: Answer) => answer.headers.get('etag') ?? '';

  describe('replacing', () => {
    test('keeps server-owned fields and resets omitted ones to their defaults', async () => {
      const registered = await register({
        code_challenge_method: 'S256',
        client_uri: 'https://shop.example/',
      });
      const { client_secret: _secret, updated_at: _updated, ...before } = registered.body;
      const put = await ask('PUT', pathOf(before['client_id']), {
        body: registration({ client_name: 'Renamed' }),
      });
      expect(put.status).toBe(200);
      const { client_uri: _unset, ...kept } = before;
      expect(put.body).toMatchObject({
        ...kept,
        client_name: 'Renamed',
        code_challenge_method: 'none',
        warnings: [{}],
      });
      expect(put.body).not.toHaveProperty('client_uri');
      expect(put.body).not.toHaveProperty('client_secret');
      expect(etagOf(put)).not.toBe(etagOf(registered));
    });

    test('accepts a GET response, and leaves the Client unchanged', async () => {
      const registered = await register({ session_expiration: 90, code_challenge_method: 'plain' });
      const path = pathOf(registered.body['client_id']);
      const read = await ask('GET', path);
      const put = await ask('PUT', path, { body: read.body });
      expect(put).toMatchObject({ status: 200, body: read.body });
      expect(etagOf(put)).toBe(etagOf(registered));
    });

    test.each<[string, string, Sent]>([
      ['PUT', '', { body: registration({ client_name: 'New' }) }],
      ['PATCH', '', { body: { client_name: 'New' } }],
      ['DELETE', '', {}],
      ['POST', '/disable', {}],
      ['POST', '/reset_secret', {}],
    ])('%s%s with If-None-Match of the present state changes nothing', async (method, end, sent) => {
      const registered = await register();
      const path = pathOf(registered.body['client_id']);
      for (const tag of ['*', etagOf(registered), `"x", W/${etagOf(registered)}`]) {
        const answer = await ask(method, path + end, { ...sent, headers: { 'if-none-match': tag } });
        expect(answer).toMatchObject({
          status: 412,
          body: { detail: expect.stringContaining('If-None-Match') },
        });
      }
      expect(etagOf(await ask('GET', path))).toBe(etagOf(registered));
      const other = await ask(method, path + end, { ...sent, headers: { 'if-none-match': '"0"' } });
      expect(other.status).toBeLessThan(300);
    });

    test('accepts a registration response, and rejects any other secret', async () => {
      const { body } = await register();
      const path = pathOf(body['client_id']);
      expect((await ask('PUT', path, { body })).status).toBe(200);
      const wrong = await ask('PUT', path, { body: { ...body, client_secret: 'x'.repeat(43) } });
      expect(wrong.body).toMatchObject({ status: 400, errors: [{ field: '/client_secret' }] });
    });

    test.each(['client_id', 'cookie_name', 'client_id_issued_at', 'created_at', 'client_secret_hint'])(
      'refuses another %s',
      async (name) => {
        const { body } = await register();
        const { client_secret: _, ...shown } = body;
        const put = await ask('PUT', pathOf(body['client_id']), { body: { ...shown, [name]: 'another' } });
        expect(put.body).toMatchObject({ status: 400, errors: [{ field: `/${name}` }] });
      },
    );

    test('If-Match with an old ETag gets 412 and changes nothing', async () => {
      const registered = await register();
      const path = pathOf(registered.body['client_id']);
      const stale = { headers: { 'if-match': etagOf(registered) } };
      const first = await ask('PUT', path, { ...stale, body: registration({ client_name: 'First' }) });
      expect(first.status).toBe(200);
      const second = await ask('PUT', path, { ...stale, body: registration({ client_name: 'Second' }) });
      expect(second.status).toBe(412);
      expect((await ask('GET', path)).body['client_name']).toBe('First');
    });

    test('of several concurrent requests with the same ETag, one succeeds', async () => {
      const registered = await register();
      const path = pathOf(registered.body['client_id']);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          ask('PUT', path, {
            body: registration({ client_name: `Name ${index}` }),
            headers: { 'if-match': etagOf(registered) },
          }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 412)).toHaveLength(9);
    });

    test('without If-Match all concurrent requests succeed, and the history has each', async () => {
      const { body } = await register();
      const path = pathOf(body['client_id']);
      const names = Array.from({ length: 10 }, (_, index) => `Name ${index}`);
      const answers = await Promise.all(
        names.map((name) => ask('PUT', path, { body: registration({ client_name: name }) })),
      );
      expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
      expect(new Set(answers.map(etagOf)).size).toBe(names.length);
    });

    test('an unknown Client gets 404', async () => {
      expect((await ask('PUT', '/client/nobody', { body: registration() })).status).toBe(404);
    });

    test('an invalid one gets 400 and changes nothing', async () => {
      const { body } = await register();
      const path = pathOf(body['client_id']);
      expect((await ask('PUT', path, { body: registration({ redirect_uris: [] }) })).status).toBe(400);
      expect((await ask('GET', path)).body['redirect_uris']).toEqual(['https://shop.example/cb']);
    });
  });

  describe('deleting', () => {
    test('returns 204 once, then 404', async () => {
      const { body } = await register();
      const path = pathOf(body['client_id']);
      expect(await ask('DELETE', path)).toMatchObject({ status: 204, body: {} });
      expect((await ask('DELETE', path)).status).toBe(404);
    });

    test('If-Match with an old ETag gets 412 and deletes nothing', async () => {
      const { body } = await register();
      const path = pathOf(body['client_id']);
      expect((await ask('DELETE', path, { headers: { 'if-match': '"0"' } })).status).toBe(412);
      expect((await ask('GET', path)).status).toBe(200);
    });

    test('a Client registered again under the same client_id never has an ETag of the former one', async () => {
      const first = await register({ preferred_client_id: 'phoenix' });
      await ask('DELETE', '/client/phoenix');
      const second = await register({ preferred_client_id: 'phoenix' });
      expect(second.status).toBe(201);
      expect(etagOf(second)).not.toBe(etagOf(first));
      expect(second.body['client_secret']).not.toBe(first.body['client_secret']);
      const stale = { headers: { 'if-match': etagOf(first) } };
      expect((await ask('DELETE', '/client/phoenix', stale)).status).toBe(412);
    });
  });
});
