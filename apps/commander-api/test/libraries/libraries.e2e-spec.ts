import { rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GitRepository, type GitServer, startGitServer } from '@svc/test-servers';
import { runInProcess } from '../shell/run-in-process.js';
import { expectSuccess, typeInShell } from '../shell/type-line.js';
import { blocks, ROOT } from './support/documents.js';
import { makeFolder, writeFiles } from './support/library-folder.js';
import { type Server, startServer } from './support/server.js';
import { svccmd } from './support/svccmd.js';

const TOKENS = { ci: `ci-${'x'.repeat(32)}`, deploy: `deploy-${'x'.repeat(32)}` };
const SECRET = 'hook_secret_of_32_characters_or_more';

let folder: string;
let repository: GitRepository;
let git: GitServer;
let server: Server;
let configuration: string;

const svccmdHere = async (...words: string[]) => svccmd(['-c', configuration, 'library', ...words]);
const stored = async (path: string) => readFile(join(folder, 'stored', path), 'utf8').catch(() => undefined);

beforeAll(async () => {
  folder = await makeFolder({
    'library/a.yaml': 'x: 1\n',
    'dashboards/logins.json': '{}',
    'svccmd.token': 'a-token-for-tests-0123456789-0123456789',
  });
  repository = await GitRepository.create();
  await repository.commit({ 'ssh.yaml': 'define: {type: parser}\n' });
  git = await startGitServer({ root: repository.root });
  configuration = join(folder, 'svccmd.conf');
  const sections = `[source]
path = library
[destination]
urls = file://${folder}/stored
[library:parsers]
source.path = git://${git.address}/library.git
source.interval = 1 s
source.webhook_secret = ${SECRET}
destination.path = /parsers
[library:dashboards]
source.path = dashboards
source.interval = 1 s
destination.path = /dashboards
[token:ci]
libraries = parsers
token = ${TOKENS.ci}
[token:deploy]
libraries = parsers, dashboards
token = ${TOKENS.deploy}
scopes = library:read, library:write
`;
  writeFileSync(configuration, sections);
  server = await startServer({}, ['-c', configuration, 'serve']);
});

afterAll(async () => {
  await server.stop();
  await git.stop();
  await repository.remove();
  rmSync(folder, { recursive: true });
});

async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(50);
}

interface Summary {
  readonly name?: string;
  readonly path: string;
  readonly state: string;
  readonly last_failure?: { readonly reason: string };
}

async function list(token = server.token): Promise<Summary[]> {
  const response = await server.fetch('/libraries', { headers: { authorization: `Bearer ${token}` } });
  return ((await response.json()) as { libraries: Summary[] }).libraries;
}

const stateOf = async (name: string) => (await list()).find((library) => library.name === name)?.state;

test('each library is loaded on its own schedule; the unnamed one, which has none, is not', async () => {
  await eventually(async () => (await stored('parsers/ssh.yaml')) !== undefined);
  await eventually(async () => (await stored('dashboards/logins.json')) !== undefined);
  await eventually(async () => (await list()).filter(({ state }) => state === 'loaded').length === 2);
  expect(await list()).toMatchObject([
    { path: '/library', state: 'none' },
    { name: 'parsers', path: '/libraries/parsers', state: 'loaded' },
    { name: 'dashboards', path: '/libraries/dashboards', state: 'loaded' },
  ]);
});

test('a library without its source does not stop another, and recovers with the source', async () => {
  await rename(join(folder, 'dashboards'), join(folder, 'away'));
  await eventually(async () => (await stateOf('dashboards')) === 'failed');
  await repository.commit({ 'ssh.yaml': 'define: {type: other}\n' });
  await eventually(async () => (await stored('parsers/ssh.yaml')) === 'define: {type: other}\n');
  expect(await stateOf('parsers')).toBe('loaded');
  expect((await list()).find(({ name }) => name === 'dashboards')?.last_failure?.reason).toMatch(
    /^cannot read /,
  );
  expect(await stored('dashboards/logins.json')).toBe('{}');
  expect((await server.fetch('/libraries/dashboards/diff')).status).toBe(502);
  expect((await server.fetch('/libraries/parsers/diff')).status).toBe(200);
  await rename(join(folder, 'away'), join(folder, 'dashboards'));
  expect((await server.fetch('/libraries/dashboards/load', { method: 'PUT' })).status).toBe(200);
});

