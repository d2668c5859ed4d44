import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, recordSecrets, SharedPostgres } from '@svc/test-servers';
import { RegistryProcess } from '../registry-process.js';
import { type Answer, ask, pathOf, registration } from '../running-registry.js';

type Row = Record<string, unknown>;

/** The hashes of this secret were made with Python 3.11 (libxcrypt, OpenSSL, cryptography). */
const SECRET = 'correct horse battery staple 42';
const HASHES = {
  bcrypt: '$2y$10$abcdefghijklmnopqrstuuFRL4HsHTBtkdzvD8.3.3nTl.ZcTcgo2',
  argon2id:
    '$argon2id$v=19$m=65536,t=3,p=4$AAECAwQFBgcICQoLDA0ODw$Bjh2hcII91ueG/i9JWHNeNaydStxVElkZ8deSgnHC5U',
  pbkdf2: '$pbkdf2-sha256$i=25000,l=32$AAECAwQFBgcICQoLDA0ODw$NQOSwqqx2oknVaYq7HNsTiSRHndSd8QjKtWpLxBxnRI',
  scrypt: '$scrypt$ln=14,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$PiKeYO+Tf+oGBbt+BRGXIYl6ohMCXKRhhPSN6UK2kwM',
  sha256: '4da30c37ee0ecc0369ee62679f2f78cd3187cacb8d790e899371257c964a90bd',
};
const PLAIN = 'Xk29-vTzq7LmPw4sRb81YdNc';

const postgres = new SharedPostgres();
let dataDir: string;
let url: string;
let registry: RegistryProcess;

const start = async (environment: Record<string, string>) =>
  RegistryProcess.start({
    ...{ DATABASE_URL: url, DATA_DIR: dataDir, SECRET_PEPPER: 'p'.repeat(32) },
    ...environment,
  });

beforeAll(async () => {
  recordSecrets(SECRET, PLAIN, ...Object.values(HASHES));
  dataDir = await mkdtemp(join(tmpdir(), 'registry-'));
  url = await postgres.createRegistryDatabase();
  registry = await start({
    ...{ SECRET_IMPORT: 'allowed', SECRET_MAX_LIFETIME: '365 d' },
    TOKEN_ENDPOINT_AUTH_METHODS: 'client_secret_basic',
  });
});
afterAll(async () => {
  expect(await registry.end('SIGTERM')).toBe(0);
  await rm(dataDir, { recursive: true });
  await postgres.dropDatabases();
});

const load = async (records: readonly Row[], token?: string): Promise<Answer> => {
  const body = records.map((record) => `${JSON.stringify(registration(record))}\n`).join('');
  const sent = { body, headers: { 'content-type': 'application/x-ndjson' } };
  const path = '/clients/import';
  return token === undefined
    ? registry.ask('POST', path, sent)
    : ask(`${registry.url}${path}`, 'POST', token, sent);
};
const check = async (clientId: string, secret: string) =>
  registry.ask('POST', `${pathOf(clientId)}/check/secret`, { body: { client_secret: secret } });
const isValid = async (clientId: string, secret: string) => (await check(clientId, secret)).body['valid'];
const secretsOf = async (clientId: string) =>
  (await registry.ask('GET', `${pathOf(clientId)}/secrets`)).body['client_secrets'] as Row[];
const violationsOf = ({ body }: Answer) =>
  (body['errors'] as Row[]).map(({ field, code }) => [field, code].join(' '));
const imported = async () =>
  ((await registry.ask('GET', '/clients/stats')).body['secrets'] as Row)['imported_hashes'];

test('a plain secret is valid at once, and is in no answer', async () => {
  const answer = await load([{ client_id: 'plain', client_secret: PLAIN }]);
  expect(answer.body['clients']).toEqual([
    { client_id: 'plain', line: 1, changes: ['registered'], client_secret_imported: true },
  ]);
  expect(await isValid('plain', PLAIN)).toBe(true);
  expect(await isValid('plain', `${PLAIN}x`)).toBe(false);
  const [secret] = await secretsOf('plain');
  expect(secret).toMatchObject({ hint: 'YdNc', imported: true });
  expect(secret).not.toHaveProperty('imported_hash');
  // The registry's longest lifetime applies.
  const lifetime = Date.parse(String(secret!['expires_at'])) - Date.parse(String(secret!['created_at']));
  expect(lifetime).toBe(365 * 24 * 3_600_000);
});

test('the security events say how many Clients came with a secret', async () => {
  await load([{ client_id: 'on-record', client_secret: PLAIN }, { client_id: 'without' }]);
  const { body } = await registry.ask('GET', '/audit?kind=clients_imported&limit=1');
  expect(body['events']).toMatchObject([{ details: { registered: 2, secrets: 1 } }]);
});

test.each(Object.entries(HASHES))(
  'a secret hashed with %s is checked by that, then becomes one of ours',
  async (scheme, hash) => {
    await load([{ client_id: scheme, client_secret_hash: hash }]);
    const etag = (await registry.ask('GET', pathOf(scheme))).headers.get('etag');
    const mark = { imported: true, imported_hash: scheme, hint: '' };
    expect(await secretsOf(scheme)).toMatchObject([mark]);
    expect(await isValid(scheme, `${SECRET} `)).toBe(false);
    expect(await secretsOf(scheme)).toMatchObject([mark]);
    expect(await isValid(scheme, SECRET)).toBe(true);
    await eventually(async () => expect((await secretsOf(scheme))[0]).not.toHaveProperty('imported_hash'));
    expect(await secretsOf(scheme)).toMatchObject([{ imported: true, hint: '' }]);
    expect([await isValid(scheme, SECRET), await isValid(scheme, `${SECRET} `)]).toEqual([true, false]);
    expect((await registry.ask('GET', pathOf(scheme))).headers.get('etag')).toBe(etag);
  },
);

