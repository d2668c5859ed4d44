import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningRegistry, startRegistry } from '../clients/registry-process.js';
import { exampleFolderPerTest } from './example-folder.js';
import { examplesOf, type Proof, proveExample } from './prove-example.js';

const APPLIED = ['svccmd client apply --secrets-to applied.ndjson clients/'];

/** Of the commands that work on a registry, which is empty beforehand. */
const PROOFS: Readonly<Record<string, Proof>> = {
  'svccmd client validate clients/': { shows: /^2 clients in 2 files: 0 problems, 0 warnings$/m },
  'svccmd client validate clients.yaml': { shows: /^2 clients in 1 file: 0 problems, 0 warnings$/m },
  'svccmd client validate --strict --features features.json clients/': {
    shows: /^2 clients in 2 files: 0 problems, 0 warnings$/m,
  },
  'svccmd client apply --dry-run clients/': {
    shows: /^\+ create shop [^]*^2 to create, .*; nothing was changed$/m,
    leaves: `test -z "$(svccmd client export --format ndjson)"`,
  },
  'svccmd client apply --secrets-to new.ndjson clients/': {
    shows: /^2 created, 0 updated, 0 deleted, 0 unchanged$/m,
    leaves: 'test "$(grep -c client_secret new.ndjson)" = 2',
  },
  'svccmd client apply --set shop --take-over clients/': {
    after: APPLIED,
    shows: /^~ updated portal [^]*^ {4}taken over\n0 created, 2 updated, 0 deleted, 0 unchanged$/m,
  },
  'svccmd client apply --set shop --prune --yes clients/': {
    after: [
      'svccmd client apply --set shop --secrets-to applied.ndjson clients/',
      `sed 's/shop/extra/' clients/shop.yaml | svccmd client apply --set shop --secrets-to more -`,
    ],
    shows: /^- deleted extra\n0 created, 0 updated, 1 deleted, 2 unchanged$/m,
  },
  'svccmd client apply --dry-run --exit-code clients/': {
    after: APPLIED,
    shows: /^0 to create, 0 to update, 0 to delete, 2 unchanged; nothing was changed$/m,
  },
  'svccmd client export > clients.yaml': {
    after: APPLIED,
    shows: /^$/,
    leaves: 'svccmd client apply --dry-run --exit-code clients.yaml',
  },
  'svccmd client export --format ndjson shop portal': {
    after: APPLIED,
    shows: /^\{.*"client_id":"portal".*\}\n\{.*"client_id":"shop".*\}\n$/,
  },
  'svccmd client import-from keycloak --dry-run realm.json': {
    shows:
      /^shop +The shop +imported .*$[^]*^1 of 1 client imported, 0 invalid, 0 skipped; nothing was written$/m,
  },
  'svccmd client import-from keycloak --features features.json --output clients.yaml realm.json': {
    shows: /^wrote 1 declaration to clients\.yaml$/m,
    leaves: 'svccmd client apply --dry-run clients.yaml',
  },
  'svccmd client list --search shop': {
    after: APPLIED,
    shows: /^CLIENT_ID .*\nshop +The shop +enabled .*\n$/,
  },
  'svccmd client list --disabled --sort -updated_at': {
    after: APPLIED,
    shows: /^CLIENT_ID .*\nportal +The portal +disabled .*\n$/,
  },
  'svccmd client get shop': { after: APPLIED, shows: /^client_id: shop$/m },
  'svccmd client get shop --json': { after: APPLIED, shows: /^\{[^]*"client_name": "The shop"/ },
  'svccmd client delete shop': {
    after: APPLIED,
    asks: { prompt: '[y/N] ', typed: 'y\n' },
    shows: /^delete 1 client: shop \(The shop\)\? \[y\/N\] [^]*deleted shop \(The shop\)\r\n$/,
  },
  'svccmd client delete --yes shop portal': {
    after: APPLIED,
    shows: /^deleted shop \(The shop\), portal \(The portal\)$/m,
  },
  'svccmd client rotate-secret shop --overlap 24h': { after: APPLIED, shows: /^[\w-]{43}\n$/ },
  'svccmd client rotate-secret shop --yes --secrets-to shop.secret': {
    after: APPLIED,
    shows: /^wrote the new secret for shop to shop\.secret\n$/,
    leaves: 'grep -q client_secret shop.secret',
  },
  'svccmd client redirect add shop https://shop.example.com/mobile': {
    after: APPLIED,
    shows: /^shop has the redirect URI https:\/\/shop\.example\.com\/mobile\n$/,
    leaves: 'svccmd client get shop | grep -q /mobile',
  },
  'svccmd client redirect add shop https://beta.preview.example.com/cb --expires-in 7d --note beta': {
    after: APPLIED,
    shows: /^shop has the redirect URI https:\/\/beta\.preview\.example\.com\/cb until \d{4}-.*Z\n$/,
    leaves: 'svccmd client get shop | grep -q beta.preview',
  },
  'svccmd client redirect remove shop https://beta.preview.example.com/cb': {
    after: [...APPLIED, 'svccmd client redirect add shop https://beta.preview.example.com/cb'],
    shows: /^shop does not have the redirect URI https:\/\/beta\.preview\.example\.com\/cb\n$/,
    leaves: '! svccmd client get shop | grep -q beta.preview',
  },
  "svccmd client explain 'https://login.example.com/authorize?response_type=code&client_id=shop&redirect_uri=https%3A%2F%2Fshop.example.com%2Fcb%2F'":
    { after: APPLIED, shows: /^the registry rejects this request from shop \(.+\)\n {2}no_match: / },
  'svccmd client explain < url.txt': {
    after: [...APPLIED, "printf 'https://login.example.com/?client_id=shop' > url.txt"],
    shows: /^the registry rejects this request from shop \(.+\)\n {2}response_type_missing: /,
  },
  'svccmd client recommendations': { after: APPLIED, shows: /^no recommendations\n$/ },
  'svccmd client recommendations --kind disable --json': {
    after: APPLIED,
    shows: /"recommendations": ?\[\]/,
  },
};

let registry: RunningRegistry;
const folder = exampleFolderPerTest();

beforeAll(async () => {
  registry = await startRegistry();
}, 120_000);
afterAll(async () => registry.stop());
beforeEach(async () => {
  const { body } = await registry.ask('GET', '/client/features');
  writeFileSync(join(folder(), 'features.json'), JSON.stringify(body));
  for (const id of ['shop', 'portal', 'extra']) await registry.ask('DELETE', `/client/${id}`);
});

test('every example is tested', () => {
  expect(Object.keys(PROOFS).sort()).toEqual(
    [...new Set(examplesOf((path) => /^client\b/.test(path)))].sort(),
  );
});

test.each(Object.entries(PROOFS))('%s', async (line, proof) => {
  await proveExample(line, proof, folder(), {
    SVCCMD_REGISTRY_URL: registry.url,
    SVCCMD_REGISTRY_TOKEN: registry.token,
  });
});
