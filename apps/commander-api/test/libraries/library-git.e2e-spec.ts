import { once } from 'node:events';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitRepository, recordSecrets, startGitServer, type GitServer } from '@svc/test-servers';
import { LIBRARY, makeFolder } from './support/library-folder.js';
import { startServer } from './support/server.js';
import type { Ended } from '../shell/run-svccmd.js';
import { startSvccmd, svccmd, svccmdProcess } from './support/svccmd.js';

const USER = 'deploy';
const TOKEN = 'glpat-S3cr3t/@:%+token-0123456789';

let repository: GitRepository;
let server: GitServer;
let destination: string;
let temporary: string;
let commit: string;

beforeAll(async () => {
  recordSecrets(...FORMS);
  repository = await GitRepository.create();
  commit = await repository.commit(LIBRARY);
  server = await startGitServer({ root: repository.root, user: USER, token: TOKEN });
});

afterAll(async () => {
  await server.stop();
  await repository.remove();
});

beforeEach(async () => {
  destination = await makeFolder();
  temporary = await mkdtemp(join(tmpdir(), 'svc-tmp-'));
});

afterEach(async () => {
  await rm(destination, { recursive: true });
  await rm(temporary, { recursive: true });
});

const url = (token = TOKEN, name = 'library', fragment = '') =>
  `git://${USER}:${encodeURIComponent(token)}@${server.address}/${name}.git${fragment}`;
const environment = (source: string) => ({
  SVCCMD_SOURCE_PATH: source,
  SVCCMD_DESTINATION_URLS: `file://${destination}`,
  TMPDIR: temporary,
});
const load = async (source: string, ...words: string[]): Promise<Ended> =>
  svccmd(['library', 'load', ...words], { ...environment(source), SVCCMD_DEBUG: '1' });

/** Every form in which the token could leak. */
const FORMS = [
  TOKEN,
  encodeURIComponent(TOKEN),
  ...[TOKEN, `${USER}:${TOKEN}`].flatMap((text) => [
    Buffer.from(text).toString('base64'),
    Buffer.from(text).toString('base64url'),
  ]),
];
const expectNoToken = (text: string) => {
  for (const form of FORMS) expect(text).not.toContain(form.replace(/=+$/, ''));
};

test('a repository behind basic authentication is loaded, its commit named, no temporary folder left', async () => {
  const { code, stdout, stderr } = await svccmdProcess(['library', 'load', '--json'], environment(url()));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({
    revision: commit,
    created: 10,
    source: `${server.url}/library.git`,
  });
  for (const [path, content] of Object.entries(LIBRARY)) {
    expect(await readFile(join(destination, 'library', path), 'utf8')).toBe(content);
  }
  expect(await readdir(temporary)).toEqual([]);
});

test('the token is in no output and no file of the destination, whatever fails', async () => {
  const runs = [
    await load(url()),
    await load(url(), '--json'),
    await load(url(TOKEN, 'other')),
    await load(url(TOKEN, 'library', '#no-such-branch')),
    await load(url().replace(server.address, '127.0.0.1:1')),
    await load(url().replace('git://', 'ssh://')),
    await load(`${url()}?x=1`),
    await svccmd(['config'], environment(url())),
    await svccmd(['config'], environment(url().replace('git://', 'git:/'))),
  ];
  for (const { stdout, stderr } of runs) expectNoToken(stdout + stderr);
  expectNoToken(await contentsOf(destination));
});

test.each(['htps://', 'git:/', 'git/'])(
  'a URL that starts with %s is rejected without showing its token, and nothing is written',
  async (scheme) => {
    const mistyped = url().replace('git://', scheme);
    const runs = [
      await svccmd(['library', 'load', '--source', mistyped], environment('library')),
      await svccmd(['library', 'load'], environment(mistyped)),
    ];
    for (const [index, place] of ['--source', 'source.path'].entries()) {
      expect(runs[index]).toEqual({ code: 3, stdout: '', stderr: `svccmd: ${place}: ${NO_ADDRESS}\n` });
    }
    expect(await readdir(destination)).toEqual([]);
  },
);

