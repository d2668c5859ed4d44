import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { ClientUse } from '@svc/client-metadata';
import { eventually, SharedPostgres } from '@svc/test-servers';
import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { usageKey } from '../../src/usage/keyed-rows.js';
import { UsageCompleteness } from '../../src/usage/usage-completeness.js';
import { UsageKeeper } from '../../src/usage/usage-keeper.js';
import { UsageStore } from '../../src/usage/usage.store.js';
import { onBothDatabases } from '../on-both-databases.js';
import { pathOf, registration, runRegistry, untilServed } from '../running-registry.js';
import { acceptedRow, batchOf, usageOf } from './recorded.js';

const NOW = new Date('2026-11-24T12:00:00.000Z');
const ALL = { clientId: 'shop', metadata: {} };

/** One use of each of these origins, on this day. */
const insertUses = async (dataSource: DataSource, clientId: unknown, day: string, hosts: readonly string[]) =>
  dataSource.query(
    `INSERT INTO client_usage (client_id, period, key, use, count, first_at, last_at)
     SELECT $1, $2::text, sha256(convert_to(use::text, 'UTF8')), use, 1, $2::text::timestamptz, $2::text::timestamptz
     FROM (SELECT jsonb_build_object('kind', 'request', 'match', 'unchecked', 'origin', host, 'pkce', 'none',
                                     'response_type', 'code') AS use FROM unnest($3::text[]) AS host) u`,
    [clientId, day, hosts],
  );

