import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GitRepository, type GitServer, startGitServer } from '@svc/test-servers';
import { typeInShell } from '../shell/type-line.js';
import { blocks } from './support/documents.js';
import { LIBRARY, makeFolder } from './support/library-folder.js';
import { type Server, startServer } from './support/server.js';
import { svccmd } from './support/svccmd.js';

/** The commands and the configuration are those of docs/library-signed.md. */
let repository: GitRepository;
let git: GitServer;
let folder: string;
let configuration: string;
let server: Server;
const commits: string[] = [];

const BY = 'alice@example.com';

beforeAll(async () => {
  folder = await makeFolder();
  await mkdir(join(folder, '.ssh'));
  repository = await GitRepository.create();
  await repository.commit(LIBRARY);
  git = await startGitServer({ root: repository.root });
  const person = { GIT_CONFIG_NOSYSTEM: '1', HOME: folder };
  for (const setting of ['name', 'email'])
    await repository.inWorkTree('config', `user.${setting}`, setting === 'name' ? 'Alice' : BY);
  configuration = join(folder, 'svccmd.conf');
  const ini = blocks('library-signed.md', 'ini')[0]!.replace(/git:\S+/, `git://${git.address}/library.git`);
  writeFileSync(configuration, `${ini}state_path = copies\n[destination]\nurls = file://${folder}/stored\n`);
  // Before signatures were verified.
  await library('off', 'load');
  const commands = blocks('library-signed.md', 'sh')[0]!;
  const typed = await typeInShell(commands, { cwd: `${repository.root}/library.work`, env: person });
  expect([typed.code, typed.stderr]).toEqual([0, expect.stringMatching(/^Good "git" signature for alice/)]);
  commits.push(await repository.commit({ 'Parsers/Linux/30_cron.yaml': 'define: {type: parser}\n' }));
  server = await startServer({
    SVCCMD_SOURCE_PATH: `git://${git.address}/library.git`,
    SVCCMD_SOURCE_VERIFY: 'ssh',
    SVCCMD_SOURCE_ALLOWED_SIGNERS: join(folder, 'allowed_signers'),
    SVCCMD_SOURCE_STATE_PATH: join(folder, 'copies'),
    SVCCMD_DESTINATION_URLS: `file://${folder}/stored`,
  });
});

afterAll(async () => {
  await server.stop();
  await git.stop();
  await repository.remove();
  await rm(folder, { recursive: true });
});

const library = async (verify: string, ...words: string[]) =>
  svccmd(['-c', configuration, 'library', ...words], { SVCCMD_SOURCE_VERIFY: verify });

const stored = (name: string): unknown =>
  JSON.parse(readFileSync(join(folder, 'stored/library', name), 'utf8'));

const put = async (query = '') => {
  const response = await server.fetch(`/library/load${query}`, { method: 'PUT' });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

test('a signed commit is loaded; who signed it is in the history and beside the version', async () => {
  expect(await library('ssh', 'load')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^signed by alice@example\.com \(SHA256:\S+\), 2026-01-01T00:00:00\.000Z$/m,
    ),
  });
  const { version, signature } = { version: stored('.version.yaml'), signature: stored('.signature.yaml') };
  expect(signature).toMatchObject({ version: String(version), load: 2, commit: commits[0], signed_by: BY });
  expect((await library('ssh', 'history')).stdout).toMatch(/^load 2 .*\n {2}signed by alice@example\.com /);
});

test('an unsigned commit is refused on the command line and over HTTP, and a diff warns of it', async () => {
  const options = ['-c', 'commit.gpgsign=false', 'commit', '--quiet', '--allow-empty', '-m', 'unsigned'];
  await repository.inWorkTree(...options);
  const unsigned = await repository.inWorkTree('rev-parse', 'HEAD');
  await repository.inWorkTree('push', '--quiet', 'origin', 'main');
  const message = `commit ${unsigned.trim()} of ${git.url}/library.git is not signed; sign it (git commit -S) with a key that ${folder}/allowed_signers lists`;
  for (const words of [['load'], ['load', '--dry-run']]) {
    expect(await library('ssh', ...words)).toMatchObject({ code: 1, stderr: `svccmd: ${message}\n` });
  }
  expect(await put()).toMatchObject({ status: 422, body: { title: 'Unverified source', detail: message } });
  const diff = await (await server.fetch('/library/diff')).json();
  expect(diff).toMatchObject({
    problems: [{ severity: 'warning', code: 'unverified', message: `${message}; a load refuses it` }],
  });
  expect(await library('ssh', 'validate')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(message),
  });
});

test('an older commit is refused over HTTP unless it is allowed, which the history records', async () => {
  commits.push(await repository.commit({ 'Parsers/Linux/30_cron.yaml': 'define: {type: other}\n' }));
  expect(await put()).toMatchObject({ status: 200, body: { signed_by: BY, revision: commits[1] } });
  await repository.inWorkTree('push', '--quiet', '--force', 'origin', `${commits[0]}:main`);
  const refused = await put();
  expect(refused).toMatchObject({ status: 422 });
  expect(refused.body['detail']).toMatch(
    /^commit \S+ of \S+ is older, or on a different branch: .*--allow-older \(\?allow_older=true over HTTP\)$/,
  );
  expect(await put('?allow_older=true')).toMatchObject({ status: 200, body: { revision: commits[0] } });
  const history = await (await server.fetch('/library/history')).json();
  expect(history).toMatchObject({ loads: [{ allowed_older: true, signed_by: BY, load: 4 }, {}, {}, {}] });
  expect((await library('ssh', 'load', '--ref', commits[1]!)).code).toBe(0);
  expect(await library('ssh', 'load', '--ref', commits[0]!, '--allow-older')).toMatchObject({ code: 0 });
});

test('a verified load can be restored, with its signature; one from before cannot', async () => {
  expect(await library('ssh', 'rollback', '--to', '3')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`signed by ${BY}`),
  });
  expect(stored('.signature.yaml')).toMatchObject({ commit: commits[1], signed_by: BY });
  expect(await library('ssh', 'rollback', '--to', '1')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^svccmd: load 1 was not verified when it was loaded; .*set source\.verify to off to restore this one$/m,
    ),
  });
  expect(await library('off', 'rollback', '--to', '1')).toMatchObject({ code: 0 });
  expect(() => stored('.signature.yaml')).toThrow(/ENOENT/);
});

test('while the list is missing, loads are a configuration error, on the command line and over HTTP', async () => {
  const list = join(folder, 'allowed_signers');
  await rename(list, `${list}-away`);
  const message = `cannot use the allowed signers in ${list}: ENOENT; correct the file, or set source.allowed_signers to another`;
  expect(await library('ssh', 'load')).toMatchObject({ code: 3, stderr: `svccmd: ${message}\n` });
  expect(await put()).toMatchObject({ status: 503, body: { detail: message } });
  await rename(`${list}-away`, list);
});

test('a folder as the source, or no list at all, is a configuration error', async () => {
  expect(await library('ssh', 'load', '--source', folder)).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^svccmd: source\.verify: a folder has no signed commits; /),
  });
  const environment = {
    SVCCMD_SOURCE_PATH: `git://${git.address}/library.git`,
    SVCCMD_SOURCE_VERIFY: 'gpg',
    SVCCMD_DESTINATION_URLS: `file://${folder}/other`,
  };
  expect(await svccmd(['library', 'load'], environment)).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^svccmd: source\.verify: gpg needs .*: set source\.allowed_signers/),
  });
});
