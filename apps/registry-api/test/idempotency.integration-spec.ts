import { randomUUID } from 'node:crypto';
import { ClientChange } from '../src/clients/client-change.entity.js';
import { ApiDocument } from './api-document.js';
import { onPostgres } from './on-both-databases.js';
import { type Answer, ask, pathOf, registration } from './running-registry.js';

type Members = Record<string, unknown>;

/** The routes that take an Idempotency-Key. */
const KEYED = [
  'POST /client',
  'POST /client/{client_id}/reset_secret',
  'POST /clients/bulk',
  'POST /token',
].sort();

onPostgres(
  (registry) => {
    const send = async (path: string, key: string, body?: unknown, method = 'POST'): Promise<Answer> =>
      registry().ask(method, path, {
        headers: { 'idempotency-key': key },
        ...(body !== undefined && { body }),
      });
    const registered = async (): Promise<Members> =>
      (await registry().ask('POST', '/client', { body: registration() })).body;
    const countOf = async (where: Pick<ClientChange, 'clientId' | 'kind'>) =>
      registry().dataSource.getRepository(ClientChange).countBy(where);
    const isReplayed = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true';
    const storedText = async (): Promise<string> =>
      JSON.stringify(await registry().dataSource.query('SELECT k::text AS row FROM idempotency_key k'));

    test('a repeated rotation creates no other secret', async () => {
      const client = await registered();
      const clientId = String(client['client_id']);
      const path = `${pathOf(clientId)}/reset_secret`;
      const [key, body] = [randomUUID(), { overlap: '1 h' }];
      const first = await send(path, key, body);
      const again = await send(path, key, body);
      expect([first, again].map(({ status }) => status)).toEqual([200, 200]);
      expect([first, again].map(isReplayed)).toEqual([false, true]);
      const { client_secret: secret, ...rest } = first.body;
      expect(again.body).toEqual(rest);
      expect(await countOf({ clientId, kind: 'secret_rotated' })).toBe(1);
      // The secret of before the rotation is the one that the overlap keeps valid.
      for (const client_secret of [client['client_secret'], secret]) {
        const check = await registry().ask('POST', `${pathOf(clientId)}/check/secret`, {
          body: { client_secret },
        });
        expect(check.body['valid']).toBe(true);
      }
      expect(await storedText()).not.toContain(secret);
    });

    test('a rejected rotation leaves its key free; one for a deleted Client gets 409', async () => {
      const { client_id } = await registered();
      const [key, path] = [randomUUID(), `${pathOf(client_id)}/reset_secret`];
      const stale = { 'idempotency-key': key, 'if-match': '"1"' };
      expect((await registry().ask('POST', path, { headers: stale })).status).toBe(412);
      expect((await send(path, key)).status).toBe(200);
      expect((await send(`${pathOf('nobody')}/reset_secret`, randomUUID())).status).toBe(404);
      await registry().ask('DELETE', pathOf(client_id));
      expect((await send(path, key)).status).toBe(409);
    });

    test('a repeated token request creates one token, whose value is only in the first response', async () => {
      const key = randomUUID();
      const body = { name: `once ${key}`, scopes: ['clients:read'], expires_in: '1 h' };
      const answers = await Promise.all(Array.from({ length: 10 }, async () => send('/token', key, body)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(answers.map((answer) => answer.body['id'])).size).toBe(1);
      const [first, ...others] = answers.filter((answer) => 'token' in answer.body);
      expect([others, isReplayed(first!)]).toEqual([[], false]);
      expect(answers.filter(isReplayed)).toHaveLength(9);
      expect(await storedText()).not.toContain(first?.body['token']);

      await registry().ask('DELETE', `/token/${String(first?.body['id'])}`);
      const ended = await send('/token', key, body);
      expect([ended.status, ended.body['detail']]).toEqual([
        409,
        `This Idempotency-Key created the API token ${String(first?.body['id'])}, which has since expired or been revoked.`,
      ]);
    });

    test.each([true, false])(
      'operations with atomic: %s that are sent again are carried out once',
      async (atomic) => {
        const key = randomUUID();
        const register = { op: 'register', client: registration({ client_name: `Bulk ${key}` }) };
        const lost = { op: 'enable', client_id: 'nobody' };
        const body = { atomic, operations: atomic ? [register, register] : [register, lost] };
        const first = await send('/clients/bulk', key, body);
        const again = await send('/clients/bulk', key, body);
        expect([first, again].map(isReplayed)).toEqual([false, true]);
        const results = first.body['results'] as Members[];
        expect(results[0]?.['client_secret']).toEqual(expect.any(String));
        const withoutSecrets = results.map(({ client_secret: _, ...rest }) => rest);
        expect(again.body).toEqual({ ...first.body, results: withoutSecrets });
        const found = await registry().ask('GET', `/client?q=${encodeURIComponent(`Bulk ${key}`)}`);
        expect(found.body['clients']).toHaveLength(atomic ? 2 : 1);
        expect(await storedText()).not.toContain(results[0]?.['client_secret']);
      },
    );

    test('rejected operations leave their key free', async () => {
      const key = randomUUID();
      const refused = { operations: [{ op: 'enable', client_id: 'nobody' }] };
      expect((await send('/clients/bulk', key, refused)).status).toBe(404);
      const sound = { operations: [{ op: 'register', client: registration() }] };
      expect((await send('/clients/bulk', key, sound)).status).toBe(200);
    });

    test('a key belongs to one request: another body, or another route, gets 409', async () => {
      const key = randomUUID();
      const token = { name: 'keyed', scopes: ['clients:read'] };
      const { client_id } = await registered();
      expect((await send('/token', key, token)).status).toBe(201);
      const others = [
        await send('/token', key, { ...token, name: 'other' }),
        await send('/client', key, registration()),
        await send(`${pathOf(client_id)}/reset_secret`, key),
        await send('/clients/bulk', key, { operations: [{ op: 'enable', client_id }] }),
      ];
      expect(others.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
      expect(others[0]?.body['detail']).toBe(
        'This Idempotency-Key was already used for a different request; use a new key for each request.',
      );
    });

    test('a dry run uses no key', async () => {
      const body = { dry_run: true, operations: [{ op: 'register', client: registration() }] };
      const { status, body: problem } = await send('/clients/bulk', randomUUID(), body);
      expect([status, problem['detail']]).toEqual([
        400,
        'A dry run changes nothing and does not accept an Idempotency-Key; send it without.',
      ]);
    });

    test('every other request that may change something rejects a key, and says where one is accepted', async () => {
      const { operations } = await ApiDocument.of(registry());
      const { client_id } = await registered();
      const keyed: string[] = [];
      const mine = await registry().ask('POST', '/register', { body: registration() });
      for (const [name, { parameters }] of operations) {
        const [method = '', template = ''] = name.split(' ');
        if (parameters.some((parameter) => parameter.name === 'Idempotency-Key')) keyed.push(name);
        if (method === 'GET' || KEYED.includes(name)) continue;
        const isOwn = template.startsWith('/register/');
        const id = String(isOwn ? mine.body['client_id'] : client_id);
        const path = template
          .replace('{client_id}', encodeURIComponent(id))
          .replace('{id}', '0123456789abcdef');
        const type = template === '/clients/import' ? 'application/x-ndjson' : 'application/json';
        const token = isOwn ? String(mine.body['registration_access_token']) : registry().token;
        const { status, body } = await ask(registry().url + path, method, token, {
          headers: { 'idempotency-key': randomUUID(), 'content-type': type },
          ...(method !== 'DELETE' && { body: {} }),
        });
        expect([name, status, body['detail']]).toEqual([
          name,
          400,
          expect.stringMatching(
            /^This request does not accept an Idempotency-Key; send it without\. POST \/client, /,
          ),
        ]);
      }
      expect(keyed.sort()).toEqual(KEYED);
      expect((await registry().ask('GET', pathOf(client_id))).status).toBe(200);
      const read = await send('/client', randomUUID(), undefined, 'GET');
      expect(read.status).toBe(200);
    });
  },
  { REGISTRATION: 'token' },
);
