import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@svc/service-kit';
import { SharedPostgres } from '@svc/test-servers';
import type { DataSource, QueryRunner } from 'typeorm';
import { migrate } from '../../src/database/migrate.js';
import { createRegistryDataSource } from '../../src/registry-database.js';
import { fixedUrl } from '../fixed-url.js';
import { DATABASE_START_MS } from '../on-both-databases.js';

/*
 * A replica of a former version works on while another one migrates. Its statements are written down here as the version
 * before labels sent them; the next one's do the same.
 */

/** The last migrations of versions. */
const BEFORE_LABELS = 'AddStandbyBeats1790000014000';
const WITH_LABELS = 'AddLabels1790000015000';
const WITH_JOBS = 'LeaveRoomForCounts1790000041000';

const server = new SharedPostgres();
let dataSource: DataSource;
let former: QueryRunner;

beforeAll(async () => {
  const address = { source: fixedUrl(await server.createDatabase()), poolSize: 4 };
  dataSource = await createRegistryDataSource(address, createLogger('test', 'silent')).initialize();
  await migrate(dataSource);
}, DATABASE_START_MS);
beforeEach(async () => {
  await migrate(dataSource);
  former = dataSource.createQueryRunner();
  await former.connect();
});
afterEach(async () => former.release());
afterAll(async () => {
  await dataSource.destroy();
  await server.dropDatabases();
});

const lastMigration = async (): Promise<string | undefined> => {
  const rows = await dataSource.query<{ name: string }[]>(
    'SELECT name FROM migrations ORDER BY timestamp DESC LIMIT 1',
  );
  return rows[0]?.name;
};
const goBackTo = async (migration: string): Promise<void> => {
  while ((await lastMigration()) !== migration) await dataSource.undoLastMigration();
};
const register = async (clientId: string, labels?: object) =>
  former.query(
    `WITH changed AS (
       INSERT INTO client (client_id, metadata, warnings, cookie_name, search_text, seq, mark, created_at, updated_at)
       VALUES ($1, $2::jsonb, '{}', 'c', '', next_change_seq(), new_change_mark(), now(), now())
       RETURNING client_id, seq, mark, metadata
     )
     INSERT INTO client_change (seq, mark, client_id, kind, at, actor_id, actor_name, address, before, after)
     SELECT seq, mark, client_id, 'registered', now(), 'x', 'x', '192.0.2.1', NULL, metadata FROM changed`,
    [clientId, JSON.stringify({ client_name: clientId, ...(labels && { labels }) })],
  );
const change = async (clientId: string, kind: string, before: object | null, after: object | null) =>
  former.query(
    `INSERT INTO client_change (seq, client_id, kind, at, actor_id, actor_name, address, before, after)
     VALUES (next_change_seq(), $1, $2, now(), 'x', 'x', '192.0.2.1', $3::jsonb, $4::jsonb)`,
    [clientId, kind, before && JSON.stringify(before), after && JSON.stringify(after)],
  );
const labelsOf = async (clientId: string): Promise<unknown[]> =>
  dataSource.query(
    'SELECT kind, labels, labels_before AS before FROM client_change WHERE client_id = $1 ORDER BY seq',
    [clientId],
  );

test.each([
  [BEFORE_LABELS, 'client', 'client_change'],
  [BEFORE_LABELS, 'client_change', 'client'],
  [BEFORE_LABELS, 'api_token', 'client_change'],
  // Its first migrations alter only the second table, later ones the first.
  [WITH_LABELS, 'client', 'client_change'],
  [WITH_LABELS, 'client_secret', 'client_change'],
  [WITH_JOBS, 'client', 'deleted_client'],
  [WITH_JOBS, 'deleted_client', 'client'],
])(
  'after %s, a transaction that locks %s and later %s is not broken by migrations in between',
  async (migration, first, then) => {
    await goBackTo(migration);
    await dataSource.query('DELETE FROM client');
    await register(`at-${first}`);
    await former.startTransaction();
    await former.query(`LOCK TABLE ${first} IN ROW EXCLUSIVE MODE`);
    const migrated = migrate(dataSource);
    // The migration waits, has given up and waits again.
    await sleep(1_000);
    await former.query(`LOCK TABLE ${then} IN ROW EXCLUSIVE MODE`);
    await register(`during-${first}`);
    await former.commitTransaction();
    expect(await migrated).toContain('KeepPending1790000042000');
    const rows = await dataSource.query<object[]>(
      'SELECT client_id, labels FROM client WHERE client_id LIKE $1 ORDER BY client_id',
      [`%-${first}`],
    );
    expect(rows).toEqual([
      { client_id: `at-${first}`, labels: {} },
      { client_id: `during-${first}`, labels: {} },
    ]);
  },
);

test('while a backup keeps migrations waiting, requests are served', async () => {
  await goBackTo(WITH_LABELS);
  // As pg_dump does.
  await former.startTransaction();
  await former.query('LOCK TABLE client, client_change IN ACCESS SHARE MODE');
  const migrated = migrate(dataSource);
  const waits: number[] = [];
  for (const end = performance.now() + 14_000; performance.now() < end; await sleep(50)) {
    const askedAt = performance.now();
    await dataSource.query('SELECT FROM client LIMIT 1');
    waits.push(performance.now() - askedAt);
  }
  // A statement may take five seconds.
  expect(Math.max(...waits)).toBeLessThan(3_000);
  expect(waits.length).toBeGreaterThan(50);
  await former.commitTransaction();
  expect(await migrated).toContain('AddUsage1790000018000');
});

test('changes that the former version writes after the migration have labels', async () => {
  await goBackTo(BEFORE_LABELS);
  await migrate(dataSource);
  const shop = { labels: { team: 'shop' } };
  await register('labelled', { team: 'shop' });
  await change('labelled', 'disabled', null, null);
  await change('labelled', 'updated', shop, shop);
  await change('labelled', 'updated', shop, {});
  await change('labelled', 'deleted', {}, null);
  expect(await labelsOf('labelled')).toEqual([
    { kind: 'registered', labels: { team: 'shop' }, before: null },
    { kind: 'disabled', labels: { team: 'shop' }, before: null },
    { kind: 'updated', labels: { team: 'shop' }, before: null },
    { kind: 'updated', labels: {}, before: { team: 'shop' } },
    { kind: 'deleted', labels: {}, before: null },
  ]);
});
