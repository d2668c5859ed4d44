import { type ClientSelector, NO_CLIENTS, selects } from '@svc/client-metadata';
import { SharedPostgres } from '@svc/test-servers';
import fc from 'fast-check';
import { createLogger } from '@svc/service-kit';
import type { DataSource } from 'typeorm';
import { seenCondition, seesChange } from '../../src/changes/feed-view.js';
import { selectorCondition } from '../../src/clients/selector-conditions.js';
import { StatementValues } from '../../src/database/statement-values.js';
import { createRegistryDataSource } from '../../src/registry-database.js';
import { fixedUrl } from '../fixed-url.js';
import { DATABASE_START_MS } from '../on-both-databases.js';

/* What SQL selects is what the functions select, on a real PostgreSQL. */

const server = new SharedPostgres();
let dataSource: DataSource;

beforeAll(async () => {
  const address = { source: fixedUrl(await server.createDatabase()), poolSize: 1 };
  dataSource = await createRegistryDataSource(address, createLogger('test', 'silent')).initialize();
}, DATABASE_START_MS);
afterAll(async () => {
  await dataSource.destroy();
  await server.dropDatabases();
});

const KEYS = ['team', 'tier', 'constructor', 'example.com/team'];
const key = fc.constantFrom(...KEYS);
const value = fc.constantFrom('a', 'b', 'A', '', 'true', '1', `o'"\\`, 'ä');
const id = fc.constantFrom('x', 'X', 'y', '%', '');
const labels = fc.dictionary(key, value, { maxKeys: 3 });
const selector: fc.Arbitrary<ClientSelector> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(NO_CLIENTS) },
  {
    weight: 20,
    arbitrary: fc
      .tuple(
        fc.dictionary(key, fc.uniqueArray(value, { maxLength: 3 }), { maxKeys: 2 }),
        fc.option(id, { nil: undefined, freq: 3 }),
      )
      .map(([wanted, clientId]) => ({ labels: wanted, ...(clientId !== undefined && { clientId }) })),
  },
);

/** The positions of the rows that fulfil a condition. @param columns and their types */
const found = async (
  rows: readonly object[],
  alias: string,
  columns: string,
  condition: (values: StatementValues) => string,
): Promise<number[]> => {
  const values = StatementValues.of([JSON.stringify(rows.map((row, at) => ({ ...row, at })))]);
  const chosen = await dataSource.query<{ at: number }[]>(
    `SELECT ${alias}.at FROM jsonb_to_recordset($1::jsonb) AS ${alias}(at int, client_id text, ${columns})
     WHERE ${condition(values)} ORDER BY ${alias}.at`,
    values.list,
  );
  return chosen.map(({ at }) => at);
};
const positions = <Row>(rows: readonly Row[], isChosen: (row: Row) => boolean): number[] =>
  rows.flatMap((row, at) => (isChosen(row) ? [at] : []));

const options = { numRuns: 300 };

test('selectorCondition is selects', async () => {
  let chosen = 0;
  const rows = fc.array(fc.record({ client_id: id, labels }), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(selector, rows, async (by, clients) => {
      const expected = positions(clients, (one) =>
        selects(by, { clientId: one.client_id, metadata: { labels: one.labels } }),
      );
      chosen += expected.length;
      expect(await found(clients, 'c', 'labels jsonb', (values) => selectorCondition(by, values))).toEqual(
        expected,
      );
    }),
    options,
  );
  expect(chosen).toBeGreaterThan(100);
});

test('seenCondition is seesChange, also for changes without labels', async () => {
  let chosen = 0;
  const one = fc.record({ client_id: id, labels: fc.option(labels), labels_before: fc.option(labels) });
  await fc.assert(
    fc.asyncProperty(selector, fc.array(one, { minLength: 1, maxLength: 30 }), async (by, changes) => {
      const expected = positions(changes, (row) =>
        seesChange(by, {
          changedClientId: row.client_id,
          changeLabels: row.labels,
          changeLabelsBefore: row.labels_before,
        }),
      );
      chosen += expected.length;
      const columns = 'labels jsonb, labels_before jsonb';
      expect(await found(changes, 'ch', columns, (values) => seenCondition(by, values))).toEqual(expected);
    }),
    options,
  );
  expect(chosen).toBeGreaterThan(100);
});