const NO_ADDRESS =
  'it is neither a folder nor a Git URL; write git://, git+https:// or https:// for a repository, file:///folder or a path without ":" and "@" for a folder';

test('the token is in no response and not in the log', async () => {
  const mistyped = url().replace('git://', 'git:/');
  for (const source of [url(), url(TOKEN, 'other'), url('wrong'), url(TOKEN, 'library', '#nope'), mistyped]) {
    const commander = await startServer({ ...environment(source), SVCCMD_DEBUG: '1' });
    const answers = await Promise.all(
      [['PUT', 'load'] as const, ['GET', 'status'] as const, ['GET', 'diff'] as const].map(
        async ([method, path]) => (await commander.fetch(`/library/${path}`, { method })).text(),
      ),
    );
    await commander.stop();
    expectNoToken(answers.join() + commander.log());
  }
});

test("a token in the user's place is in no output, response or log, even if the server echoes it", async () => {
  const token = 'ghp_S3cr3t%/+0123456789abcdef';
  const forms = [
    token,
    encodeURIComponent(token),
    ...[token, `${token}:`].map((text) => Buffer.from(text).toString('base64').replace(/=+$/, '')),
  ];
  recordSecrets(...forms);
  const other = await startGitServer({ root: repository.root, user: token, token: '' });
  const source = (name: string) => `git://${encodeURIComponent(token)}@${other.address}/${name}.git`;
  try {
    expect(await load(source('library'))).toMatchObject({ code: 0 });
    Object.assign(other.faults, { status: 400, text: `who are you, ${forms.join(' ')}?\n` });
    const { code, stdout, stderr } = await load(source('library'));
    expect(code).toBe(4);
    expect(stderr).toContain('returned 400; the server says: who are you, *** *** ***');
    const shown = await svccmd(['config'], environment(source('library')));
    const commander = await startServer({ ...environment(source('library')), SVCCMD_DEBUG: '1' });
    const answer = await (await commander.fetch('/library/load', { method: 'PUT' })).text();
    await commander.stop();
    expect(answer).toContain('who are you, ***');
    const everything = [stdout, stderr, shown.stdout, shown.stderr, answer, commander.log()].join();
    for (const form of forms) expect(everything).not.toContain(form);
    expect(await contentsOf(destination)).not.toContain(token);
  } finally {
    await other.stop();
  }
});

test('the token travels in a header, never in an address', async () => {
  await load(url());
  for (const { path } of server.requests) expectNoToken(path);
});

test('a wrong token, a missing repository and a missing branch are distinguished', async () => {
  const refusals = [
    [
      url('wrong'),
      'library',
      'the server does not accept the user and token (401); the server says: HTTP Basic: Access denied',
    ],
    [url(TOKEN, 'other'), 'other', 'repository not found, or the token has no access to it (404)'],
  ] as const;
  for (const [source, name, reason] of refusals) {
    const stderr = `svccmd: cannot read ${server.url}/${name}.git: ${reason}\n`;
    expect(await svccmd(['library', 'load'], environment(source))).toEqual({ code: 4, stdout: '', stderr });
  }
  expect(await svccmdProcess(['library', 'load'], environment(url(TOKEN, 'library', '#nope')))).toEqual({
    code: 4,
    stdout: '',
    stderr: `svccmd: the repository ${server.url}/library.git has no branch or tag nope\n`,
  });
  expect(await readdir(temporary)).toEqual([]);
});

