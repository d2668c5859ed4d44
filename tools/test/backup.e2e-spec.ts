import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, placeEmbeddedDatabase, recordSecrets } from '@svc/test-servers';
import { type DebianPostgres, findPrograms, startDebianPostgres } from './support/debian-postgres.js';
import { readPage } from './support/documented-tables.js';
import { fencedBlocks } from './support/fenced-blocks.js';
import { ROOT, type RunningService, startRegistry } from './support/services.js';

/** The content of docs/operations.md by section. */
function documented(heading: string, at: number): string {
  const blocks = fencedBlocks(readPage('docs/operations.md')).filter((block) => block.heading === heading);
  const { language, text } = blocks[at]!;
  expect(language).toBe('sh');
  return text;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-backup-'));
});
const programs = findPrograms();
let server: DebianPostgres | undefined;
beforeAll(async () => {
  if (programs !== undefined) server = await startDebianPostgres(programs);
});
afterAll(async () => server?.stop());

const registries: RunningService[] = [];
afterEach(async () => {
  for (const registry of registries.splice(0)) await registry.stop();
  rmSync(folder, { recursive: true });
});

async function started(...environment: Parameters<typeof startRegistry>): Promise<RunningService> {
  const registry = await startRegistry(...environment);
  registries.push(registry);
  return registry;
}

/** Runs commands as they are pasted; what they write lies in the test's folder. @returns what they print */
async function paste(text: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const here = text.replaceAll('apps/registry-api', `${ROOT}apps/registry-api`);
  const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', here], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number | null];
  expect({ status, errors }).toEqual({ status: 0, errors: '' });
  return printed;
}

/** The permissions of a file in the test's folder. */
const modeOf = (name: string): number => statSync(join(folder, name)).mode & 0o777;

type Answer = Record<string, unknown>;

/** Asks with a token. */
function asker({ url }: RunningService, token: string) {
  return async (method: string, path: string, body?: object) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      etag: response.headers.get('etag'),
      body: JSON.parse(text || '{}') as Answer,
    };
  };
}

type Ask = ReturnType<typeof asker>;

/** Two Clients with a history, one of them disabled. @returns a Client with its secret */
async function fill(ask: Ask): Promise<Answer> {
  const client = { client_name: 'Shop', redirect_uris: ['https://shop.example/cb'] };
  const shop = (await ask('POST', '/client', client)).body;
  const path = `/client/${String(shop['client_id'])}`;
  await ask('PATCH', path, { client_name: 'The shop' });
  await ask('POST', '/client', { ...client, preferred_client_id: 'second/one' });
  await ask('POST', '/client/second%2Fone/disable');
  // The token's first use is recorded a few seconds later; further ones within a minute are not.
  await eventually(async () => {
    expect(JSON.stringify((await ask('GET', '/token')).body)).not.toContain('"last_used_at":null');
  });
  recordSecrets(String(shop['client_secret']));
  return shop;
}

/** Everything that a restored registry must tell as the first one did. */
async function stateOf(ask: Ask, shop: Answer) {
  const path = `/client/${String(shop['client_id'])}`;
  // Before the first use of its own is recorded.
  const tokens = await ask('GET', '/token');
  const [client, history, second, changes] = [
    await ask('GET', path),
    await ask('GET', `${path}/history`),
    await ask('GET', '/client/second%2Fone'),
    await ask('GET', '/clients/changes?since=0'),
  ];
  expect([client, history, second, changes, tokens].map(({ status }) => status)).toEqual([
    200, 200, 200, 200, 200,
  ]);
  return { client, history, second, changes, tokens: tokens.body };
}

async function expectToGoOn(ask: Ask, shop: Answer): Promise<void> {
  const path = `/client/${String(shop['client_id'])}`;
  const { body } = await ask('POST', `${path}/check/secret`, { client_secret: shop['client_secret'] });
  expect(body['valid']).toBe(true);
  const { last_seq: last } = (await ask('GET', '/clients/changes?limit=500')).body;
  expect((await ask('PATCH', path, { client_name: 'Restored' })).status).toBe(200);
  const { changes } = (await ask('GET', `/clients/changes?since=${String(last)}`)).body;
  expect(changes).toHaveLength(1);
}