test('lists and statistics report foreign hashes until a check replaces them', async () => {
  const confidential = { client_name: 'Waiting', token_endpoint_auth_method: 'client_secret_basic' };
  await load([{ client_id: 'waiting', client_secret_hash: HASHES.pbkdf2, ...confidential }]);
  const { body } = await registry.ask('GET', '/client?q=Waiting');
  const [client] = body['clients'] as Row[];
  expect(client!['client_secrets']).toMatchObject([{ imported_hash: 'pbkdf2' }]);
  expect(JSON.stringify(body)).not.toContain(HASHES.pbkdf2);
  await eventually(async () => expect(await imported()).toBe(1));
});

test('of existing Clients, imports change no secret', async () => {
  await load([{ client_id: 'kept', client_secret: PLAIN }]);
  const { body } = await registry.ask('POST', `${pathOf('kept')}/reset_secret`);
  const again = await load([{ client_id: 'kept', client_secret: PLAIN }]);
  expect(again.body).toMatchObject({ unchanged: 1, clients: [] });
  expect(await isValid('kept', PLAIN)).toBe(false);
  expect(await isValid('kept', String(body['client_secret']))).toBe(true);
});

test('weak secrets, costly hashes and both together are refused with their place, and not repeated', async () => {
  const answer = await load([
    { client_id: 'x1', client_secret: 'hunter2hunter2' },
    { client_id: 'x2', client_secret_hash: '$2b$14$abcdefghijklmnopqrstuunP647anY6lkP4mZ7Gh/U3rYsT0KNmjq' },
    { client_id: 'x3', client_secret_hash: HASHES.sha256, client_secret: PLAIN },
    { client_id: 'x4', client_secret_hash: 'swordfish' },
    { client_id: 'x5', client_secret: PLAIN, client_secret_expires_at: 1_700_000_000 },
    { client_id: 'x6', client_secret: 7 },
  ]);
  expect([answer.status, violationsOf(answer)]).toEqual([
    400,
    [
      '/lines/1/client_secret weak_secret',
      '/lines/2/client_secret_hash hash',
      '/lines/3/client_secret_hash combination',
      '/lines/4/client_secret_hash hash',
      '/lines/5/client_secret_expires_at expired',
      '/lines/6/client_secret weak_secret',
    ],
  ]);
  expect(JSON.stringify(answer.body)).not.toMatch(/hunter2|abcdefgh|4da30c37|Xk29|swordfish/);
});

test('an expiry that is not a number of seconds is refused, also with a hash', async () => {
  const answer = await load([
    { client_id: 'x1', client_secret: PLAIN, client_secret_expires_at: '2030-01-01' },
    { client_id: 'x2', client_secret_hash: HASHES.sha256, client_secret_expires_at: '1893456000' },
    { client_id: 'x3', client_secret: PLAIN, client_secret_expires_at: -1 },
    { client_id: 'x4', client_secret: PLAIN, client_secret_expires_at: false },
    { client_id: 'x5', client_secret: PLAIN, client_secret_expires_at: null },
  ]);
  expect([answer.status, violationsOf(answer)]).toEqual([
    400,
    [
      '/lines/1/client_secret_expires_at type',
      '/lines/2/client_secret_expires_at type',
      '/lines/3/client_secret_expires_at expired',
      '/lines/4/client_secret_expires_at type',
    ],
  ]);
});

test('a token needs the scope for it', async () => {
  const wanted = { name: 'pipeline', scopes: ['clients:read', 'clients:write'] };
  const made = await registry.ask('POST', '/token', { body: wanted });
  const token = String(made.body['token']);
  recordSecrets(token);
  const refused = await load([{ client_id: 'y', client_secret: PLAIN }], token);
  expect(refused.status).toBe(403);
  expect(refused.body['detail']).toContain('clients:import_secrets');
  expect((await load([{ client_id: 'y' }], token)).status).toBe(200);
});

test('the features tell that imports may contain secrets', async () => {
  const { body } = await registry.ask('GET', '/client/features');
  expect(body['secret_import']).toMatchObject({ hash_max_age_seconds: 90 * 24 * 3600 });
  expect(JSON.stringify(body['deviations'])).toContain('an import may contain the client_secret');
});

test('without the switch secrets are refused, and imported ones stay valid until their date', async () => {
  await load([{ client_id: 'later', client_secret_hash: HASHES.scrypt }]);
  expect(await registry.end('SIGTERM')).toBe(0);
  registry = await start({ SECRET_IMPORT: 'off' });
  const answer = await load([{ client_id: 'z', client_secret: PLAIN }]);
  expect([answer.status, violationsOf(answer)]).toEqual([400, ['/lines/1/client_secret server_owned']]);
  expect((await registry.ask('GET', '/client/features')).body).not.toHaveProperty('secret_import');
  expect(await isValid('later', SECRET)).toBe(true);

  expect(await registry.end('SIGTERM')).toBe(0);
  registry = await start({ SECRET_IMPORT: 'allowed', SECRET_IMPORT_MAX_AGE: '2 s' });
  await load([{ client_id: 'ended', client_secret_hash: HASHES.sha256 }]);
  const [{ imported_hash_ends_at: end } = {}] = await secretsOf('ended');
  await eventually(async () => expect(Date.now()).toBeGreaterThan(Date.parse(String(end))));
  expect(await isValid('ended', SECRET)).toBe(false);
});
