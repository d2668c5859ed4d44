import { jest } from '@jest/globals';
import { activeCallers, createLogger } from '@svc/service-kit';
import { SharedPostgres } from '@svc/test-servers';
import type { DataSource } from 'typeorm';
import { createBatchLoader, PreparedStatement, queryToRead } from '../../src/database/prepared-statement.js';
import { createRegistryDataSource } from '../../src/registry-database.js';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { fixedUrl } from '../fixed-url.js';

/** Each key has as many rows as characters; `at` is the time of the statement, the same for all of its rows. */
const ROWS = new PreparedStatement<{ key: string; number: number; at: string }>(
  'test_rows',
  `SELECT key, number, statement_timestamp()::text AS at
   FROM unnest($1::text[]) key CROSS JOIN LATERAL generate_series(1, length(key)) number
   WHERE 1 / (CASE key WHEN 'broken' THEN 0 ELSE 1 END) = 1 ORDER BY number DESC`,
);

const server = new SharedPostgres();
let dataSource: DataSource;
let read: (key: string) => Promise<readonly { key: string; number: number; at: string }[]>;

beforeAll(async () => {
  const address = { source: fixedUrl(await server.createRegistryDatabase()), poolSize: 2 };
  dataSource = await createRegistryDataSource(address, createLogger('test', 'silent')).initialize();
  read = createBatchLoader(dataSource, ROWS, ({ key }) => key);
}, DATABASE_START_MS);
afterAll(async () => {
  await dataSource.destroy();
  await server.dropDatabases();
});

const statementsOf = (rows: readonly { at: string }[]): number => new Set(rows.map(({ at }) => at)).size;

test('concurrent requests share one statement, and each gets its own rows', async () => {
  const [three, one, none, again] = await Promise.all(['abc', 'x', '', 'abc'].map(read));
  expect(three?.map(({ key, number }) => `${key}${number}`)).toEqual(['abc3', 'abc2', 'abc1']);
  expect(one).toMatchObject([{ key: 'x', number: 1 }]);
  expect(none).toEqual([]);
  expect(again).toEqual(three);
  expect(statementsOf([...three!, ...one!])).toBe(1);
});

test('nothing is cached: later requests read again', async () => {
  const [first] = await read('a');
  const [second] = await read('a');
  expect(second!.at > first!.at).toBe(true);
});

test('a statement reads at most a hundred keys', async () => {
  const keys = Array.from({ length: 250 }, (_, index) => String.fromCodePoint(0x4e00 + index));
  const rows = (await Promise.all(keys.map(read))).flat();
  expect(rows.map(({ key }) => key)).toEqual(keys);
  expect(statementsOf(rows)).toBe(3);
});

test('a failed statement fails all of its requests, and none after them', async () => {
  const outcomes = await Promise.allSettled([read('broken'), read('b')]);
  expect(outcomes.map((one) => one.status === 'rejected' && String(one.reason))).toEqual([
    expect.stringContaining('division by zero'),
    expect.stringContaining('division by zero'),
  ]);
  expect(await read('b')).toHaveLength(1);
});

test('a search uses one core of the server while several callers need it, and as many as it allows otherwise', async () => {
  const setting = `SELECT current_setting('max_parallel_workers_per_gather') AS workers`;
  const workers = async () => {
    const [row] = await queryToRead<{ workers: string }>(dataSource, 'test_workers', setting, []);
    return row?.workers;
  };
  expect(await workers()).toBe('2');
  for (const caller of ['a', 'b']) activeCallers.note(caller);
  expect(await Promise.all([1, 2, 3].map(workers))).toEqual(['0', '0', '0']);
  const now = performance.now();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 60_000);
  expect(await Promise.all([1, 2, 3].map(workers))).toEqual(['2', '2', '2']);
  clock.mockRestore();
});