test('the page has exactly the six commands that run here', () => {
  const blocks = fencedBlocks(readPage('docs/operations.md')).filter(({ language }) => language === 'sh');
  expect(blocks.map(({ heading }) => heading)).toEqual([
    ...['PostgreSQL', 'PostgreSQL', 'The embedded database', 'Two roles', 'Sizing'],
    'PostgreSQL and compatible databases',
  ]);
});

/** Debian's postgresql is asked for where it is; elsewhere the run says that this was skipped. */
const onDebian = programs === undefined ? test.skip : test;

onDebian(
  'a registry on a restored dump, with its pepper, returns everything, and its feed continues',
  async () => {
    const PATH = `${server!.programs}:${process.env['PATH']}`;
    const [from, to] = [await server!.createDatabase('registry'), await server!.createDatabase('restored')];
    const first = await started({ DATA_DIR: join(folder, 'first'), DATABASE_URL: from });
    const token = readFileSync(join(folder, 'first/bootstrap-token'), 'utf8').trim();
    recordSecrets(token);
    const shop = await fill(asker(first, token));
    const before = await stateOf(asker(first, token), shop);

    const [size] = fencedBlocks(readPage('docs/operations.md')).filter(({ heading }) => heading === 'Sizing');
    expect(await paste(size!.text, { PATH, DATABASE_URL: from })).toMatch(/client_change +\|/);
    const SECRET_PEPPER_FILE = join(folder, 'first/secret-pepper');
    await paste(documented('PostgreSQL', 0), { PATH, DATABASE_URL: from, SECRET_PEPPER_FILE });
    for (const name of ['registry.dump', 'secret-pepper.backup']) expect(modeOf(name)).toBe(0o600);
    // Changes after the dump are lost, and readers that had seen them are informed.
    await asker(first, token)('PATCH', '/client/second%2Fone', { client_name: 'Late' });
    const lost = String((await asker(first, token)('GET', '/clients/changes')).body['last_seq']);
    expect(await first.stop()).toBe(0);

    const migrated = await paste(documented('PostgreSQL', 1), { PATH, NEW_DATABASE_URL: to });
    expect(migrated).toMatch(/"applied":\[\],"msg":"the database is up to date"/);
    const second = await started({
      DATA_DIR: join(folder, 'second'),
      DATABASE_URL: to,
      SECRET_PEPPER_FILE: join(folder, 'secret-pepper.backup'),
    });
    const ask = asker(second, token);
    expect(await stateOf(ask, shop)).toEqual(before);
    const statusSince = async (since: string) => (await ask('GET', `/clients/changes?since=${since}`)).status;
    expect(await statusSince(lost)).toBe(410);
    await expectToGoOn(ask, shop);
    // As many changes as were lost, and more: the lost one's number is another's now.
    for (const name of ['a', 'b', 'c']) await ask('PATCH', '/client/second%2Fone', { client_name: name });
    expect(await statusSince(lost)).toBe(410);
    expect(await statusSince(String(before.changes.body['last_seq']))).toBe(200);

    const check = fencedBlocks(readPage('docs/operations.md')).find(({ text }) => text.includes('pg_locks'));
    expect((await paste(check!.text, { PATH, DATABASE_URL: to })).trim()).toBe('1');
  },
  180_000,
);

test('a registry works on a copy of the folder of the embedded database', async () => {
  const DATA_DIR = join(folder, 'first');
  await placeEmbeddedDatabase(DATA_DIR);
  const first = await started({ DATA_DIR });
  const token = readFileSync(join(DATA_DIR, 'bootstrap-token'), 'utf8').trim();
  recordSecrets(token);
  const shop = await fill(asker(first, token));
  const before = await stateOf(asker(first, token), shop);
  expect(await first.stop()).toBe(0);
  await paste(documented('The embedded database', 0), { PATH: String(process.env['PATH']), DATA_DIR });
  expect(modeOf('registry-data.tar')).toBe(0o600);
  rmSync(DATA_DIR, { recursive: true });

  const second = await started({ DATA_DIR: join(folder, 'restored') });
  const ask = asker(second, readFileSync(join(folder, 'restored/bootstrap-token'), 'utf8').trim());
  expect(await stateOf(ask, shop)).toEqual(before);
  await expectToGoOn(ask, shop);
}, 180_000);

