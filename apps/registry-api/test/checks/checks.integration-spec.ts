import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@svc/test-servers';
import { ClientSecret } from '../../src/clients/client-secret.entity.js';
import { onPostgres } from '../on-both-databases.js';
import { ask, pathOf, registration } from '../running-registry.js';

const GOOD = { response_type: 'code', redirect_uri: 'https://shop.example/cb' };

onPostgres(
  (registry) => {
    const register = async (overrides: Record<string, unknown> = {}) =>
      (await registry().ask('POST', '/client', { body: registration(overrides) })).body;
    const check = async (clientId: unknown, name: string, body?: unknown) =>
      registry().ask('POST', `${pathOf(clientId)}/check/${name}`, { body });

    describe('check/authorization_request', () => {
      test('returns where a valid request redirects to', async () => {
        const { client_id } = await register();
        const { status, headers, body } = await check(client_id, 'authorization_request', GOOD);
        expect(status).toBe(200);
        expect(headers.get('cache-control')).toBe('no-store');
        expect(body).toEqual({
          valid: true,
          errors: [],
          redirect_uri: 'https://shop.example/cb',
          redirect_uri_match: expect.objectContaining({
            matches: true,
            registered: 'https://shop.example/cb',
          }),
        });
      });

      test('copes with client_ids of any characters', async () => {
        const { client_id } = await register({ preferred_client_id: `a/b c%2F?#'"${Math.random()}` });
        expect((await check(client_id, 'authorization_request', GOOD)).body['valid']).toBe(true);
      });

      test('returns 200 for a request that must not be redirected', async () => {
        const { client_id } = await register();
        const { status, body } = await check(client_id, 'authorization_request', {
          ...GOOD,
          redirect_uri: ['https://shop.example/cb', 'https://evil.example/'],
        });
        expect(status).toBe(200);
        expect(body).toEqual({
          valid: false,
          errors: [
            {
              error: 'invalid_request',
              rule: 'repeated_parameter',
              error_description: 'redirect_uri is given more than once (RFC 6749 section 3.1)',
              must_not_redirect: true,
            },
          ],
        });
      });

      test.each<[string, string, unknown]>([
        ['a NUL in a parameter', '"state":"a\\u0000b"', undefined],
        ['a NUL in a name', '"a\\u0000":"b"', undefined],
        ['a parameter named __proto__', '"__proto__":"x"', undefined],
        ['half a surrogate pair', '"state":["x","\\ud83d"]', undefined],
        ['a NUL in redirect_uri', '"redirect_uri":"https://shop.example/cb\\u0000"', true],
      ])('says no to %s, and is not 400', async (_case, member, mustNotRedirect) => {
        const { client_id } = await register();
        const good = member.includes('redirect_uri') ? '' : '"redirect_uri":"https://shop.example/cb",';
        const { status, body } = await check(
          client_id,
          'authorization_request',
          `{"response_type":"code",${good}${member}}`,
        );
        expect(status).toBe(200);
        expect(body['valid']).toBe(false);
        const [error] = body['errors'] as Record<string, unknown>[];
        expect(error).toMatchObject({ error: 'invalid_request' });
        expect(error?.['must_not_redirect']).toBe(mustNotRedirect);
      });

      test('rejects a client_secret with a NUL, or half a surrogate pair', async () => {
        const { client_id } = await register();
        for (const secret of ['a\\u0000b', '\\ud83d']) {
          const { status, body } = await check(client_id, 'secret', `{"client_secret":"${secret}"}`);
          expect({ status, body }).toEqual({ status: 200, body: { valid: false } });
        }
      });

      test('accepts a list of one value, as query parsers produce it', async () => {
        const { client_id } = await register();
        const request = { response_type: ['code'], redirect_uri: ['https://shop.example/cb'] };
        expect((await check(client_id, 'authorization_request', request)).body['valid']).toBe(true);
      });

      test('is 404 for a Client that does not exist', async () => {
        expect((await check('nobody', 'authorization_request', GOOD)).status).toBe(404);
      });

      test.each<[string, unknown]>([
        ['a list', []],
        ['null', null],
        ['a string', '"code"'],
        ['a number for a parameter', { response_type: 1 }],
        ['an empty list for a parameter', { response_type: [] }],
        ['a nested list', { response_type: [['code']] }],
        ['too many parameters', Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`p${at}`, 'v']))],
        ['a member twice', '{"a":"1","a":"2"}'],
        ['nothing', undefined],
      ])('is 400 for %s', async (_case, body) => {
        const { client_id } = await register();
        const { status, headers } = await check(client_id, 'authorization_request', body);
        expect(status).toBe(400);
        expect(headers.get('content-type')).toContain('application/problem+json');
      });
    });

    describe('check/secret', () => {
      test('recognises the secret of the Client and records its use', async () => {
        const { client_id, client_secret } = await register();
        const { status, body } = await check(client_id, 'secret', { client_secret });
        expect([status, body]).toEqual([200, { valid: true, client_secret_expires_at: 0 }]);
        const secrets = registry().dataSource.getRepository(ClientSecret);
        const lastUse = async () =>
          (await secrets.findOneByOrFail({ clientId: String(client_id) })).lastUsedAt;
        await eventually(async () => expect(Date.now() - Number(await lastUse())).toBeLessThan(60_000));
        const noted = await lastUse();
        await check(client_id, 'secret', { client_secret });
        await sleep(2_500);
        expect(await lastUse()).toEqual(noted);
      });

      test('leaves the bytes under the ETag unchanged, and shows the use separately', async () => {
        const { client_id, client_secret, created_at } = await register();
        const path = pathOf(client_id);
        const before = await registry().ask('GET', path);
        const secret = { hint: String(client_secret).slice(-4), created_at };
        const secrets = async () => registry().ask('GET', `${path}/secrets`);
        expect((await secrets()).body).toEqual({ client_secrets: [secret] });
        await check(client_id, 'secret', { client_secret });

        const after = await registry().ask('GET', path);
        expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
        expect(JSON.stringify(after.body)).toBe(JSON.stringify(before.body));
        const enabled = await registry().ask('POST', `${path}/enable`);
        expect(JSON.stringify(enabled.body)).toBe(JSON.stringify(before.body));

        const used = { ...secret, last_used_at: expect.any(String) };
        await eventually(async () => expect((await secrets()).body).toEqual({ client_secrets: [used] }));
        const { status, headers } = await secrets();
        expect(status).toBe(200);
        expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null]);
        const { body: list } = await registry().ask('GET', `/client?q=${String(client_id)}`);
        expect(list['clients']).toEqual([{ ...before.body, client_secrets: [used] }]);
        expect((await registry().ask('GET', '/client/nobody/secrets')).status).toBe(404);
      });

      test('responds alike for a wrong secret, another Client’s and an unknown Client', async () => {
        const one = await register();
        const other = await register();
        const answers = await Promise.all([
          check(one['client_id'], 'secret', { client_secret: 'wrong' }),
          check(one['client_id'], 'secret', { client_secret: '' }),
          check(one['client_id'], 'secret', { client_secret: other['client_secret'] }),
          check('nobody', 'secret', { client_secret: one['client_secret'] }),
          check('a\0b', 'secret', { client_secret: one['client_secret'] }),
        ]);
        expect(answers.map(({ status, body }) => [status, body])).toEqual(
          Array.from({ length: 5 }, () => [200, { valid: false }]),
        );
        const secrets = registry().dataSource.getRepository(ClientSecret);
        expect(await secrets.findOneByOrFail({ clientId: String(one['client_id']) })).toMatchObject({
          lastUsedAt: null,
        });
      });

      test('an expired secret is wrong, and each of two valid ones is right', async () => {
        const { client_id, client_secret } = await register();
        const other = await register();
        const secrets = registry().dataSource.getRepository(ClientSecret);
        const expiresAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 60_000);
        await secrets.update(
          { clientId: String(other['client_id']) },
          { clientId: String(client_id), expiresAt },
        );
        expect((await check(client_id, 'secret', { client_secret })).body['valid']).toBe(true);
        const soon = await check(client_id, 'secret', { client_secret: other['client_secret'] });
        expect(soon.body).toEqual({ valid: true, client_secret_expires_at: expiresAt.getTime() / 1000 });
        await secrets.update({ clientId: String(client_id) }, { expiresAt: new Date(Date.now() - 1000) });
        expect((await check(client_id, 'secret', { client_secret })).body).toEqual({ valid: false });
      });

      test.each<[string, unknown]>([
        ['no secret', {}],
        ['a number', { client_secret: 7 }],
        ['a list', { client_secret: ['x'] }],
        ['a list of bodies', [{ client_secret: 'x' }]],
        ['null', null],
        ['a string', '"x"'],
        ['a secret that is too long', { client_secret: 'x'.repeat(1025) }],
        ['an unknown member', { client_secret: 'x', client_id: 'y' }],
        ['nothing', undefined],
      ])('is 400 for %s', async (_case, body) => {
        const { client_id } = await register();
        expect((await check(client_id, 'secret', body)).status).toBe(400);
      });

      test('no checked secret is in the log', async () => {
        const { client_id, client_secret } = await register();
        await check(client_id, 'secret', { client_secret });
        await check(client_id, 'secret', { client_secret: `x${String(client_secret)}`, more: 1 });
        expect(registry().logged()).not.toContain(client_secret);
      });
    });

    describe('check/cookie_webhook', () => {
      let server: Server;
      let url: string;
      let calls: string[] = [];
      let traces: unknown[] = [];
      beforeAll(async () => {
        server = createServer((request, response) => {
          calls.push(`${request.method} ${request.url}`);
          traces.push(request.headers['traceparent']);
          request.resume();
          response.setHeader('content-type', 'application/json').end('{"theme":"dark"}');
        }).listen(0, '127.0.0.1');
        await once(server, 'listening');
        url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      });
      afterAll(async () => {
        server.close();
        await once(server, 'close');
      });

      test('calls the webhook and reports', async () => {
        calls = [];
        const { client_id } = await register({ cookie_webhook_uri: `${url}/hook` });
        const { status, body } = await check(client_id, 'cookie_webhook');
        expect(status).toBe(200);
        expect(body).toEqual({
          ok: true,
          status: 200,
          duration_ms: expect.any(Number),
          cookies: { theme: 'dark' },
          problems: [],
        });
        expect(calls).toEqual(['PUT /hook']);
      });

      test('the webhook receives the trace of the call', async () => {
        traces = [];
        const { client_id } = await register({ cookie_webhook_uri: url });
        const path = `${pathOf(client_id)}/check/cookie_webhook`;
        const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
        await registry().ask('POST', path, { headers: { traceparent } });
        await registry().ask('POST', path, { headers: { traceparent: 'none' } });
        expect(traces).toEqual([traceparent, undefined]);
      });

      test('an address that is neither public nor allowed is not called', async () => {
        calls = [];
        const { client_id } = await register({ cookie_webhook_uri: url.replace('127.0.0.1', '127.0.0.2') });
        const { status, body } = await check(client_id, 'cookie_webhook', {});
        expect(status).toBe(200);
        expect(body).toMatchObject({ ok: false, problems: [{ code: 'address_refused' }] });
        expect(calls).toEqual([]);
      });

      test('a Client without a webhook is 409, an unknown one 404', async () => {
        const { client_id } = await register();
        expect((await check(client_id, 'cookie_webhook')).status).toBe(409);
        expect((await check('nobody', 'cookie_webhook')).status).toBe(404);
      });

      test.each<[string, unknown]>([
        ['a user that is a list', { user: [] }],
        ['a user that is a string', { user: 'x' }],
        ['an unknown member', { url: 'http://127.0.0.1/' }],
        ['a list', [1]],
      ])('is 400 for %s', async (_case, body) => {
        calls = [];
        const { client_id } = await register({ cookie_webhook_uri: url });
        expect((await check(client_id, 'cookie_webhook', body)).status).toBe(400);
        expect(calls).toEqual([]);
      });
    });

    test('each check requires its scope', async () => {
      for (const name of ['authorization_request', 'secret', 'cookie_webhook']) {
        const { status } = await ask(`${registry().url}/client/x/check/${name}`, 'POST', 'wrong', {
          body: {},
        });
        expect([name, status]).toEqual([name, 401]);
      }
    });
  },
  { COOKIE_WEBHOOK_ALLOW: '127.0.0.1' },
);
