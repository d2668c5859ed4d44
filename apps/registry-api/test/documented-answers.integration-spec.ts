import { setTimeout as sleep } from 'node:timers/promises';
import { ApiDocument } from './api-document.js';
import { onBothDatabases } from './on-both-databases.js';
import { ask, registration, type Sent } from './running-registry.js';
import { acceptedRow, batchOf, flushUsage } from './usage/recorded.js';

const NDJSON = { 'content-type': 'application/x-ndjson' };
const FULL = registration({
  preferred_client_id: 'a client/1',
  client_uri: 'https://shop.example/',
  cookie_webhook_uri: 'https://127.0.0.1/cookies',
  cookie_entry_uri: 'https://shop.example/entry',
  cookie_domain: 'shop.example',
  authorize_anonymous_users: true,
  anonymous_cid: 'guest',
  session_expiration: '8 h',
});

// On the embedded database every operation must do with one session.
onBothDatabases(
  (registry, isThorough) => {
    let document: ApiDocument;
    beforeAll(async () => {
      document = await ApiDocument.of(registry());
    });

    /** Sends what an operation is, and expects the answer to be as the document tells. */
    const sendAs = async (
      name: string,
      ids: Readonly<Record<string, string>> = {},
      { token = registry().token, query = '', ...sent }: Sent & { token?: string; query?: string } = {},
    ) => {
      const [method = '', template = ''] = name.split(' ');
      const path = template.replace(/\{(\w+)\}/g, (_, id: string) => encodeURIComponent(ids[id] ?? 'nobody'));
      const answer = await ask(registry().url + path + query, method, token, sent);
      expect(document.violationsOf(name, answer)).toEqual([]);
      return answer;
    };

    test('each operation responds as documented', async () => {
      const client_id = 'a client/1';
      const succeeded = new Set<string>();
      const send = async (...[name, ids, sent]: Parameters<typeof sendAs>) => {
        const answer = await sendAs(name, ids, sent);
        expect([name, answer.status < 300]).toEqual([name, true]);
        succeeded.add(name);
        return answer.body;
      };

      for (const path of ['/health/live', '/health/ready', '/metrics', '/client/features']) {
        await send(`GET ${path}`);
      }
      const once = { body: FULL, headers: { 'idempotency-key': 'once' } };
      expect(await send('POST /client', {}, once)).toHaveProperty('client_secret');
      expect(await send('POST /client', {}, once)).not.toHaveProperty('client_secret');
      const other = await send('POST /client', {}, { body: registration() });

      expect(await send('GET /client', {}, { query: '?limit=1&count=true' })).toMatchObject({
        total: 2,
        total_is_exact: true,
      });
      await send('GET /client');
      await send('GET /client/{client_id}', { client_id });
      await send(
        'PUT /client/{client_id}',
        { client_id },
        { body: { ...FULL, preferred_client_id: client_id } },
      );
      await send('PATCH /client/{client_id}', { client_id }, { body: { client_name: 'Shop 2' } });
      await send('POST /client/{client_id}/disable', { client_id });
      await send('POST /client/{client_id}/enable', { client_id });
      const { client_secret } = await send('POST /client/{client_id}/reset_secret', { client_id });

      const check = 'POST /client/{client_id}/check';
      await send(`${check}/secret`, { client_id }, { body: { client_secret } });
      const assertion = { client_assertion: 'not a token', audience: ['https://login.example.com'] };
      await send(`${check}/client_assertion`, { client_id }, { body: assertion });
      await send('GET /client/{client_id}/secrets', { client_id });
      const redirect_uri = 'https://preview.example/cb';
      const preview = { body: { redirect_uri, expires_in: '1 h', note: 'preview' } };
      await send('POST /client/{client_id}/redirect_uris', { client_id }, preview);
      await send('GET /client/{client_id}', { client_id });
      await send(
        'DELETE /client/{client_id}/redirect_uris',
        { client_id },
        { query: `?redirect_uri=${redirect_uri}` },
      );
      await send(`${check}/cookie_webhook`, { client_id });
      for (const redirect_uri of ['https://shop.example/cb', 'https://evil.example/']) {
        await send(
          `${check}/authorization_request`,
          { client_id },
          { body: { response_type: 'code', redirect_uri } },
        );
      }

      await send('POST /clients/usage', {}, { body: batchOf([acceptedRow(client_id)]) });
      await flushUsage(registry());
      await send('GET /client/{client_id}/usage', { client_id });
      await send(
        'POST /clients/explain',
        {},
        { body: { url: `?client_id=${encodeURIComponent(client_id)}` } },
      );

      const remove = { op: 'delete', client_id: other['client_id'] };
      await send('POST /clients/bulk', {}, { body: { dry_run: true, operations: [remove] } });
      const nobody = { op: 'enable', client_id: 'nobody' };
      await send('POST /clients/bulk', {}, { body: { atomic: false, operations: [remove, nobody] } });
      await send('GET /clients/export');
      const enabling = { action: 'enable', filter: {}, client_ids: [client_id] };
      const changing = { action: 'patch', filter: { q: 'shop' }, patch: { client_name: 'Shop 3' } };
      await send('POST /clients/jobs', {}, { body: { ...enabling, dry_run: true } });
      const id = String((await send('POST /clients/jobs', {}, { body: changing }))['id']);
      const job = async () => send('GET /clients/jobs/{id}', { id });
      while ((await job())['finished_at'] === undefined) await sleep(20);
      await send('GET /clients/jobs', {}, { query: '?dry_runs=true&limit=1' });
      await send('GET /clients/jobs/{id}/results', { id }, { query: '?limit=1' });
      await send('POST /clients/jobs/{id}/cancel', { id });
      const undo = String((await send('POST /clients/jobs/{id}/undo', { id }))['id']);
      while ((await send('GET /clients/jobs/{id}', { id: undo }))['finished_at'] === undefined)
        await sleep(20);
      const line = JSON.stringify({ client_id: 'imported', ...registration() });
      await send('POST /clients/import', {}, { body: line, headers: NDJSON });
      await send('GET /clients/stats');
      await send('GET /clients/recommendations');
      await send('GET /clients/cookie_entrypoints');
      await send('GET /clients/changes', {}, { query: '?limit=2' });
      await send('GET /clients/changes');
      const { changes } = await send('GET /client/{client_id}/history', { client_id }, { query: '?limit=1' });
      const [{ seq } = { seq: 0 }] = changes as { seq: number }[];
      await send('GET /client/{client_id}/history/{seq}', { client_id, seq: String(seq) });
      await send('DELETE /client/{client_id}', { client_id });
      await send('GET /deleted-clients');
      await send('GET /deleted-clients/{client_id}', { client_id });
      await send('POST /deleted-clients/{client_id}/restore', { client_id });
      await send('DELETE /client/{client_id}', { client_id });
      await send('DELETE /deleted-clients/{client_id}', { client_id });

      const made = await send(
        'POST /token',
        {},
        { body: { name: 'developers', scopes: ['clients:register'] } },
      );
      const initial = { token: String(made['token']), body: registration({ scope: 'ignored' }) };
      const mine = await send('POST /register', {}, initial);
      const own = { client_id: String(mine['client_id']) };
      await send('DELETE /client/{client_id}/registration_token', own);
      const issued = await send('POST /client/{client_id}/registration_token', own);
      const token = String(issued['registration_access_token']);
      await send('GET /register/{client_id}', own, { token });
      await send('PUT /register/{client_id}', own, { token, body: { ...registration(), ...own } });
      await send('DELETE /register/{client_id}', own, { token });
      await send('GET /token');
      await send('GET /token/self');
      await send('GET /token/{id}', { id: String(made['id']) });
      await send('DELETE /token/{id}', { id: String(made['id']) });
      await send('GET /audit');

      expect([...document.operations.keys()].filter((name) => !succeeded.has(name))).toEqual([]);
    });

    // What rejects a request knows nothing of the database.
    if (!isThorough) return;

    test('rejections without a token or a scope are as documented', async () => {
      const made = await Promise.all(
        ['clients:read', 'metrics:read'].map((scope) =>
          registry().ask('POST', '/token', { body: { name: scope, scopes: [scope] } }),
        ),
      );
      const [reader = '', meter = ''] = made.map(({ body }) => String(body['token']));
      for (const [name, { security, 'x-required-scope': scope }] of document.operations) {
        if (!security?.length) continue;
        expect([name, (await sendAs(name, {}, { token: 'wrong' })).status]).toEqual([name, 401]);
        if (scope === undefined) continue;
        const poor = scope === 'metrics:read' ? reader : meter;
        expect([name, (await sendAs(name, {}, { token: poor })).status]).toEqual([name, 403]);
      }
    });

    test('rejections of a body, query or path are as documented', async () => {
      for (const [name, { requestBody, parameters, 'x-required-scope': scope }] of document.operations) {
        const statuses = new Set<number>();
        const send = async (ids?: Readonly<Record<string, string>>, sent?: Sent & { query?: string }) =>
          statuses.add((await sendAs(name, ids, sent)).status);
        const has = (place: string) => parameters.some((parameter) => parameter.in === place);
        if (has('path')) await send({ client_id: 'x'.repeat(1_025), id: 'x'.repeat(1_025) });
        if (has('query')) await send({}, { query: '?no_such=1' });
        if (requestBody) {
          await send({}, { body: '{' });
          await send({}, { body: 'x', headers: { 'content-type': 'text/plain' } });
        }
        // A registration access token is checked before the body is read.
        const expected = [...(has('path') ? [414] : []), ...(requestBody && scope ? [415] : [])];
        expect([name, expected.filter((status) => !statuses.has(status))]).toEqual([name, []]);
      }
    });

    test('every operation documents the common errors, and when they occur', () => {
      for (const [name, { responses, tags, security }] of document.operations) {
        const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400);
        expect([name, refusals.filter(([, { description }]) => description === '')]).toEqual([name, []]);
        const wanted = [
          ...(security?.length ? ['401'] : []),
          ...(tags?.includes('health') ? [] : ['429', '503']),
        ];
        expect([name, wanted.filter((status) => !(status in responses))]).toEqual([name, []]);
      }
    });

    test('responses to operations that cannot be carried out together are as documented', async () => {
      const taken = registration({ preferred_client_id: 'taken' });
      await sendAs('POST /client', {}, { body: taken });
      const statusOf = async (operation: object) =>
        (await sendAs('POST /clients/bulk', {}, { body: { operations: [operation] } })).status;
      expect(await statusOf({ op: 'enable', client_id: 'nobody' })).toBe(404);
      expect(await statusOf({ op: 'register', client: taken })).toBe(409);
      expect(await statusOf({ op: 'delete', client_id: 'taken', if_match: '"0"' })).toBe(412);
    });
  },
  { REGISTRATION: 'token', GRANT_TYPES: 'refresh_token' },
);
