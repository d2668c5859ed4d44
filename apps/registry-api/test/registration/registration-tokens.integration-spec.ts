import { eventually } from '@svc/test-servers';
import { onPostgres } from '../on-both-databases.js';
import { RegistrationExpiries } from '../../src/registration/registration-expiries.js';
import { type Answer, ask, pathOf, registration } from '../running-registry.js';
import { eventuallyRecorded, recorded } from '../security-events/recorded-events.js';

onPostgres(
  (registry) => {
    let initial: string;
    beforeAll(async () => {
      const body = { name: 'developers', scopes: ['clients:register'] };
      initial = String((await registry().ask('POST', '/token', { body })).body['token']);
    });

    const register = async () =>
      (await ask(`${registry().url}/register`, 'POST', initial, { body: registration() })).body;
    const read = async (client: Answer['body'], token: unknown) =>
      ask(String(client['registration_client_uri']), 'GET', String(token));
    const statusOf = async (client: Answer['body'], token: unknown) => (await read(client, token)).status;
    const put = async (client: Answer['body'], token: unknown, overrides: object = {}) =>
      ask(String(client['registration_client_uri']), 'PUT', String(token), {
        body: registration({ client_id: client['client_id'], ...overrides }),
      });
    const tokenIn = ({ body }: Answer) => body['registration_access_token'];
    const sql = async (text: string, clientId: unknown) => registry().dataSource.query(text, [clientId]);

    test('each use issues a new token; the former one works until the new one was used', async () => {
      const client = await register();
      const first = client['registration_access_token'];
      const second = tokenIn(await read(client, first));
      expect(second).toMatch(/^svcreg_[\w-]{43}$/);
      expect(second).not.toBe(first);
      expect(await statusOf(client, first)).toBe(200);
      expect(await statusOf(client, second)).toBe(200);
      expect(await statusOf(client, first)).toBe(401);
      expect(await statusOf(client, second)).toBe(200);
    });

    test('a replacement issues one, too, and a rejected one does not', async () => {
      const client = await register();
      const first = String(client['registration_access_token']);
      const rejected = await put(client, first, { client_name: '' });
      expect(rejected.status).toBe(400);
      const replaced = await put(client, first);
      expect(replaced.status).toBe(200);
      expect(await statusOf(client, tokenIn(replaced))).toBe(200);
      expect(await statusOf(client, first)).toBe(401);
    });

    test('a replacement that is refused because a newer token was used meanwhile stores nothing', async () => {
      const client = await register();
      let token = client['registration_access_token'];
      for (let round = 0; round < 20; round += 1) {
        const next = tokenIn(await read(client, token));
        const client_name = `Round ${round}`;
        const [replaced, used] = await Promise.all([put(client, token, { client_name }), read(client, next)]);
        const { body } = await registry().ask('GET', pathOf(client['client_id']));
        expect(body['client_name'] === client_name).toBe(replaced.status === 200);
        token = tokenIn(used);
      }
    });

    test.each(
      ['GET', 'PUT of the same', 'PUT of others'].flatMap((kind) =>
        [0, 3, 7].map((kept) => [kind, kept] as const),
      ),
    )('of requests at once (%s), any response may be the one that is kept: number %i', async (kind, kept) => {
      const client = await register();
      let token = client['registration_access_token'];
      const send = async (number: number) => {
        if (kind === 'GET') return read(client, token);
        return put(client, token, { client_name: kind === 'PUT of others' ? `Number ${number}` : 'Same' });
      };
      for (let round = 0; round < 3; round += 1) {
        const answers = await Promise.all(Array.from({ length: 8 }, async (_, number) => send(number)));
        expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
        token = tokenIn(answers[kept] as Answer);
      }
      expect(await statusOf(client, token)).toBe(200);
    });

    test('at most eight unused ones are kept', async () => {
      const client = await register();
      const first = client['registration_access_token'];
      const issued: unknown[] = [];
      for (let count = 0; count < 10; count += 1) issued.push(tokenIn(await read(client, first)));
      expect(await statusOf(client, issued[1])).toBe(401);
      expect(await statusOf(client, issued[2])).toBe(200);
    });

    test('they expire', async () => {
      const client = await register();
      const first = client['registration_access_token'];
      const second = tokenIn(await read(client, first));
      const [{ left }] = await sql(
        `SELECT extract(epoch FROM expires_at - now())::int AS left FROM client_registration WHERE client_id = $1`,
        client['client_id'],
      );
      expect(left).toBeGreaterThan(30 * 86_400 - 60);
      await sql(
        'UPDATE client_registration SET expires_at = now() WHERE client_id = $1',
        client['client_id'],
      );
      expect(await statusOf(client, first)).toBe(401);
      expect(await statusOf(client, second)).toBe(200);
    });

    test('an administrator revokes them alone, and issues another', async () => {
      const client = await register();
      const first = client['registration_access_token'];
      const second = tokenIn(await read(client, first));
      const path = `${pathOf(client['client_id'])}/registration_token`;
      expect((await registry().ask('DELETE', path)).status).toBe(204);
      expect((await registry().ask('DELETE', path)).status).toBe(204);
      expect([await statusOf(client, first), await statusOf(client, second)]).toEqual([401, 401]);
      expect((await registry().ask('GET', pathOf(client['client_id']))).status).toBe(200);
      const issued = await registry().ask('POST', path);
      expect(issued.status).toBe(200);
      expect(Date.parse(String(issued.body['expires_at']))).toBeGreaterThan(Date.now());
      const again = await registry().ask('POST', path);
      expect([await statusOf(client, tokenIn(issued)), await statusOf(client, tokenIn(again))]).toEqual([
        401, 200,
      ]);
    });

    test('none that is issued while an administrator replaces them stays valid', async () => {
      const client = await register();
      const id = client['client_id'];
      const path = `${pathOf(id)}/registration_token`;
      const { dataSource } = registry();
      const holding = dataSource.createQueryRunner();
      await holding.startTransaction();
      await holding.query('SELECT FROM client_registration WHERE client_id = $1 FOR UPDATE', [id]);
      const waiting = async (count: number) =>
        eventually(async () => {
          const [found] = await dataSource.query(
            `SELECT count(*)::int AS waiting FROM pg_stat_activity
             WHERE wait_event_type = 'Lock' AND datname = current_database()`,
          );
          expect(found).toEqual({ waiting: count });
        });
      const reading = read(client, client['registration_access_token']);
      await waiting(1);
      const replacing = registry().ask('POST', path);
      await waiting(2);
      await holding.commitTransaction();
      await holding.release();
      const issued = tokenIn(await reading);
      expect(await statusOf(client, tokenIn(await replacing))).toBe(200);
      expect(await statusOf(client, issued)).toBe(401);
    });

    test('what happens to them is on record', async () => {
      const client = await register();
      const id = String(client['client_id']);
      const renewed = await read(client, client['registration_access_token']);
      await eventuallyRecorded(registry(), `subject=${id}&kind=registration_token_renewed`, [
        { actor: { id: `registration:${id}`, source: 'registration' } },
      ]);
      const expire = async () => {
        for (const table of ['client_registration', 'client_registration_successor']) {
          await sql(`UPDATE ${table} SET expires_at = now() - interval '1 s' WHERE client_id = $1`, id);
        }
        await registry().service.app.get(RegistrationExpiries).record();
      };
      await registry().service.app.get(RegistrationExpiries).record();
      await expire();
      expect(await statusOf(client, tokenIn(renewed))).toBe(401);
      const path = `${pathOf(id)}/registration_token`;
      await registry().ask('POST', path);
      await registry().ask('DELETE', path);
      await registry().ask('DELETE', path);
      await registry().ask('POST', path);
      await expire();
      const bootstrap = { name: 'bootstrap', source: 'token' };
      const expired = { kind: 'registration_token_expired', actor: { source: 'registry' } };
      const events = await recorded(registry(), `subject=${id}`);
      expect(events.filter(({ kind }) => !/renewed|client_registered/.test(kind))).toMatchObject([
        expired,
        { kind: 'registration_token_created', actor: bootstrap },
        { kind: 'registration_token_revoked', actor: bootstrap },
        {
          ...{ kind: 'registration_token_created', actor: bootstrap },
          details: { expires_at: expect.stringMatching(/^\d{4}-/) },
        },
        expired,
      ]);
      const again = registry().service.app.get(RegistrationExpiries).record();
      expect(await again).toBe(0);
    });

    test('of a Client that does not exist, or that the caller does not reach, there is none', async () => {
      const selector = { team: 'other' };
      const body = { name: 'narrow', scopes: ['clients:read', 'clients:write'], selector };
      const narrow = String((await registry().ask('POST', '/token', { body })).body['token']);
      const { client_id } = await register();
      for (const method of ['POST', 'DELETE']) {
        expect((await registry().ask(method, '/client/nobody/registration_token')).status).toBe(404);
        const outside = await ask(`${registry().url}${pathOf(client_id)}/registration_token`, method, narrow);
        expect(outside.status).toBe(404);
      }
    });
  },
  { REGISTRATION: 'token', REGISTRATION_TOKEN_LIFETIME: '30 d' },
);