test('commands take the name of a library', async () => {
  expect((await svccmdHere('history', 'parsers')).stdout).toMatch(/^load 2 .*\nload 1 /);
  expect((await svccmdHere('status')).stdout).toMatch(/\/stored\/library\nnothing has been loaded yet/);
  expect(await svccmdHere('load', 'dashboards')).toMatchObject({ code: 0 });
  expect(await svccmdHere('diff', 'other')).toMatchObject({
    code: 2,
    stderr: 'svccmd: no library is named "other"; named libraries: parsers, dashboards\n',
  });
});

test('series of named libraries have a label, those of the unnamed library do not', async () => {
  expect((await server.fetch('/library/load', { method: 'PUT' })).status).toBe(200);
  const lines = (await (await server.fetch('/metrics')).text()).split('\n');
  const unnamed = lines.filter((line) => line.startsWith('library_') && !line.includes('library="'));
  const SERVICE = 'service="commander-api"';
  for (const line of [
    `library_loads_total{result="loaded",${SERVICE}} 1`,
    `library_loads_total{result="failed",${SERVICE}} 0`,
    `library_nodes_written_total{operation="created",${SERVICE}} 1`,
    `library_load_duration_seconds_count{${SERVICE}} 1`,
    `library_drift_nodes{change="missing",${SERVICE}} 0`,
  ])
    expect(unnamed).toContain(line);
  expect(lines).toContain(`library_loads_total{library="parsers",result="loaded",${SERVICE}} 2`);
});

test('log lines name the library', async () => {
  const names = () => {
    const lines = server
      .log()
      .split('\n')
      .filter((line) => line.includes('"library load"'));
    return new Set(lines.map((line) => (JSON.parse(line) as { library_name?: string }).library_name));
  };
  // Lines are buffered for a moment.
  await eventually(async () => names().size === 3);
  expect(names()).toEqual(new Set(['parsers', 'dashboards', undefined]));
});

test('a push requires the secret of its library; without one, a library cannot be told from one that does not exist', async () => {
  const push = async (name: string, secret = SECRET) =>
    server.fetch(`/libraries/${name}/webhook`, {
      method: 'POST',
      body: '{}',
      headers: { authorization: '', 'x-gitlab-token': secret, 'x-gitlab-event': 'Push Hook' },
    });
  expect((await push('parsers')).status).toBe(202);
  expect((await push('parsers', 'y'.repeat(32))).status).toBe(403);
  const invalid = async () =>
    Number(/^http_wrong_tokens_total\{.*\} (\d+)$/m.exec(await (await server.fetch('/metrics')).text())?.[1]);
  const before = await invalid();
  const answers = await Promise.all(
    [push('parsers', 'y'.repeat(32)), push('dashboards'), push('other')].map(async (pushing) => {
      const response = await pushing;
      const { detail } = (await response.json()) as { detail: string };
      return [response.status, detail];
    }),
  );
  expect(new Set(answers.map((answer) => answer.join()))).toEqual(
    new Set(['403,The hook has an invalid signature or token, or the library has no secret.']),
  );
  expect((await invalid()) - before).toBe(3);
});

interface Operation {
  readonly security: readonly object[];
  readonly 'x-required-scope'?: string;
}

/** Every operation that needs a token, with its scope. */
async function operations(): Promise<{ method: string; path: string; scope: string }[]> {
  const { paths } = (await (await server.fetch('/openapi.json')).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security.length > 0)
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        scope: operation['x-required-scope'] ?? '',
      })),
  );
}