test.each([
  ['SIGTERM', 143],
  ['SIGKILL', null],
] as const)(
  'during a clone the token is in no process list and no file, and %s leaves no file behind',
  async (signal, code) => {
    server.faults.stallAfter = 500;
    try {
      const child = startSvccmd(['library', 'load'], environment(url()));
      await until(async () => (await unnamedFiles(child.pid)).length > 0);
      expectNoToken(await commandLines());
      expectNoToken((await unnamedFiles(child.pid)).join());
      child.kill(signal);
      expect((await once(child, 'close'))[0]).toBe(code);
      expect(await readdir(temporary)).toEqual([]);
    } finally {
      delete server.faults.stallAfter;
    }
  },
);

test('a repository with a link, a submodule and an LFS pointer is rejected, naming each, and nothing is written', async () => {
  const own = await GitRepository.create('own');
  const other = await startGitServer({ root: own.root });
  try {
    await own.commit({
      'a.yaml': 'x: 1\n',
      'passwd.yaml': { link: '/etc/passwd' },
      'large.csv': `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 1\n`,
    });
    await own.inWorkTree('update-index', '--add', '--cacheinfo', `160000,${commit},module`);
    await own.inWorkTree('commit', '--quiet', '--message', 'module');
    await own.inWorkTree('push', '--quiet', 'origin', 'main');
    const { code, stderr } = await load(`git://${other.address}/own.git`);
    expect(code).toBe(1);
    expect(stderr).toContain('the library has 3 errors; nothing was written');
    for (const place of ['passwd.yaml: error: is a symbolic link', 'module: error: is a git submodule']) {
      expect(stderr).toContain(place);
    }
    expect(stderr).toContain('large.csv: error: is a Git LFS pointer');
    expect(await contentsOf(destination)).toBe('');
  } finally {
    await other.stop();
    await own.remove();
  }
});

test('a tree with a file and a folder of the same name is rejected, and nothing is written', async () => {
  const own = await GitRepository.create('own');
  const other = await startGitServer({ root: own.root });
  try {
    const id = async (object: string) =>
      Buffer.from((await own.inWorkTree('rev-parse', object)).trim(), 'hex');
    await own.commit({ 'inner/x.csv': '1' });
    const line = (mode: string, oid: Buffer) => Buffer.concat([Buffer.from(`${mode} ports\0`), oid]);
    const tree = [line('100644', await id('HEAD:inner/x.csv')), line('40000', await id('HEAD:inner'))];
    await own.commit({ 'tree.bin': Buffer.concat(tree) });
    // git itself makes no such tree, but stores and serves it.
    const made = ['hash-object', '-t', 'tree', '--literally', '-w', 'tree.bin'];
    const oid = (await own.inWorkTree(...made)).trim();
    const head = (await own.inWorkTree('commit-tree', oid, '-m', 'both')).trim();
    await own.inWorkTree('push', '--quiet', '--force', 'origin', `${head}:refs/heads/main`);
    const { code, stderr } = await load(`git://${other.address}/own.git`);
    expect(code).toBe(1);
    expect(stderr).toContain('ports: error: is both a file and a folder; rename one of the two');
    expect(await contentsOf(destination)).toBe('');
  } finally {
    await other.stop();
    await own.remove();
  }
});

/** The contents of a process's open files in the temporary folder. */
async function unnamedFiles(pid: number | undefined): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const contents = (await readdir(folder)).map(async (fd) => {
    const path = await readlink(join(folder, fd)).catch(() => '');
    if (!path.startsWith(temporary)) return [];
    // It may be closed meanwhile.
    return readFile(join(folder, fd), 'latin1').then(
      (text) => [text],
      () => [],
    );
  });
  return (await Promise.all(contents)).flat();
}

/** Every file below a folder, one after the other. */
async function contentsOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return (await Promise.all(files.map(async (file) => readFile(file, 'latin1')))).join('\n');
}

/** What `ps` shows of every process. */
async function commandLines(): Promise<string> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = processes.map(async (id) => readFile(`/proc/${id}/cmdline`, 'latin1').catch(() => ''));
  return (await Promise.all(lines)).join('\n');
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}
