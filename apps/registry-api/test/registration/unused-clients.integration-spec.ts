import { UnusedClients } from '../../src/unused-clients/unused-clients.js';
import { onPostgres } from '../on-both-databases.js';
import { ask, pathOf, registration } from '../running-registry.js';
import { recorded } from '../security-events/recorded-events.js';
import { flushUsage } from '../usage/recorded.js';

const DAYS = 10;

onPostgres(
  (registry) => {
    let initial: string;
    beforeAll(async () => {
      const body = { name: 'developers', scopes: ['clients:register'] };
      initial = String((await registry().ask('POST', '/token', { body })).body['token']);
    });

    const sql = async (text: string, values: unknown[] = []) => registry().dataSource.query(text, values);
    const cleanUp = async () => registry().service.app.get(UnusedClients, { strict: false }).cleanUp(DAYS);
    const stateOf = async (clientId: string) => {
      const { status, body } = await registry().ask('GET', pathOf(clientId));
      return status === 404 ? 'deleted' : body['enabled'] === true ? 'enabled' : 'disabled';
    };
    const register = async () => {
      const sent = { body: registration() };
      return String((await ask(`${registry().url}/register`, 'POST', initial, sent)).body['client_id']);
    };
    /** Moves everything known of a Client into the past. */
    const age = async (clientId: string, days: number) =>
      sql(
        `UPDATE client SET created_at = created_at - $2::int * interval '1 day', unused_at = unused_at - $2::int * interval '1 day',
                updated_at = updated_at - $2::int * interval '1 day'
         WHERE client_id = $1`,
        [clientId, days],
      );
    const registerOld = async (days = DAYS + 2) => {
      const clientId = await register();
      await age(clientId, days);
      return clientId;
    };
    const use = async (clientId: string, column: 'used_at' | 'refused_at', daysAgo: number) =>
      sql(
        `INSERT INTO client_last_use (client_id, ${column}) VALUES ($1, now() - $2::int * interval '1 day')
         ON CONFLICT (client_id) DO UPDATE SET ${column} = excluded.${column}`,
        [clientId, daysAgo],
      );

    beforeEach(async () => {
      await sql('DELETE FROM client');
      await sql('DELETE FROM usage_gap');
      await sql(
        `UPDATE usage_recording SET since = now() - interval '100 days', recorded_to = now() + interval '1 day'`,
      );
    });

    test('an unused Client of a developer is disabled, and as many days later deleted', async () => {
      const unused = await registerOld();
      expect(await cleanUp()).toEqual({ disabled: 1, deleted: 0 });
      expect(await stateOf(unused)).toBe('disabled');
      await age(unused, DAYS - 1);
      expect(await cleanUp()).toEqual({ disabled: 0, deleted: 0 });
      await age(unused, 3);
      expect(await cleanUp()).toEqual({ disabled: 0, deleted: 1 });
      expect(await stateOf(unused)).toBe('deleted');
      const actor = { id: 'registry', name: 'unused client cleanup', source: 'registry' };
      expect(await recorded(registry(), `subject=${unused}`)).toMatchObject([
        { kind: 'unused_client_deleted', actor, details: { client_name: 'Shop' } },
        { kind: 'unused_client_disabled', actor },
        { kind: 'client_registered' },
      ]);
      const changes = await sql(
        'SELECT kind, actor_id FROM client_change WHERE client_id = $1 ORDER BY seq',
        [unused],
      );
      expect(changes.slice(1)).toEqual([
        { kind: 'disabled', actor_id: 'registry' },
        { kind: 'deleted', actor_id: 'registry' },
      ]);
    });

    test('Clients that are new, used, changed, disabled by an administrator or not a developer’s stay', async () => {
      const young = await registerOld(DAYS - 1);
      const used = await registerOld();
      await use(used, 'used_at', DAYS - 1);
      const changed = await registerOld();
      await registry().ask('PATCH', pathOf(changed), {
        body: { client_name: 'New name' },
        headers: { 'content-type': 'application/merge-patch+json' },
      });
      const administrators = String(
        (await registry().ask('POST', '/client', { body: registration() })).body['client_id'],
      );
      await age(administrators, DAYS + 2);
      const disabled = await registerOld();
      await registry().ask('POST', `${pathOf(disabled)}/disable`);
      await age(disabled, DAYS + 2);
      const long = await registerOld();
      await use(long, 'used_at', DAYS + 1);
      expect(await cleanUp()).toEqual({ disabled: 1, deleted: 0 });
      const states = await Promise.all([young, used, changed, administrators, disabled, long].map(stateOf));
      expect(states).toEqual(['enabled', 'enabled', 'enabled', 'enabled', 'disabled', 'disabled']);
    });

    test.each(['disabled', 'deleted'])('none is %s while the use of a day is incomplete', async (kind) => {
      const unused = await registerOld();
      if (kind === 'deleted') {
        await cleanUp();
        await age(unused, DAYS + 2);
      }
      const before = await stateOf(unused);
      await sql(
        `INSERT INTO usage_gap (day, scope) VALUES (to_char(now() AT TIME ZONE 'UTC' - interval '5 days', 'YYYY-MM-DD'), $1)`,
        [JSON.stringify({ labels: {} })],
      );
      expect(await cleanUp()).toEqual({ disabled: 0, deleted: 0 });
      expect(await stateOf(unused)).toBe(before);
      await sql('DELETE FROM usage_gap');
      await sql(`UPDATE usage_recording SET since = now() - interval '${DAYS} days'`);
      expect(await cleanUp()).toEqual({ disabled: 0, deleted: 0 });
      await sql('UPDATE usage_recording SET since = NULL');
      expect(await cleanUp()).toEqual({ disabled: 0, deleted: 0 });
      await sql(`UPDATE usage_recording SET since = now() - interval '100 days'`);
      expect(await cleanUp()).toMatchObject({ [kind]: 1 });
    });

    test('one that is enabled again, or that someone tries to use, is not deleted', async () => {
      const [enabled, tried] = [await registerOld(), await registerOld()];
      expect((await cleanUp()).disabled).toBe(2);
      await registry().ask('POST', `${pathOf(enabled)}/enable`);
      await registry().ask('POST', `${pathOf(enabled)}/disable`);
      for (const clientId of [enabled, tried]) await age(clientId, DAYS + 2);
      await use(tried, 'refused_at', 1);
      expect(await cleanUp()).toEqual({ disabled: 0, deleted: 0 });
      await use(tried, 'refused_at', DAYS + 1);
      expect(await cleanUp()).toEqual({ disabled: 0, deleted: 1 });
      expect(await stateOf(enabled)).toBe('disabled');
    });

    test.each<[string, string, object]>([
      ['a secret', 'secret', { client_secret: 'wrong' }],
      ['an authorization request', 'authorization_request', { response_type: 'code' }],
    ])('one whose application still sends %s is not deleted', async (_case, kind, body) => {
      const clientId = await registerOld();
      expect((await cleanUp()).disabled).toBe(1);
      await age(clientId, DAYS + 2);
      await registry().ask('POST', `${pathOf(clientId)}/check/${kind}`, { body });
      await flushUsage(registry());
      expect(await cleanUp()).toEqual({ disabled: 0, deleted: 0 });
      expect(await stateOf(clientId)).toBe('disabled');
    });

    test.each<[string, object]>([
      [
        'assertions, which its server may verify',
        { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://shop.example/jwks' },
      ],
      ['refresh tokens', { grant_types: ['authorization_code', 'refresh_token'] }],
      ['a cookie', { cookie_entry_uri: 'https://shop.example/entry' }],
    ])('a Client that may be used by %s, of which there is no record, stays', async (_case, overrides) => {
      const clientId = await register();
      expect((await registry().ask('PATCH', pathOf(clientId), { body: overrides })).status).toBe(200);
      await age(clientId, DAYS + 2);
      expect(await cleanUp()).toEqual({ disabled: 0, deleted: 0 });
      expect(await stateOf(clientId)).toBe('enabled');
    });

    test('replicas that clean up at once change each Client once, in more than one batch', async () => {
      for (let count = 0; count < 8; count += 1) await registerOld();
      await sql(
        `INSERT INTO client (client_id, metadata, warnings, cookie_name, search_text, managed_by, seq, mark, created_at, updated_at)
         SELECT client_id || n, metadata, warnings, cookie_name || n, search_text, managed_by, next_change_seq(), new_change_mark(),
                created_at, updated_at
         FROM client, generate_series(1, 30) AS n`,
      );
      const runs = await Promise.all([cleanUp(), cleanUp(), cleanUp()]);
      expect(runs.reduce((sum, { disabled }) => sum + disabled, 0)).toBe(8 * 31);
      const [{ changes }] = await sql(
        `SELECT count(*)::int AS changes FROM client_change JOIN client USING (client_id) WHERE kind = 'disabled'`,
      );
      expect(changes).toBe(8 * 31);
    });
  },
  {
    ...{ REGISTRATION: 'token', REGISTRATION_UNUSED_DAYS: String(DAYS) },
    ...{ TOKEN_ENDPOINT_AUTH_METHODS: 'private_key_jwt', CLIENT_METADATA: 'jwks_uri' },
    GRANT_TYPES: 'refresh_token',
  },
);