onBothDatabases((registry) => {
  const register = async () =>
    (await untilServed(async () => registry().ask('POST', '/client', { body: registration() }))).body;
  const ownRow = ({ client_id, created_at }: Record<string, unknown>, count: number) =>
    acceptedRow(client_id, { client_created_at: String(created_at), count });
  const keeper = () => registry().service.app.get(UsageKeeper);
  const rowsOf = async (clientId: unknown) =>
    registry().dataSource.query<{ period: string; rows: number; count: number }[]>(
      `SELECT period, count(*)::int AS rows, sum(count)::int AS count FROM client_usage WHERE client_id = $1
       GROUP BY period ORDER BY period`,
      [clientId],
    );

  test('old days become months with at most 150 kinds, and months older than the retention are deleted', async () => {
    const { client_id } = await register();
    const hosts = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => `https://h${from + index}.example`);
    const { dataSource } = registry();
    await insertUses(dataSource, client_id, '2026-11-20', hosts(0, 3));
    await insertUses(dataSource, client_id, '2026-08-26', hosts(0, 3));
    await insertUses(dataSource, client_id, '2026-08-25', hosts(0, 120));
    await insertUses(dataSource, client_id, '2026-08-01', hosts(60, 120));
    await insertUses(dataSource, client_id, '2025-10-19', hosts(0, 5));
    await insertUses(dataSource, client_id, '2025-10-21', hosts(0, 5));
    await keeper().keep(NOW);
    expect(await rowsOf(client_id)).toEqual([
      { period: '2025-10', rows: 5, count: 5 },
      { period: '2026-08', rows: 151, count: 240 },
      { period: '2026-08-26', rows: 3, count: 3 },
      { period: '2026-11-20', rows: 3, count: 3 },
    ]);
    await keeper().keep(NOW);
    expect(await rowsOf(client_id)).toHaveLength(4);
    await keeper().keep(new Date('2026-12-10T00:00:00Z'));
    expect((await rowsOf(client_id)).map(({ period }) => period)).toEqual(['2026-08', '2026-11-20']);
  });

  test('a day is complete only if every interval of it was reported', async () => {
    const { dataSource, service } = registry();
    const store = service.app.get(UsageStore);
    await dataSource.query('DELETE FROM usage_reporter');
    await dataSource.query(
      `UPDATE usage_recording SET since = '2026-11-01T22:30:00Z', recorded_to = '2026-11-24T11:59:00Z'`,
    );
    const missing = async (client: typeof ALL & { metadata: object } = ALL) => {
      const completeness = await UsageCompleteness.read(dataSource, '2026-11-01', NOW);
      return completeness.incompleteDays(client, '2026-11-01', '2026-11-24', NOW);
    };
    const interval = async (reporter: string, from: string, to: string, more: object = {}) =>
      store.addReported(
        batchOf([], { reporter, from: `2026-11-${from}:00.000Z`, to: `2026-11-${to}:00.000Z`, ...more }),
        {
          id: 'token',
          name: '',
          address: '',
          seesActors: true,
          selector: { labels: {} },
        },
      );
    expect(await missing()).toEqual(['2026-11-01', '2026-11-24']);
    // One after the other, over midnight.
    await interval('a', '05T23:50', '06T00:00');
    await interval('a', '06T00:00', '06T00:10', { is_final: true });
    expect(await missing()).toEqual(['2026-11-01', '2026-11-24']);
    // A gap over two days, and a process that says that something is missing.
    await interval('b', '08T22:00', '08T23:00');
    await interval('b', '09T01:00', '09T02:00', { is_final: true });
    await interval('c', '11T01:00', '11T02:00', { is_final: true, is_incomplete: true });
    expect(await missing()).toEqual(['2026-11-01', '2026-11-08', '2026-11-09', '2026-11-11', '2026-11-24']);
    // Killed, for longer than a day, and a silent one that may catch up.
    await interval('d', '14T01:00', '14T02:00');
    await interval('e', '23T11:00', '23T12:30');
    expect(await missing()).toEqual(
      ['01', '08', '09', '11', '14', '23', '24'].map((day) => `2026-11-${day}`),
    );
    await keeper().keep(NOW);
    await interval('e', '23T12:30', '24T11:59');
    expect(await missing()).toEqual(['01', '08', '09', '11', '14', '24'].map((day) => `2026-11-${day}`));
  });

  test('a narrow token makes days incomplete only for its own Clients', async () => {
    const { dataSource, service } = registry();
    await dataSource.query('DELETE FROM usage_gap');
    const caller = {
      id: 't',
      name: '',
      address: '',
      seesActors: true,
      selector: { labels: { team: ['ours'] } },
    };
    const times = { from: '2026-11-12T00:00:00.000Z', to: '2026-11-12T01:00:00.000Z' };
    await service.app
      .get(UsageStore)
      .addReported(batchOf([], { ...times, is_incomplete: true, is_final: true }), caller);
    const completeness = await UsageCompleteness.read(dataSource, '2026-11-10', NOW);
    const missing = (labels: Record<string, string>) =>
      completeness.incompleteDays({ clientId: 'x', metadata: { labels } }, '2026-11-10', '2026-11-13', NOW);
    expect([missing({ team: 'ours' }), missing({ team: 'theirs' })]).toEqual([['2026-11-12'], []]);
  });

  test('at most 100 processes report with one token', async () => {
    const report = async (reporter: string, more: object = {}) =>
      untilServed(async () =>
        registry().ask('POST', '/clients/usage', { body: batchOf([], { reporter, ...more }) }),
      );
    const replies: Awaited<ReturnType<typeof report>>[] = [];
    for (let from = 0; from < 100; from += 50)
      replies.push(
        ...(await Promise.all(Array.from({ length: 50 }, async (_, index) => report(`p${from + index}`)))),
      );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await report('one-more')).status).toBe(409);
    expect((await report('p1', { is_final: true })).status).toBe(200);
    expect((await report('one-more')).status).toBe(200);
  });

  test('counts of a batch with many Clients and of its repetition add up', async () => {
    const clients = await Promise.all(Array.from({ length: 5 }, register));
    const store = registry().service.app.get(UsageStore);
    const batches = Array.from({ length: 10 }, () =>
      batchOf(clients.map((client, index) => ownRow(client, index + 1))),
    );
    await Promise.all([...batches, ...batches].map(async (batch) => store.addOwn(batch)));
    for (const [index, { client_id: id }] of clients.entries()) {
      expect((await usageOf(registry(), id)).pkce).toMatchObject([{ count: 10 * (index + 1) }]);
    }
  });

  test('later counts of a day change rows in place, so that indexes and the table do not grow', async () => {
    const clients = await Promise.all(Array.from({ length: 60 }, register));
    const batch = () => batchOf(clients.map((client) => ownRow(client, 1)));
    const store = registry().service.app.get(UsageStore);
    // Former versions stay while something else has a snapshot, such as an ANALYZE by autovacuum; then rows do move.
    await registry().dataSource.query(`DO $$ DECLARE name regclass; BEGIN
      FOR name IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace LOOP
        EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = off)', name);
      END LOOP; END $$`);
    await store.addOwn(batch());
    const places = async () =>
      registry().dataSource.query<{ page: number; rows: number }[]>(
        `SELECT (ctid::text::point)[0] AS page, count(*)::int AS rows FROM client_usage
         WHERE client_id = ANY ($1::text[]) GROUP BY 1 ORDER BY 1`,
        [clients.map(({ client_id: id }) => id)],
      );
    const otherSnapshots = async () => {
      const [row] = await registry().dataSource.query<{ count: number }[]>(
        `SELECT count(*)::int AS count FROM pg_stat_activity
         WHERE datname = current_database() AND backend_xmin IS NOT NULL AND pid <> pg_backend_pid()`,
      );
      return row?.count;
    };
    const placesAroundBatches = async () => {
      const before = await places();
      for (let round = 0; round < 5; round += 1) await store.addOwn(batch());
      return { before, after: await places() };
    };
    let compared = await placesAroundBatches();
    expect(compared.before.reduce((sum, { rows }) => sum + rows, 0)).toBe(60);
    for (let retry = 0; retry < 20 && !isDeepStrictEqual(compared.before, compared.after); retry += 1) {
      await eventually(async () => expect(await otherSnapshots()).toBe(0));
      compared = await placesAroundBatches();
    }
    expect(compared.after).toEqual(compared.before);
  });

  test('the key of a use is the one that PostgreSQL computes', async () => {
    const text = fc.string({ unit: 'binary' }).map((any) => any.replaceAll('\0', ''));
    const optional = {
      refusal: text,
      redirect_uri: text,
      origin: text,
      difference: text,
      is_clean: fc.boolean(),
      match: text,
      secret: text,
      others: fc.constant(true),
    };
    const use = fc.record(
      { kind: fc.constant('request'), pkce: text, response_type: text, ...optional },
      { requiredKeys: ['kind', 'pkce', 'response_type'] },
    );
    const uses = fc.sample(use, 500) as ClientUse[];
    const keys = await registry().dataSource.query<{ key: string }[]>(
      `SELECT encode(sha256(convert_to(use::text, 'UTF8')), 'hex') AS key
       FROM jsonb_array_elements($1::text::jsonb) WITH ORDINALITY AS given(use, number) ORDER BY number`,
      [JSON.stringify(uses)],
    );
    expect(uses.map(usageKey)).toEqual(keys.map(({ key }) => key));
  });
});