const CREATE_ROLE = 'psql --quiet --dbname="$DATABASE_URL" --command="CREATE ROLE svc_server LOGIN"';

const GIVE_AWAY = `psql --quiet --dbname="$DATABASE_URL" --command="CREATE EXTENSION pg_trgm" \
  --command="CREATE ROLE svc_owner LOGIN" --command="ALTER DATABASE restored OWNER TO svc_owner"`;

interface Filled {
  readonly DATA_DIR: string;
  readonly token: string;
  readonly shop: Answer;
  readonly before: Awaited<ReturnType<typeof stateOf>>;
}

/** Backs up a database of two roles, and restores it on a server as an owner who may not create extensions. */
async function expectRestoredElsewhere(
  from: string,
  { DATA_DIR, token, shop, before }: Filled,
): Promise<void> {
  const other = await startDebianPostgres(programs!);
  try {
    const PATH = `${other.programs}:${process.env['PATH']}`;
    const administrator = await other.createDatabase('restored');
    await paste(CREATE_ROLE, { PATH, DATABASE_URL: administrator });
    await paste(GIVE_AWAY, { PATH, DATABASE_URL: administrator });
    const owner = administrator.replace('registry@', 'svc_owner@');
    const SECRET_PEPPER_FILE = join(DATA_DIR, 'secret-pepper');
    await paste(documented('PostgreSQL', 0), { PATH, DATABASE_URL: from, SECRET_PEPPER_FILE });
    await paste(documented('PostgreSQL', 1), { PATH, NEW_DATABASE_URL: owner });
    await paste(documented('Two roles', 0), { PATH, DATABASE_URL: owner });
    const DATABASE_URL = administrator.replace('registry@', 'svc_server@');
    const registry = await started({ DATA_DIR: join(folder, 'other'), DATABASE_URL, SECRET_PEPPER_FILE });
    expect(await stateOf(asker(registry, token), shop)).toEqual(before);
    await expectToGoOn(asker(registry, token), shop);
    expect(await registry.stop()).toBe(0);
  } finally {
    await other.stop();
  }
}

onDebian(
  'a role that owns no table serves, and can change none; a dump is restored on a server without that role',
  async () => {
    const PATH = `${server!.programs}:${process.env['PATH']}`;
    const owner = await server!.createDatabase('roles');
    const role = owner.replace('registry@', 'svc_server@');
    const DATA_DIR = join(folder, 'data');
    await paste(CREATE_ROLE, { PATH, DATABASE_URL: owner });
    await paste('psql --quiet --dbname="$DATABASE_URL" --command="CREATE EXTENSION pg_trgm"', {
      PATH,
      DATABASE_URL: owner,
    });
    await expect(started({ DATA_DIR, DATABASE_URL: role })).rejects.toThrow(
      /denies the user permission for this/,
    );
    await paste(documented('Two roles', 0), { PATH, DATABASE_URL: owner });
    await paste('node apps/registry-api/dist/main.js migrate', { PATH, DATA_DIR, DATABASE_URL: owner });
    const registry = await started({ DATA_DIR, DATABASE_URL: role });
    const token = readFileSync(join(DATA_DIR, 'bootstrap-token'), 'utf8').trim();
    recordSecrets(token);
    const ask = asker(registry, token);
    const shop = await fill(ask);
    const before = await stateOf(ask, shop);
    await expectRestoredElsewhere(owner, { DATA_DIR, token, shop, before });
    expect((await ask('DELETE', '/client/second%2Fone')).status).toBe(204);
    const dropping = paste('psql --quiet --dbname="$DATABASE_URL" --command="DROP TABLE client"', {
      PATH,
      DATABASE_URL: role,
    });
    await expect(dropping).rejects.toThrow(/must be owner of table client/);
  },
  120_000,
);
