import { readFileSync } from 'node:fs';
import { recordSecrets } from '@svc/test-servers';
import { type ClientFolder, makeClientFolder } from './client-folder.js';
import { type RunningRegistry, startRegistry } from './registry-process.js';

const SAMPLES = new URL('../../../../tools/sample/clients/', import.meta.url);
const sample = (name: string): string => readFileSync(new URL(name, SAMPLES), 'utf8');

let registry: RunningRegistry;
let folder: ClientFolder;

beforeAll(async () => {
  registry = await startRegistry({
    GRANT_TYPES: 'refresh_token,client_credentials',
    TOKEN_ENDPOINT_AUTH_METHODS: 'client_secret_basic,client_secret_post',
  });
  folder = makeClientFolder(registry);
  folder.write('features.json', JSON.stringify((await registry.ask('GET', '/client/features')).body));
  folder.write('realm.json', sample('keycloak-realm.json'));
}, 120_000);
afterAll(async () => {
  folder.remove();
  await registry.stop();
});

const importFrom = (...args: string[]) => folder.run(['import-from', ...args, '--features', 'features.json']);

test('a realm is imported and applied: ids stay, secrets are new, and what is invalid is left out', async () => {
  const imported = await importFrom('keycloak', 'realm.json', '--output', 'clients.yaml');
  expect(imported).toMatchObject({ code: 1, stderr: 'svccmd: realm.json: 1 client left out, see above\n' });
  expect(imported.stdout.split('\n')).toEqual(
    expect.arrayContaining([
      'realm.json: account: skipped: Keycloak creates it in each realm',
      'realm.json: web-shop: dropped: secret: secrets are not imported',
      'realm.json: web-shop: dropped: redirectUris/1: a pattern; register each redirect URI with its full path',
      'realm.json: web-shop: secret not imported: a client new to the registry gets a new one',
      expect.stringMatching(
        /^realm\.json: price-robot: invalid: \/token_endpoint_auth_method \(from clientAuthenticatorType, publicClient\): .*'private_key_jwt'/,
      ) as string,
      '2 of 5 clients imported, 1 invalid, 2 skipped',
      'wrote 2 declarations to clients.yaml',
    ]),
  );
  const applied = await folder.run(['apply', 'clients.yaml', '--json']);
  const { clients } = JSON.parse(applied.stdout) as {
    clients: { client_id: string; client_secret: string }[];
  };
  recordSecrets(...clients.map(({ client_secret: secret }) => secret));
  expect(clients.map(({ client_id: id }) => id)).toEqual(['web-shop', 'stock-sync']);
  const check = await registry.ask('POST', '/client/web-shop/check/secret', {
    client_secret: clients[0]?.client_secret,
  });
  expect(check.body).toMatchObject({ valid: true });
  expect(await folder.run(['apply', '--dry-run', '--exit-code', 'clients.yaml'])).toMatchObject({ code: 0 });
});

test('without --output the declarations are the output, and the report is on standard error', async () => {
  folder.write('clients.csv', sample('clients.csv'));
  const { code, stdout, stderr } = await importFrom('csv', 'clients.csv');
  expect([code, /^- client_id: intranet\n/.test(stdout)]).toEqual([0, true]);
  expect(stderr).toMatch(/^2 of 2 clients imported, 0 invalid, 0 skipped$/m);
  // It differs in the id that it makes up.
  const again = await importFrom('csv', 'clients.csv', '--output', '/dev/stdout');
  expect(again.stdout.split('\n')).toHaveLength(stdout.split('\n').length);
  expect(again.stderr.split('\n')).toHaveLength(stderr.split('\n').length);
  folder.write('piped.yaml', stdout);
  expect(await folder.run(['apply', '--dry-run', 'piped.yaml'])).toMatchObject({ code: 0 });
});

test('--dry-run shows a table and writes nothing', async () => {
  folder.write('hydra.json', sample('hydra-clients.json'));
  const { code, stdout } = await importFrom('hydra', 'hydra.json', '--dry-run');
  expect(code).toBe(0);
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    'CLIENT_ID                             CLIENT_NAME     RESULT    NEW ID  SECRET        MAPPED  DROPPED',
    '3f1c8c7e-2d4b-4a53-9f0b-7b5e2a1c0d11  Ledger          imported          not imported  8       8',
    'nightly-export                        nightly-export  imported          not imported  6       2',
  ]);
  expect(stdout).toContain('hydra.json: nightly-export: mapped: client_name (from client_id)\n');
  expect(stdout).toMatch(/2 of 2 clients imported, 0 invalid, 0 skipped; nothing was written\n$/);
});

test('--json reports each Client with its declaration; no output has a secret of the export', async () => {
  const { stdout } = await importFrom('keycloak', 'realm.json', '--json');
  const { clients } = JSON.parse(stdout) as { clients: Record<string, unknown>[] };
  expect(clients.map(({ client_id, result }) => [client_id, result])).toEqual([
    ['account', 'skipped'],
    ['web-shop', 'imported'],
    ['stock-sync', 'imported'],
    ['price-robot', 'invalid'],
    ['https://wiki.example.com/saml', 'skipped'],
  ]);
  expect(clients[1]).toMatchObject({ new_secret: true, declaration: { client_name: 'Web shop' } });
  expect(stdout).not.toContain('kc-secret');
});

test('a page of a longer list is noted', async () => {
  folder.write('page.json', JSON.stringify({ items: [], next_page_token: 'more', is_last_page: false }));
  expect(await importFrom('hydra', 'page.json')).toMatchObject({
    code: 0,
    stdout: '[]\n',
    stderr: expect.stringContaining(
      'page.json: the export says that there are more clients: export all pages',
    ) as string,
  });
});

test.each([
  [['keycloak', 'none.json'], 1, 'svccmd: none.json: cannot be imported: the file does not exist\n'],
  [
    ['hydra', 'realm.json'],
    1,
    'svccmd: realm.json: cannot be imported: not an export of Ory Hydra: expected a list of OAuth 2.0 clients, or a response with items\n',
  ],
  [['keycloak', 'realm.json', '--dry-run', '--output', 'x.yaml'], 2, /--dry-run writes nothing/],
  [['keycloak', 'realm.json', '--with-secrets'], 2, /--with-secrets requires --output/],
  [['keycloak', 'realm.json', '--to', 'https://registry.example.com'], 2, /cannot be combined/],
  [['keycloak', 'realm.json', '--set', 'shop'], 2, /require --to/],
  [['keycloak', 'realm.json', '--output', 'missing/x.yaml'], 1, /missing\/x\.yaml/],
  [
    ['okta', 'realm.json'],
    2,
    /Allowed choices are keycloak, hydra, seacat, oidc-provider, auth0, authentik, csv/,
  ],
] as const)('%j fails with one line', async (args, code, message) => {
  const ended = await importFrom(...args);
  expect([ended.code, ended.stdout]).toEqual([code, '']);
  if (typeof message === 'string') expect(ended.stderr).toBe(message);
  else expect(ended.stderr).toMatch(message);
});