test('what is answered while the registry closes is counted', async () => {
  const postgres = new SharedPostgres();
  const environment = {
    DATABASE_URL: await postgres.createRegistryDatabase(),
    BOOTSTRAP_TOKEN: 'token-of-both-registries-0123456789abcdef',
  };
  const [closing, other] = [await runRegistry(environment), await runRegistry(environment)];
  try {
    const { client_id } = (await closing.ask('POST', '/client', { body: registration() })).body;
    const path = `${pathOf(client_id)}/check/authorization_request`;
    const authorization = `Bearer ${closing.token}`;
    const headers = { authorization, 'content-type': 'application/json', expect: '100-continue' };
    const sent = request(closing.url + path, { method: 'POST', headers });
    sent.flushHeaders();
    await once(sent, 'continue');
    const closed = closing.close();
    await eventually(async () => expect(fetch(closing.url)).rejects.toThrow());
    sent.end('{"response_type":"code"}');
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    expect(answer.resume().statusCode).toBe(200);
    await closed;
    expect((await usageOf(other, client_id)).periods).toMatchObject([{ accepted: 1 }]);
  } finally {
    await other.close();
    await postgres.dropDatabases();
  }
});

test('USAGE=off records nothing, and reports are accepted but not counted', async () => {
  const registry = await runRegistry({ USAGE: 'off' });
  try {
    const { client_id } = (await registry.ask('POST', '/client', { body: registration() })).body;
    await registry.ask('POST', `${pathOf(client_id)}/check/authorization_request`, {
      body: { response_type: 'code' },
    });
    const { body } = await registry.ask('POST', '/clients/usage', {
      body: batchOf([acceptedRow(client_id)]),
    });
    expect(body).toEqual({ recorded: false });
    expect(await usageOf(registry, client_id)).toMatchObject({ is_recorded: false, periods: [] });
  } finally {
    await registry.close();
  }
});
