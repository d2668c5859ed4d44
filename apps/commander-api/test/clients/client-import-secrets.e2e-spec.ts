import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { recordSecrets } from '@svc/test-servers';
import { type ClientFolder, makeClientFolder } from './client-folder.js';
import { type RunningRegistry, startRegistry } from './registry-process.js';

const SAMPLES = new URL('../../../../tools/sample/clients/', import.meta.url);

/** Of the hashes in the samples, which Python made. */
const SECRET = 'correct horse battery staple 42';

const SUPPORTED = {
  GRANT_TYPES: 'refresh_token,client_credentials',
  TOKEN_ENDPOINT_AUTH_METHODS: 'client_secret_basic,client_secret_post',
};

let registry: RunningRegistry;
let folder: ClientFolder;

beforeAll(async () => {
  registry = await startRegistry({ ...SUPPORTED, SECRET_IMPORT: 'allowed' });
  // --to names the registry, not the configuration.
  folder = makeClientFolder({ url: 'http://127.0.0.1:1', token: registry.token });
  for (const name of [
    'hydra-client.csv',
    'seacat-clients.ndjson',
    'auth0-clients.json',
    'keycloak-realm.json',
  ])
    folder.write(name, readFileSync(new URL(name, SAMPLES), 'utf8'));
  folder.write('authentik.json', readFileSync(new URL('authentik-providers.json', SAMPLES), 'utf8'));
}, 120_000);
afterAll(async () => {
  folder.remove();
  await registry.stop();
});

test.each([
  ['hydra', 'hydra-client.csv', 'old-portal', SECRET],
  ['seacat', 'seacat-clients.ndjson', 'kibana', SECRET],
  ['auth0', 'auth0-clients.json', 'BookingClientId00000000000000000', 'auth0-secret-Jt5wQx8RmZ2vKp7LnYc4'],
  ['authentik', 'authentik.json', 'grafana', 'authentik-secret-Hq3ZkW9xTb6MvNs8Rg2P'],
])('%s: --with-secrets --to imports Clients that keep their secrets', async (product, name, id, secret) => {
  recordSecrets(secret);
  const args = ['import-from', product, name, '--with-secrets', '--to', registry.url];
  const planned = await folder.run([...args, '--dry-run']);
  expect(planned.stdout).toMatch(/to create, 0 to update, 0 to delete, 0 unchanged; nothing was changed\n$/);
  const done = await folder.run([...args, '--secrets-to', `${product}.secrets`]);
  expect(done.code).toBe(0);
  expect(done.stdout).toMatch(new RegExp(`^\\+ created ${id} .*\\n    client_secret: imported$`, 'm'));
  for (const text of [planned, done].flatMap(({ stdout, stderr }) => [stdout, stderr]))
    expect(text).not.toMatch(/Jt5wQx8R|Hq3ZkW9x|AAECAwQF|abcdefghijkl/);
  const check = async (given: string) =>
    (await registry.ask('POST', `/client/${id}/check/secret`, { client_secret: given })).body;
  expect(await check(`${secret} `)).toMatchObject({ valid: false });
  expect(await check(secret)).toMatchObject({ valid: true });
  // Again, it changes nothing.
  expect((await folder.run(args)).stdout).toMatch(/^0 created, 0 updated, 0 deleted, \d+ unchanged$/m);
});

test('--to leaves out invalid Clients, and names the set', async () => {
  const args = ['import-from', 'keycloak', 'keycloak-realm.json', '--to', registry.url, '--set', 'shop'];
  const { code, stdout, stderr } = await folder.run([...args, '--secrets-to', 'keycloak.secrets']);
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining('2 created, 0 updated, 0 deleted, 0 unchanged'),
  ]);
  expect(stderr).toContain('2 of 5 clients imported, 1 invalid, 2 skipped\n');
  expect(stderr).toMatch(/svccmd: keycloak-realm\.json: 1 client left out, see above\n$/);
  const { body } = await registry.ask('GET', '/client/web-shop');
  expect(body).toMatchObject({ managed_by: 'set:shop', client_name: 'Web shop' });
  const secrets = folder.read('keycloak.secrets').trim().split('\n');
  recordSecrets(
    ...secrets.map((line) => String((JSON.parse(line) as { client_secret: string }).client_secret)),
  );
  expect(secrets).toHaveLength(2);
});

test('--with-secrets writes them to a new file that only its owner can read, for client apply', async () => {
  const { body } = await registry.ask('GET', '/client/features');
  folder.write('features.json', JSON.stringify(body));
  const names = ['keycloak', 'keycloak-realm.json', '--features', 'features.json'];
  const args = ['import-from', ...names, '--with-secrets', '--output', 'private.yaml'];
  const { stdout } = await folder.run([...args, '--json']);
  expect(stdout).not.toContain('kc-secret');
  const path = join(folder.path, 'private.yaml');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).toContain('client_secret: kc-secret-Vd82Zq0LmPw4sRb81YdTn\n');
  expect(await folder.run(args)).toMatchObject({ code: 1, stdout: '' });
  const env = { SVCCMD_REGISTRY_URL: registry.url };
  expect(await folder.run(['apply', '--dry-run', '--set', 'shop', 'private.yaml'], '', env)).toMatchObject({
    code: 0,
  });
});

test('a registry that does not import secrets is named, with the remedy', async () => {
  const other = await startRegistry(SUPPORTED);
  try {
    const args = ['import-from', 'hydra', 'hydra-client.csv', '--with-secrets', '--to', other.url];
    const { code, stdout, stderr } = await folder.run(args, '', { SVCCMD_REGISTRY_TOKEN: other.token });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(
      'does not import client secrets; set SECRET_IMPORT=allowed there, or leave out --with-secrets',
    );
  } finally {
    await other.stop();
  }
});
