import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { recordSecrets, SharedPostgres } from '@svc/test-servers';
import { readPage } from './support/documented-tables.js';
import { fencedBlocks } from './support/fenced-blocks.js';
import { ROOT, type RunningService, startCommander, startRegistry } from './support/services.js';

// docs/generated-clients.md as a reader follows it, apart from `npm install`: this repository has the packages.
const BLOCKS = fencedBlocks(readPage('docs/generated-clients.md'));

/** What must not compile: a fact about the API document, and code that contradicts it. */
const MISTAKES: readonly (readonly [fact: string, code: string])[] = [
  ['no such path', `registry.GET('/clients')`],
  ['no such method', `registry.DELETE('/client/features')`],
  ['a missing path parameter', `registry.GET('/client/{client_id}')`],
  ['a misspelt path parameter', `registry.GET('/client/{client_id}', { params: { path: { id: 'shop' } } })`],
  ['a query parameter of another type', `registry.GET('/client', { params: { query: { limit: 'ten' } } })`],
  ['a sort order that is not offered', `registry.GET('/client', { params: { query: { sort: 'secret' } } })`],
  ['a missing body', `registry.POST('/client')`],
  ['a body without a required member', `registry.POST('/client', { body: { client_name: 'Shop' } })`],
  [
    'a value that is not allowed',
    `registry.POST('/client', { body: { client_name: 'Shop', redirect_uris: [], code_challenge_method: 'S512' } })`,
  ],
  ['no such bulk operation', `registry.POST('/clients/bulk', { body: { operations: [{ op: 'remove' }] } })`],
  ['no such member of a list', `(await registry.GET('/client')).data?.items`],
  ['no such member of a field', `(await registry.GET('/client/features')).data?.fields[0]?.title`],
  ['a status is a number', `(await bulk()).data?.results[0]?.status.trim()`],
  ['a member may be absent', `(await bulk()).data?.results[0]!.client_id.length`],
  ['an error is a problem', `(await registry.GET('/client')).error?.message`],
  ['a password is text', `commander.POST('/encpwd', { body: { password: 'correct horse' } })`],
  ['a time is a number', `commander.PUT('/library/load', { params: { query: { wait: 'a minute' } } })`],
  ['no such pruning', `commander.PUT('/library/load', { params: { query: { prune: 'some' } } })`],
  ['no such member of a status', `(await commander.GET('/library/status')).data?.loads`],
];

const PROGRAMS = `
import createClient from 'openapi-fetch';
import type { paths as Registry } from './registry.js';
import type { paths as Commander } from './commander.js';
const registry = createClient<Registry>();
const commander = createClient<Commander>();
const bulk = () => registry.POST('/clients/bulk', { body: { operations: [] } });
`;

// Node finds this repository's packages from here.
mkdirSync(`${ROOT}.nx`, { recursive: true });
const project = mkdtempSync(`${ROOT}.nx/generated-clients-`);
const state = mkdtempSync(join(tmpdir(), 'generated-clients-'));
const postgres = new SharedPostgres();
const environment: Record<string, string> = {};
let services: RunningService[] = [];

beforeAll(async () => {
  writeFileSync(
    join(state, 'svccmd.conf'),
    `[pwdencryptor]\nkey=password.key\n[source]\npath=${ROOT}tools/sample/library\n[destination]\nurls=file://${state}/stored\n[iplookup]\ndestination_path=lookups\n`,
  );
  await promisify(execFile)(process.execPath, [
    `${ROOT}apps/commander-api/bin/svccmd.js`,
    'keygen',
    join(state, 'password.key'),
  ]);
  services = await Promise.all([
    startRegistry({ DATA_DIR: state, DATABASE_URL: await postgres.createRegistryDatabase() }),
    startCommander(state),
  ]);
  const [registry, commander] = services;
  const token = (name: string) => readFileSync(join(state, name), 'utf8').trim();
  Object.assign(environment, {
    ...{ REGISTRY: registry!.url, REGISTRY_TOKEN: token('bootstrap-token') },
    ...{ COMMANDER: commander!.url, COMMANDER_TOKEN: token('svccmd.token') },
  });
  recordSecrets(token('bootstrap-token'), token('svccmd.token'));
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await postgres.dropDatabases();
  for (const folder of [project, state]) rmSync(folder, { recursive: true });
});

/** @returns what it prints, whatever its exit status */
async function run(program: string, words: readonly string[]): Promise<string> {
  const options = { cwd: project, env: { ...process.env, ...environment } };
  return promisify(execFile)(program, words, options).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  );
}

const node = (...words: string[]) => run(process.execPath, words);

test('the types are generated from the documents of running services', async () => {
  const [generation] = BLOCKS.filter(({ language }) => language === 'sh');
  const commands = generation!.text.split('\n').filter((line) => /^npx openapi-typescript \$/.test(line));
  expect(commands).toHaveLength(2);
  await run('bash', ['-euc', commands.join('\n')]);
  for (const name of ['registry.ts', 'commander.ts']) {
    expect(readFileSync(join(project, name), 'utf8')).toContain('export interface paths {');
  }
});

test('the clients compile strictly, and no mistake does', async () => {
  const [registry, commander] = BLOCKS.filter(({ language }) => language === 'ts');
  const lines = MISTAKES.map(([fact, code]) => `// @ts-expect-error ${fact}\nvoid (${code});\n`);
  const files = {
    'registry-client.ts': registry!.text,
    'commander-client.ts': commander!.text,
    'mistakes.ts': PROGRAMS + lines.join(''),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  const compilerOptions = {
    ...{
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noUnusedLocals: true,
    },
    ...{ module: 'nodenext', target: 'es2023', types: ['node'], skipLibCheck: true, outDir: 'dist' },
  };
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: Object.keys(files) }),
  );
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  expect(await node(`${ROOT}node_modules/typescript/bin/tsc`)).toBe('');
});

test('the client of the registry works', async () => {
  expect((await node('dist/registry-client.js')).split('\n')).toEqual([
    "required: [ 'client_name', 'redirect_uris' ]",
    'renamed: Ticket office',
    'late: 412 invalid_request',
    "found: 1 [ 'https://tickets.example.com/callback' ]",
    'disable 200 undefined',
    'delete 404 not_found',
    '',
  ]);
});

test('the client of the commander works', async () => {
  expect((await node('dist/commander-client.js')).split('\n')).toEqual([
    expect.stringMatching(/^encrypted: \{$/),
    expect.stringMatching(/^ {2}encrypted_password: '[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+',$/),
    expect.stringMatching(/^ {2}kid: '[\w-]+'$/),
    '}',
    expect.stringMatching(/^load: 1 files: \d+$/),
    expect.stringMatching(/^lookup: 404 /),
    '',
  ]);
});
