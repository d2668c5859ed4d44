import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { createLogger } from '@svc/service-kit';
import { SharedPostgres } from '@svc/test-servers';
import { searchTextOf } from '../../src/clients/search-text.js';
import { createRegistryDataSource } from '../../src/registry-database.js';
import { migrate } from '../../src/database/migrate.js';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { registration, type RunningRegistry, runRegistry } from '../running-registry.js';
import { metadataOf } from './stored-clients.js';
import { fixedUrl } from '../fixed-url.js';

const CLIENTS = [
  ['cafe', 'Café Überlingen', 'https://coffee.example/cb'],
  ['shop', 'Straßenfest & Co', 'https://shop.example/login/http'],
  ['greek', 'ΟΔΥΣΣΕΎΣ', 'https://ithaca.example/'],
  ['russian', 'Ёлка', 'https://tree.example/'],
] as const;

/** What each search finds, by hand. */
const SEARCHES: readonly (readonly [q: string, found: readonly string[]])[] = [
  ['h', ['shop']],
  ['ht', ['shop']],
  ['http', ['shop']],
  ['cafe', ['cafe']],
  ['CAFÉ über', ['cafe']],
  ['STRASSE &', ['shop']],
  ['οδυσσευς', ['greek']],
  ['ЕЛК', ['russian']],
  ['ел', ['russian']],
  ['лк', []],
  ['e', ['cafe', 'shop', 'greek', 'russian']],
  ['ex co', ['cafe', 'shop']],
  ['mp', []],
  ['https://shop.example/login/http?code=1', ['shop']],
  ['cafe shop', []],
];

/** What each part of a host finds. Names, paths and wildcards do not count. */
const HOSTS: readonly (readonly [host: string, found: readonly string[]])[] = [
  ['shop', ['shop']],
  ['SHOP.example', ['shop']],
  ['example', ['cafe', 'shop', 'greek', 'russian']],
  ['ith', ['greek']],
  ['cafe', []],
  ['login', []],
  ['s_op', []],
  ['%', []],
];

const server = new SharedPostgres();
afterAll(async () => server.dropDatabases());

const databaseWith = async (options: string) =>
  server.createDatabase(`TEMPLATE template0 ENCODING 'UTF8' ${options}`);

type Case = [string, (() => Promise<string>) | undefined];

const TURKISH: Case = [
  'with ICU in Turkish',
  async () => databaseWith(`LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'tr'`),
];

test.each<Case>([
  ['whose ctype is C', async () => databaseWith(`LOCALE 'C'`)],
  ['whose ctype is C.UTF-8', async () => databaseWith(`LC_COLLATE 'C' LC_CTYPE 'C.UTF-8'`)],
  // PostgreSQL 14 has no databases of ICU.
  ...(process.env['TEST_POSTGRES'] === '14' ? [] : [TURKISH]),
  ['that is embedded', undefined],
])(
  'a database %s finds the same',
  async (_case, makeDatabase) => {
    const environment = makeDatabase && { DATABASE_URL: await makeDatabase() };
    const registry = await runRegistry(environment, 'embedded');
    try {
      for (const [preferred_client_id, client_name, uri] of CLIENTS) {
        const body = registration({ preferred_client_id, client_name, redirect_uris: [uri] });
        expect((await registry.ask('POST', '/client', { body })).status).toBe(201);
      }
      for (const [q, found] of SEARCHES) expect([q, await search(registry, { q })]).toEqual([q, found]);
      for (const [host, found] of HOSTS)
        expect([host, await search(registry, { host })]).toEqual([host, found]);
      expect(await search(registry, { q: 'login', host: 'shop' })).toEqual(['shop']);
      expect((await registry.ask('GET', '/client?host=a%2Fb')).body).toMatchObject({
        errors: [{ field: '/host', message: 'host must be part of a host name, without spaces and slashes' }],
      });
      const rename = { body: { client_name: 'Tea' } };
      expect((await registry.ask('PATCH', '/client/cafe', rename)).status).toBe(200);
      expect(await search(registry, { q: 'cafe uber' })).toEqual([]);
      expect(await search(registry, { q: 'tea' })).toEqual(['cafe']);
      const many = await registry.ask('GET', `/client?q=${'a+'.repeat(17)}`);
      expect(many.body).toMatchObject({
        status: 400,
        errors: [{ field: '/q', message: 'q must have at most 16 words' }],
      });
      for (const q of ['https://', ' ', '\u0301', 'http://?x https://'])
        expect((await registry.ask('GET', `/client?q=${encodeURIComponent(q)}`)).body).toMatchObject({
          status: 400,
          errors: [{ field: '/q', message: 'q must contain a word to search for' }],
        });
    } finally {
      await registry.close();
    }
  },
  DATABASE_START_MS,
);

