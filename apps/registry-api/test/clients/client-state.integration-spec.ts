import { ClientSecret } from '../../src/clients/client-secret.entity.js';
import { onPostgres } from '../on-both-databases.js';
import { type Answer, ask, pathOf, registration, type Sent } from '../running-registry.js';

const REQUEST = { response_type: 'code', redirect_uri: 'https://shop.example/cb' };

onPostgres(
  (registry) => {
    const register = async (overrides?: Record<string, unknown>): Promise<Answer> =>
      registry().ask('POST', '/client', { body: registration(overrides) });
    const post = async (clientId: unknown, action: string, sent?: Sent): Promise<Answer> =>
      registry().ask('POST', `${pathOf(clientId)}/${action}`, sent);
    const etagOf = (answer: Answer) => answer.headers.get('etag') ?? '';
    const isSecretOf = async (clientId: unknown, client_secret: unknown) =>
      (await post(clientId, 'check/secret', { body: { client_secret } })).body;
    const historyOf = async (clientId: unknown): Promise<Record<string, unknown>[]> =>
      registry().dataSource.query(
        'SELECT kind, before, after, seq, mark, actor_name FROM client_change WHERE client_id = $1 ORDER BY seq',
        [clientId],
      );

    describe('disable and enable', () => {
      test('return the Client and its new ETag, and add a row each to the history', async () => {
        const registered = await register();
        const { client_secret: _, ...before } = registered.body;
        const id = before['client_id'];
        const disabled = await post(id, 'disable');
        expect(disabled.status).toBe(200);
        expect(disabled.body).toEqual({
          ...before,
          enabled: false,
          updated_at: disabled.body['updated_at'],
        });
        const read = await registry().ask('GET', pathOf(id));
        expect([read.body, etagOf(read)]).toEqual([disabled.body, etagOf(disabled)]);
        const enabled = await post(id, 'enable');
        expect(enabled).toMatchObject({ status: 200, body: { ...before, updated_at: expect.any(String) } });
        const history = await historyOf(id);
        expect(history).toMatchObject([
          { kind: 'registered' },
          { kind: 'disabled', before: null, after: null, actor_name: 'bootstrap' },
          { kind: 'enabled', before: null, after: null, actor_name: 'bootstrap' },
        ]);
        expect(history.map(({ seq, mark }) => `"${String(seq)}-${String(mark)}"`)).toEqual(
          [registered, disabled, enabled].map(etagOf),
        );
      });

      test('repeating one changes nothing', async () => {
        const registered = await register();
        const id = registered.body['client_id'];
        const enabled = await post(id, 'enable');
        expect([enabled.status, etagOf(enabled)]).toEqual([200, etagOf(registered)]);
        const disabled = await post(id, 'disable');
        const again = await post(id, 'disable');
        expect([again.status, etagOf(again), again.body]).toEqual([200, etagOf(disabled), disabled.body]);
        expect((await historyOf(id)).map(({ kind }) => kind)).toEqual(['registered', 'disabled']);
      });

      test('a disabled Client stays disabled through any edit', async () => {
        const { body } = await register();
        const id = body['client_id'];
        await post(id, 'disable');
        await registry().ask('PUT', pathOf(id), { body: registration({ client_name: 'Renamed' }) });
        await registry().ask('PATCH', pathOf(id), { body: { client_uri: 'https://shop.example/' } });
        expect((await registry().ask('GET', pathOf(id))).body).toMatchObject({
          client_name: 'Renamed',
          enabled: false,
        });
      });

      test.each(['disable', 'enable'])('%s: 404 without a Client, 412 for an old ETag', async (action) => {
        const unknown = await post('nobody', action);
        expect([unknown.status, unknown.body['detail']]).toEqual([404, "There is no client 'nobody'."]);
        const { body } = await register();
        const stale = await post(body['client_id'], action, { headers: { 'if-match': '"0"' } });
        expect([stale.status, stale.body['detail']]).toEqual([
          412,
          `The client '${String(body['client_id'])}' has changed in the meantime; read it again.`,
        ]);
        expect(await historyOf(body['client_id'])).toHaveLength(1);
      });

      test('concurrent requests to disable appear once in the history', async () => {
        const { body } = await register();
        const answers = await Promise.all(
          Array.from({ length: 10 }, () => post(body['client_id'], 'disable')),
        );
        expect(new Set(answers.map(etagOf)).size).toBe(1);
        expect(await historyOf(body['client_id'])).toHaveLength(2);
      });
    });

    describe('a disabled Client', () => {
      test('has no valid secret, and no use of it is recorded', async () => {
        const { body } = await register();
        const { client_id: id, client_secret: secret } = body;
        await post(id, 'disable');
        expect(await isSecretOf(id, secret)).toEqual({ valid: false });
        const secrets = registry().dataSource.getRepository(ClientSecret);
        expect(await secrets.findOneByOrFail({ clientId: String(id) })).toMatchObject({ lastUsedAt: null });
        await post(id, 'enable');
        expect(await isSecretOf(id, secret)).toEqual({ valid: true, client_secret_expires_at: 0 });
      });

      test('cannot make a valid authorization request', async () => {
        const { body } = await register();
        const id = body['client_id'];
        await post(id, 'disable');
        const checked = await post(id, 'check/authorization_request', { body: REQUEST });
        expect(checked.status).toBe(200);
        expect(checked.body).toEqual({
          valid: false,
          errors: [
            {
              error: 'unauthorized_client',
              error_description: 'the client is disabled',
              must_not_redirect: true,
              rule: 'client_disabled',
            },
          ],
        });
        await post(id, 'enable');
        const again = await post(id, 'check/authorization_request', { body: REQUEST });
        expect(again.body['valid']).toBe(true);
      });

      test('does not get its cookie webhook called', async () => {
        const { body } = await register({ cookie_webhook_uri: 'https://shop.example/hook' });
        await post(body['client_id'], 'disable');
        const { status, body: answer } = await post(body['client_id'], 'check/cookie_webhook');
        expect(status).toBe(409);
        expect(answer['detail']).toBe('The client is disabled; enable it to call its webhook.');
      });

      test('is inaccessible to the developer who registered it', async () => {
        const { body } = await registry().ask('POST', '/register', {
          body: { client_name: 'Shop', redirect_uris: ['https://shop.example/cb'] },
        });
        const token = String(body['registration_access_token']);
        const url = `${registry().url}/register/${String(body['client_id'])}`;
        await post(body['client_id'], 'disable');
        const update = { client_id: body['client_id'], ...registration() };
        for (const [method, sent] of [
          ['GET', {}],
          ['PUT', { body: update }],
          ['DELETE', {}],
        ] as const) {
          const answer = await ask(url, method, token, sent);
          expect([method, answer.status]).toEqual([method, 403]);
          expect(answer.body).toMatchObject({
            error: 'unauthorized_client',
            error_description: 'This client is disabled; ask the administrator of the registry.',
          });
          expect((await ask(url, method, 'wrong', sent)).status).toBe(401);
        }
        expect(await historyOf(body['client_id'])).toHaveLength(2);
        await post(body['client_id'], 'enable');
        expect((await ask(url, 'GET', token)).status).toBe(200);
      });
    });

    test('each requires the scope clients:write', async () => {
      const { body } = await registry().ask('POST', '/token', {
        body: { name: 'reader', scopes: ['clients:read', 'clients:check'] },
      });
      for (const action of ['enable', 'disable', 'reset_secret']) {
        const url = `${registry().url}/client/x/${action}`;
        const { status, headers } = await ask(url, 'POST', String(body['token']));
        expect([action, status]).toEqual([action, 403]);
        expect(headers.get('www-authenticate')).toContain('scope="clients:write"');
      }
    });
  },
  { REGISTRATION: 'token' },
);