test.each([
  ['ci', ['library:read']],
  ['deploy', ['library:read', 'library:write']],
] as const)(
  'on every route the token %s may use its libraries, gets one 404 for all others, and 403 for all else',
  async (name, scopes) => {
    const foreign = name === 'ci' ? 'dashboards' : 'Parsers';
    const answerOf = async (method: string, path: string, library: string) => {
      const url = path.replace('{library}', library).replaceAll(/\{\w+\}/g, '1');
      const response = await server.fetch(url, {
        method,
        headers: { authorization: `Bearer ${TOKENS[name]}` },
      });
      const { detail = '' } = (await response.json().catch(() => ({}))) as { detail?: string };
      return { status: response.status, detail };
    };
    const tried = (await operations()).map(async ({ method, path, scope }) => {
      const libraries = path.includes('{library}') ? ['parsers', foreign, 'none'] : [''];
      const answers = libraries.map(async (library) => answerOf(method, path, library));
      const [own, ...others] = await Promise.all(answers);
      return { place: `${method} ${path}`, path, scope, own: own!, others };
    });
    expect(tried.length).toBeGreaterThan(25);
    const NOT_FOUND = expect.stringMatching(
      /^There is no (unnamed library|library of this name), or the token may not use it/,
    ) as string;
    for (const { place, path, scope, own, others } of await Promise.all(tried)) {
      const statuses = [own, ...others].map(({ status }) => status);
      if (!scopes.some((one) => one === scope)) {
        expect([place, ...statuses]).toEqual([place, ...statuses.map(() => 403)]);
      } else if (path === '/libraries') {
        expect([place, own.status]).toEqual([place, 200]);
      } else if (path.startsWith('/library/')) {
        expect([place, own]).toEqual([place, { status: 404, detail: NOT_FOUND }]);
      } else {
        expect([place, own.status < 500 && ![401, 403].includes(own.status)]).toEqual([place, true]);
        expect([place, own.detail]).not.toEqual([place, NOT_FOUND]);
        const refusal = { status: 404, detail: NOT_FOUND };
        expect([place, ...others]).toEqual([place, refusal, refusal]);
        expect(others[0]).toEqual(others[1]);
      }
    }
  },
);

test('the list contains only libraries of the token', async () => {
  expect((await list(TOKENS.ci)).map(({ name }) => name)).toEqual(['parsers']);
});

test('docs/libraries.md: every request is answered', async () => {
  const [script = ''] = blocks('libraries.md', 'sh');
  const typed = script
    .replaceAll('curl ', 'curl -sS --fail ')
    .replaceAll('http://127.0.0.1:8080', server.url);
  const { code, stdout, stderr } = await typeInShell(typed, { cwd: folder });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('"path":"/libraries/dashboards"');
});

test('docs/libraries.md: every command works, in its order', async () => {
  const here = await makeFolder();
  await mkdir(join(here, 'bin'));
  await symlink(new URL('apps/commander-api/bin/svccmd.js', ROOT).pathname, join(here, 'bin', 'svccmd'));
  const commands =
    blocks('libraries.md', 'console')
      .join('')
      .match(/(?<=^\$ ).*$/gm) ?? [];
  expect(commands.length).toBeGreaterThan(8);
  expect(await expectSuccess(commands, { cwd: here })).toBe('');
  await rm(here, { recursive: true });
});

test('docs/libraries.md: the configurations are valid', async () => {
  const file = join(folder, 'page.conf');
  writeFileSync(file, blocks('libraries.md', 'ini').join('\n'));
  const environment = { SVCCMD_TOKEN_DEPLOY_TOKEN: TOKENS.deploy };
  const { code, stdout, stderr } = await svccmd(['-c', file, 'config'], environment);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^token:deploy\.token +\*{8} +SVCCMD_TOKEN_DEPLOY_TOKEN$/m);
  expect(stdout).toMatch(/^library:parsers\.source\.path +git:\/\/\*{8}@git\.example\.com/m);
});

test('watch without a name watches all libraries, even if one cannot be read', async () => {
  await writeFiles(folder, { 'watched/b.yaml': 'x: 1\n' });
  const file = join(folder, 'watch.conf');
  const sections = ['[destination]', `urls = file://${folder}/seen`];
  for (const [name, source] of [
    ['a', 'missing'],
    ['b', 'watched'],
  ])
    sections.push(`[library:${name}]`, `source.path = ${source}`, `destination.path = /${name}`);
  writeFileSync(file, sections.join('\n'));
  const end = new AbortController();
  let output = '';
  const onOutput = (piece: string) => {
    output += piece;
    if (/^b: load 1 is done/m.test(output) && /^a: .*next check/m.test(output)) end.abort();
  };
  const argv = ['-c', file, 'library', 'watch', '--interval', '1'];
  const { stdout, stderr } = await runInProcess(argv, { signal: end.signal, onOutput });
  expect(stdout).toMatch(/^b: .*watched [^]*^b: load 1 is done/m);
  expect(stderr).toMatch(/^a: cannot read .*next check in 2 s$/m);
});