async function search({ ask }: RunningRegistry, filter: Record<string, string>): Promise<string[]> {
  const { body } = await ask('GET', `/client?${new URLSearchParams(filter).toString()}`);
  return (body['clients'] as { client_id: string }[]).map(({ client_id }) => client_id);
}

/** Undoes that migration and those after it. */
async function undoSearchWords(dataSource: DataSource): Promise<void> {
  const applied = `SELECT name FROM migrations WHERE name = 'SearchWords1790000012002'`;
  while ((await dataSource.query<unknown[]>(applied)).length > 0) await dataSource.undoLastMigration();
}

test('Clients of the former version are folded by the migration, and found as before after it is undone', async () => {
  const address = { source: fixedUrl(await server.createRegistryDatabase()), poolSize: 4 };
  const dataSource = await createRegistryDataSource(address, createLogger('test', 'silent')).initialize();
  const metadata = metadataOf({ client_name: 'Café', redirect_uris: ['https://shop.example/cb?x=1'] });
  const texts = async () => {
    const rows = await dataSource.query<{ search_text: string }[]>(
      `SELECT search_text FROM client WHERE client_id IN ('c1', 'c2400') ORDER BY client_id`,
    );
    return rows.map(({ search_text }) => search_text);
  };
  try {
    await undoSearchWords(dataSource);
    await dataSource.query(
      `INSERT INTO client (client_id, metadata, cookie_name, seq, created_at, updated_at, warnings)
       SELECT 'c' || n, $1, 'cookie', n, now(), now(), '{}' FROM generate_series(1, 2400) n`,
      [JSON.stringify(metadata)],
    );
    const former = await texts();
    await migrate(dataSource);
    expect(await texts()).toEqual(['c1', 'c2400'].map((id) => searchTextOf(id, metadata as never)));
    await undoSearchWords(dataSource);
    expect(await texts()).toEqual(former);
  } finally {
    await dataSource.destroy();
  }
});

test('what a replica of the former version writes while the migration begins is folded, too', async () => {
  const address = { source: fixedUrl(await server.createRegistryDatabase()), poolSize: 4 };
  const dataSource = await createRegistryDataSource(address, createLogger('test', 'silent')).initialize();
  const metadata = metadataOf({ client_name: 'Café', redirect_uris: ['https://shop.example/cb?x=1'] });
  const replica = dataSource.createQueryRunner();
  try {
    await undoSearchWords(dataSource);
    await replica.startTransaction();
    await replica.query(
      `INSERT INTO client (client_id, metadata, cookie_name, seq, created_at, updated_at, warnings)
       VALUES ('late', $1, 'cookie', 1, now(), now(), '{}')`,
      [JSON.stringify(metadata)],
    );
    const migration = migrate(dataSource);
    const waiting = `SELECT FROM pg_locks WHERE relation = 'client'::regclass AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    const isDone = migration.then(() => true);
    while ((await dataSource.query<unknown[]>(waiting)).length === 0) {
      if (await Promise.race([isDone, sleep(20)])) break;
    }
    await replica.commitTransaction();
    await migration;
    const [row] = await dataSource.query<{ search_text: string }[]>('SELECT search_text FROM client');
    expect(row?.search_text).toBe(searchTextOf('late', metadata as never));
  } finally {
    await replica.release();
    await dataSource.destroy();
  }
});

test('what a replica of the former version writes is found, too', async () => {
  const registry = await runRegistry();
  const write = async (sql: string, metadata: unknown) =>
    registry.dataSource.query(sql, [JSON.stringify(metadata)]);
  try {
    const metadata = metadataOf({ client_name: 'Lamp', redirect_uris: ['https://lamp.example/cb'] });
    await write(
      `INSERT INTO client (client_id, metadata, cookie_name, seq, created_at, updated_at, warnings)
       VALUES ('old', $1, 'cookie', 1, now(), now(), '{}')`,
      metadata,
    );
    expect(await search(registry, { q: 'LAMP ex h' })).toEqual([]);
    expect(await search(registry, { q: 'LAMP ex' })).toEqual(['old']);
    await write(`UPDATE client SET metadata = $1 WHERE client_id = 'old'`, {
      ...metadata,
      client_name: 'Torch',
    });
    expect(await search(registry, { q: 'torch to' })).toEqual(['old']);
  } finally {
    await registry.close();
  }
});
