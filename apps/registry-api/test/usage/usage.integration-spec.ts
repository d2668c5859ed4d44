import { setTimeout as sleep } from 'node:timers/promises';
import type { UsageRow } from '@svc/client-metadata';
import { eventually } from '@svc/test-servers';
import { onPostgres } from '../on-both-databases.js';
import { ask, pathOf, registration } from '../running-registry.js';
import { acceptedRow, batchOf, flushUsage, usageOf } from './recorded.js';

const CALLBACK = 'https://shop.example/cb';
const GOOD = { response_type: 'code', redirect_uri: CALLBACK };
const S256 = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

onPostgres((registry) => {
  const register = async (overrides: Record<string, unknown> = {}) =>
    (await registry().ask('POST', '/client', { body: registration(overrides) })).body;
  const check = async (clientId: unknown, body: unknown, name = 'authorization_request') =>
    (await registry().ask('POST', `${pathOf(clientId)}/check/${name}`, { body })).body;
  const report = async (body: unknown, token = registry().token) =>
    ask(`${registry().url}/clients/usage`, 'POST', token, { body });
  const tokenFor = async (selector: unknown) => {
    const body = { name: 'narrow', scopes: ['clients:read', 'clients:check'], selector };
    return String((await registry().ask('POST', '/token', { body })).body['token']);
  };

  test('what a deleted Client did is not counted for a later one with its id', async () => {
    const { client_id } = await register({ preferred_client_id: 'reused' });
    expect(await check(client_id, { response_type: 'code' })).toMatchObject({ redirect_uri: CALLBACK });
    await check(client_id, { client_secret: 'wrong' }, 'secret');
    await registry().ask('DELETE', pathOf(client_id));
    await sleep(2);
    await register({ preferred_client_id: 'reused', redirect_uris: ['https://other.example/cb'] });
    const usage = await usageOf(registry(), client_id);
    expect(usage).toMatchObject({ periods: [], refusals: [] });
    expect(usage).not.toHaveProperty('last_used_at');
    expect(JSON.stringify(usage)).not.toContain('shop.example');
    await check(client_id, { response_type: 'code' });
    expect((await usageOf(registry(), client_id)).periods).toMatchObject([{ accepted: 1 }]);
  });

  test('equal uses of a deleted Client are not added to those of a later one with its id', async () => {
    const again = { preferred_client_id: 'again' };
    const { client_id } = await register(again);
    await check(client_id, GOOD);
    await registry().ask('DELETE', pathOf(client_id));
    await sleep(2);
    await register(again);
    await check(client_id, GOOD);
    expect((await usageOf(registry(), client_id)).periods).toMatchObject([{ accepted: 1 }]);
    await check(client_id, GOOD);
    await registry().ask('DELETE', pathOf(client_id));
    await sleep(2);
    const { created_at: client_created_at } = await register(again);
    await report(batchOf([acceptedRow(client_id, { client_created_at: String(client_created_at) })]));
    expect((await usageOf(registry(), client_id)).periods).toMatchObject([{ accepted: 1 }]);
  });

  test('uses are counted from the first, even if the clock of the replica that registered the Client is ahead', async () => {
    const { client_id, client_secret } = await register();
    await registry().dataSource.query(
      `UPDATE client SET created_at = created_at + interval '4 minutes' WHERE client_id = $1`,
      [client_id],
    );
    await check(client_id, GOOD);
    await check(client_id, { client_secret }, 'secret');
    await report(batchOf([acceptedRow(client_id)]));
    const usage = await usageOf(registry(), client_id);
    expect(usage).toMatchObject({ last_used_at: expect.any(String), periods: [{ accepted: 3 }] });
  });

  test('a use of a deleted Client that another server reports is not counted for a later one with its id', async () => {
    const { client_id, created_at } = await register({ preferred_client_id: 'reported' });
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    await registry().ask('DELETE', pathOf(client_id));
    await sleep(2);
    const later = await register({ preferred_client_id: 'reported' });
    const of = (client: Record<string, unknown>) => ({ client_created_at: String(client['created_at']) });
    const last_at = minutesAgo(6);
    const rows = [
      acceptedRow(client_id, { ...of({ created_at }), count: 5 }),
      acceptedRow(client_id, { first_at: last_at, last_at, count: 3 }),
      acceptedRow(client_id, { ...of(later), count: 1 }),
    ];
    await report(batchOf(rows));
    await report(batchOf(rows));
    expect((await usageOf(registry(), client_id)).periods).toMatchObject([{ accepted: 2 }]);
  });

  test('counts requests by URI, PKCE method and response type, and refusals by their reason', async () => {
    const { client_id } = await register();
    for (const body of [GOOD, GOOD, { ...GOOD, code_challenge: S256, code_challenge_method: 'S256' }]) {
      expect(await check(client_id, body)).toMatchObject({ valid: true });
    }
    await check(client_id, { ...GOOD, redirect_uri: `${CALLBACK}/` });
    await check(client_id, { ...GOOD, redirect_uri: 'https://evil.example/users/ann?mail=ann' });
    await check(client_id, { redirect_uri: CALLBACK });
    const usage = await usageOf(registry(), client_id);
    const times = { first_at: expect.any(String), last_at: expect.any(String) };
    expect(usage).toMatchObject({
      is_recorded: true,
      last_used_at: expect.any(String),
      last_refused_at: expect.any(String),
      redirect_uris: [{ redirect_uri: CALLBACK, is_registered: true, matches: { exact: 3 } }],
      origins: [],
      pkce: [
        { value: 'none', count: 2 },
        { value: 'S256', count: 1 },
      ],
      response_types: [{ value: 'code', count: 3 }],
      periods: [{ period: new Date().toISOString().slice(0, 10), accepted: 3, refused: 3 }],
    });
    expect(usage.refusals).toHaveLength(3);
    expect(usage.refusals).toEqual(
      expect.arrayContaining([
        {
          rule: 'no_match',
          origin: 'https://shop.example',
          redirect_uri: CALLBACK,
          difference: 'a slash at the end',
          count: 1,
          ...times,
        },
        { rule: 'no_match', origin: 'https://evil.example', count: 1, ...times },
        { rule: 'response_type_missing', redirect_uri: CALLBACK, count: 1, ...times },
      ]),
    );
    expect(JSON.stringify(usage)).not.toContain('ann');
  });

  test('counts each valid secret, and wrong ones', async () => {
    const { client_id, client_secret } = await register();
    const rotated = await registry().ask('POST', `${pathOf(client_id)}/reset_secret`, {
      body: { overlap: '1 h' },
    });
    for (const secret of [client_secret, client_secret, rotated.body['client_secret'], 'wrong']) {
      await check(client_id, { client_secret: secret }, 'secret');
    }
    const usage = await usageOf(registry(), client_id);
    expect(usage.secrets.map(({ hint, count }) => [hint, count])).toEqual([
      [String(rotated.body['client_secret']).slice(-4), 1],
      [String(client_secret).slice(-4), 2],
    ]);
    expect(usage.refusals).toMatchObject([{ rule: 'wrong_secret', count: 1 }]);
  });

  test('secrets of a disabled Client are counted as refused, and so is an expired one', async () => {
    const { client_id, client_secret } = await register();
    await registry().ask('POST', `${pathOf(client_id)}/disable`);
    expect(await check(client_id, { client_secret }, 'secret')).toEqual({ valid: false });
    const disabled = await usageOf(registry(), client_id);
    expect(disabled.refusals).toMatchObject([{ rule: 'client_disabled', count: 1 }]);
    expect(disabled).toMatchObject({ last_refused_at: expect.any(String), periods: [{ accepted: 0 }] });
    await registry().ask('POST', `${pathOf(client_id)}/enable`);
    await registry().dataSource.query(
      'UPDATE client_secret SET expires_at = created_at WHERE client_id = $1',
      [client_id],
    );
    expect(await check(client_id, { client_secret }, 'secret')).toEqual({ valid: false });
    expect((await usageOf(registry(), client_id)).refusals.map(({ rule }) => rule).sort()).toEqual([
      'client_disabled',
      'wrong_secret',
    ]);
  });

  test('neither an unknown Client nor one out of reach is counted', async () => {
    const { client_id } = await register({ labels: { team: 'theirs' } });
    const token = await tokenFor({ team: 'ours' });
    const url = `${registry().url}${pathOf(client_id)}`;
    await ask(`${url}/check/authorization_request`, 'POST', token, { body: GOOD });
    for (const state of ['enable', 'disable']) {
      await registry().ask('POST', `${pathOf(client_id)}/${state}`);
      await ask(`${url}/check/secret`, 'POST', token, { body: { client_secret: 'guess' } });
    }
    expect((await ask(`${url}/usage`, 'GET', token)).status).toBe(404);
    expect((await usageOf(registry(), client_id)).periods).toEqual([]);
    expect((await registry().ask('GET', '/client/nobody/usage')).status).toBe(404);
  });

  test('a reported batch counts once, however often it is sent', async () => {
    const { client_id } = await register();
    const batch = batchOf([acceptedRow(client_id, { count: 7 })]);
    const answers = await Promise.all([report(batch), report(batch), report(batch)]);
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      Array.from({ length: 3 }, () => [200, { recorded: true }]),
    );
    await report(batchOf([acceptedRow(client_id, { count: 5 })]));
    expect((await usageOf(registry(), client_id)).pkce).toMatchObject([{ value: 'S256', count: 12 }]);
  });

  test('a batch counts only the Clients that the token reaches, and does not say which', async () => {
    const ours = await register({ labels: { team: 'ours' } });
    const theirs = await register({ labels: { team: 'theirs' } });
    const token = await tokenFor({ team: 'ours' });
    const rows = [ours['client_id'], theirs['client_id'], 'nobody'].map((id) => acceptedRow(id));
    expect((await report(batchOf(rows), token)).body).toEqual({ recorded: true });
    expect((await usageOf(registry(), ours['client_id'])).periods).toMatchObject([{ accepted: 1 }]);
    expect((await usageOf(registry(), theirs['client_id'])).periods).toEqual([]);
  });

  test('other servers report assertions, too, and secrets of disabled Clients', async () => {
    const { client_id } = await register();
    const at = (refusal?: string, kind = 'assertion') =>
      acceptedRow(client_id, { use: { kind, ...(refusal !== undefined && { refusal }) } as UsageRow['use'] });
    const refused = [at('assertion_other'), at('client_disabled', 'secret')];
    const batch = batchOf([at(), at(), ...refused, ...refused]);
    expect((await report(batch)).body).toEqual({ recorded: true });
    const usage = await usageOf(registry(), client_id);
    expect(usage.refusals.map(({ rule, count }) => [rule, count]).sort()).toEqual([
      ['assertion_other', 2],
      ['client_disabled', 2],
    ]);
    expect(usage).toMatchObject({ last_used_at: expect.any(String), periods: [{ accepted: 2, refused: 4 }] });
    for (const row of [at('assertion_ann'), at('wrong_secret', 'secret'), at(undefined, 'secret')])
      expect((await report(batchOf([row]))).status).toBe(400);
  });

  test('a reported URI that is not registered loses its path and its user', async () => {
    const { client_id } = await register();
    const use = { kind: 'request', refusal: 'no_match', pkce: 'none', response_type: 'code' } as const;
    const rows = [
      acceptedRow(client_id, { use: { ...use, origin: 'https://ann@evil.example/ann?ann#ann' } }),
      acceptedRow(client_id, { use: { ...use, redirect_uri: 'https://other.example/ann' } }),
      acceptedRow(client_id, { use: { ...use, response_type: 'ann', difference: 'ann' } }),
    ];
    await report(batchOf(rows));
    const usage = await usageOf(registry(), client_id);
    expect(usage.refusals.map(({ origin }) => origin).sort()).toEqual([
      'https://evil.example',
      'https://other.example',
      undefined,
    ]);
    expect(JSON.stringify(usage)).not.toContain('ann');
  });

  test.each<[string, Record<string, unknown>]>([
    ['an end before its beginning', { from: '2999-01-01T00:00:00Z' }],
    ['an old interval', { from: '2020-01-01T00:00:00Z', to: '2020-01-01T00:00:00Z' }],
    ['a future interval', { to: '2999-01-01T00:00:00Z' }],
    ['a registration at no time', { rows: [acceptedRow('shop', { client_created_at: 'yesterday' })] }],
    ['no batch id', { batch_id: undefined }],
    ['too many rows', { rows: Array.from({ length: 201 }, () => acceptedRow('shop')) }],
    ['a row without a count', { rows: [{ ...acceptedRow('shop'), count: 0 }] }],
    ['a row of two days', { rows: [acceptedRow('shop', { first_at: '2020-01-01T00:00:00Z' })] }],
    ['a list that contains null for a use', { rows: [{ ...acceptedRow('shop'), use: [null] }] }],
    ['a list of uses for one', { rows: [{ ...acceptedRow('shop'), use: [{ kind: 'assertion' }] }] }],
    ['null for a use', { rows: [{ ...acceptedRow('shop'), use: null }] }],
    ['null for a row', { rows: [null] }],
    ['a use of another kind', { rows: [{ ...acceptedRow('shop'), use: { kind: 'secret' } }] }],
    [
      'a request as an assertion',
      { rows: [acceptedRow('shop', { use: { ...acceptedRow('shop').use, kind: 'assertion' } as never })] },
    ],
    ['an unknown member', { rows: [{ ...acceptedRow('shop'), user: 'ann' }] }],
  ])('refuses a batch with %s', async (_case, overrides) => {
    expect((await report({ ...batchOf([]), ...overrides })).status).toBe(400);
  });

  test('made-up URIs take at most 50 places a day, and leave those of accepted requests alone', async () => {
    const { client_id } = await register({ redirect_uri_validation_method: 'none' });
    const refused = (index: number) => ({ ...GOOD, redirect_uri: `https://h${index}.example#` });
    const accepted = (index: number) => ({ ...GOOD, redirect_uri: `https://h${index}.example/x` });
    for (let round = 0; round < 3; round += 1) {
      const indexes = Array.from({ length: 70 }, (_, index) => index + 70 * round);
      await Promise.all(indexes.map(async (index) => check(client_id, refused(index))));
      await Promise.all(indexes.map(async (index) => check(client_id, accepted(index))));
      await flushUsage(registry());
    }
    const usage = await usageOf(registry(), client_id);
    expect(usage.periods).toMatchObject([{ accepted: 210, refused: 210 }]);
    expect(usage.origins).toHaveLength(150);
    expect(usage.refusals).toHaveLength(51);
    const [{ rows = 0 } = {}] = await registry().dataSource.query<{ rows: number }[]>(
      'SELECT count(*)::int AS rows FROM client_usage WHERE client_id = $1',
      [client_id],
    );
    expect(rows).toBe(202);
  });

  test('deleting a Client deletes its counts', async () => {
    const { client_id } = await register({ preferred_client_id: 'gone-1' });
    await check(client_id, GOOD);
    await flushUsage(registry());
    await check(client_id, GOOD);
    await registry().ask('DELETE', pathOf(client_id));
    await flushUsage(registry());
    await register({ preferred_client_id: 'gone-1' });
    expect(await usageOf(registry(), client_id)).toMatchObject({ periods: [] });
  });
});

onPostgres((registry) => {
  test('a deletion that deadlocks with the writing of counts is carried out', async () => {
    const { body } = await registry().ask('POST', '/client', { body: registration() });
    const [client, id] = [pathOf(body['client_id']), body['client_id']];
    await registry().ask('POST', `${client}/check/authorization_request`, {
      body: { response_type: 'code' },
    });
    await flushUsage(registry());
    const counting = registry().dataSource.createQueryRunner();
    await counting.startTransaction();
    // The deletion is to be the one that PostgreSQL ends.
    await counting.query(`SET LOCAL deadlock_timeout = '60s'`);
    await counting.query('SELECT 1 FROM client_usage WHERE client_id = $1 FOR UPDATE', [id]);
    const deleted = registry().ask('DELETE', client);
    await eventually(async () => {
      const waiting = await registry().dataSource.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(waiting).not.toEqual([]);
    });
    await counting.query('SELECT 1 FROM client WHERE client_id = $1 FOR KEY SHARE', [id]);
    await counting.commitTransaction();
    await counting.release();
    expect((await deleted).status).toBe(204);
  });
});
