import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesOf, type SourceEntry } from '@svc/library-sync';
import { GitRepository, makeCertificates, startGitServer, type GitServer } from '@svc/test-servers';
import { GitSource, type GitSourceOptions } from '../src/index.js';

let repository: GitRepository;
let server: GitServer;
let first: string;
let second: string;

beforeAll(async () => {
  repository = await GitRepository.create();
  first = await repository.commit({
    'a.yaml': 'x: 1\n',
    'sub/b.yaml': 'y: 1\n',
    'sub/.libraryignore': '*.md\n',
  });
  await repository.inWorkTree('tag', 'v1');
  await repository.inWorkTree('tag', '--annotate', 'v1-annotated', '--message', 'one');
  second = await repository.commit({ 'a.yaml': 'x: 2\n', 'sub/readme.md': 'no' });
  server = await startGitServer({ root: repository.root, user: 'deploy', token: 's3cret' });
});

afterAll(async () => {
  await server.stop();
  await repository.remove();
});

afterEach(() => {
  for (const fault of Object.keys(server.faults)) delete server.faults[fault as keyof typeof server.faults];
});

const source = (options: Partial<GitSourceOptions> = {}, name = 'library') =>
  new GitSource({ address: `git://deploy:s3cret@${server.address}/${name}.git`, ...options });
const read = async (options: Partial<GitSourceOptions> = {}, name?: string) =>
  source(options, name).read(() => () => true);
const textOf = (entries: readonly SourceEntry[], path: string) => {
  const entry = entries.find((one) => one.path === path);
  return entry?.kind === 'file' ? Buffer.from(bytesOf(entry.data)).toString() : undefined;
};
const withRepository = async (use: (root: GitRepository, other: GitServer) => Promise<void>) => {
  const own = await GitRepository.create('own');
  const other = await startGitServer({ root: own.root });
  await use(own, other).finally(async () => {
    await other.stop();
    await own.remove();
  });
};

test('the default branch is read at its newest commit', async () => {
  const { entries, revision } = await read();
  expect(revision).toBe(second);
  expect(textOf(entries, 'a.yaml')).toBe('x: 2\n');
  expect(entries.map(({ path }) => path)).toContain('sub');
});

test.each([
  ['a branch', 'main', 2],
  ['a tag', 'v1', 1],
  ['an annotated tag', 'v1-annotated', 1],
  ['a full name', 'refs/tags/v1', 1],
])('%s is read, and its revision is the commit', async (_case, ref, text) => {
  const { entries, revision } = await read({ ref });
  expect(textOf(entries, 'a.yaml')).toBe(`x: ${text}\n`);
  expect(revision).toBe(text === 1 ? first : second);
  expect(await source({ ref }).revision()).toBe(revision);
});

test('a commit is read by its id', async () => {
  expect(textOf((await read({ ref: first })).entries, 'a.yaml')).toBe('x: 1\n');
});

test('a short commit id is rejected with a hint', async () => {
  await expect(read({ ref: first.slice(0, 10) })).rejects.toThrow(/write a commit id in full/);
});

test('a subfolder is the root, with its own .libraryignore', async () => {
  const handed: unknown[] = [];
  const { entries } = await source({ subfolder: '/sub/' }).read((ignoreFile) => {
    handed.push(ignoreFile);
    return (path) => !path.endsWith('.md');
  });
  expect(handed).toEqual(['*.md\n']);
  expect(entries.map(({ path }) => path).sort()).toEqual(['.libraryignore', 'b.yaml']);
  await expect(read({ subfolder: 'none' })).rejects.toThrow(/has no folder none/);
  await expect(read({ subfolder: 'a.yaml' })).rejects.toThrow(/has no folder a\.yaml/);
});

test('a repository whose default branch does not exist is rejected with the remedy', async () => {
  await withRepository(async (own, other) => {
    await own.inWorkTree('-C', join(own.root, 'own.git'), 'symbolic-ref', 'HEAD', 'refs/heads/none');
    await own.inWorkTree('commit', '--quiet', '--allow-empty', '--message', 'one');
    await own.inWorkTree('push', '--quiet', join(own.root, 'own.git'), 'HEAD:refs/heads/other');
    const source = new GitSource({ address: `git://${other.address}/own.git` });
    await expect(source.revision()).rejects.toThrow(/has no default branch; name one in source\.ref$/);
  });
});

test('an empty repository is rejected', async () => {
  await withRepository(async (_own, other) => {
    const empty = new GitSource({ address: `git://${other.address}/own.git` });
    await expect(empty.read(() => () => true)).rejects.toThrow(/is empty/);
    await expect(empty.revision()).rejects.toThrow(/is empty/);
  });
});

test('a SHA-256 repository is rejected with that reason', async () => {
  await withRepository(async (own, other) => {
    const path = (name: string) => join(own.root, name);
    const git = async (...words: string[]) => own.inWorkTree('-C', path('sha.work'), ...words);
    const sha256 = ['--quiet', '--object-format=sha256', '--initial-branch=main'];
    await own.inWorkTree('init', ...sha256, '--bare', path('sha.git'));
    await own.inWorkTree('init', ...sha256, path('sha.work'));
    await git('commit', '--quiet', '--allow-empty', '--message', 'one');
    await git('push', '--quiet', path('sha.git'), 'main');
    const found = new GitSource({ address: `git://${other.address}/sha.git` });
    for (const ask of [async () => found.read(() => () => true), async () => found.revision()]) {
      await expect(ask()).rejects.toMatchObject({
        name: 'SourceUnreachableError',
        message: `cannot read http://${other.address}/sha.git: the repository names its objects by SHA-256, which is not supported`,
      });
    }
  });
});

test('files stored as deltas are read in full', async () => {
  await withRepository(async (own, other) => {
    const lines = Array.from({ length: 200 }, (_, line) => `line ${line}: ${'x'.repeat(line % 50)}\n`);
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, file) => [
        `f${file}.txt`,
        lines.map((line, index) => (index % 60 === file ? `changed in ${file}\n` : line)).join(''),
      ]),
    );
    await own.commit(files);
    const { entries } = await new GitSource({ address: `git://${other.address}/own.git` }).read(
      () => () => true,
    );
    expect(entries).toHaveLength(60);
    for (const [path, text] of Object.entries(files)) expect(textOf(entries, path)).toBe(text);
  });
});

test('links and submodules are recognized and never followed', async () => {
  await withRepository(async (own, other) => {
    await own.commit({ 'passwd.yaml': { link: '/etc/passwd' }, 'real.yaml': 'x: 1\n' });
    await own.inWorkTree('update-index', '--add', '--cacheinfo', `160000,${first},module`);
    await own.inWorkTree('commit', '--quiet', '--message', 'module');
    await own.inWorkTree('push', '--quiet', 'origin', 'main');
    const { entries } = await new GitSource({ address: `git://${other.address}/own.git` }).read(
      () => () => true,
    );
    expect(entries.map(({ path, kind }) => `${kind} ${path}`).sort()).toEqual([
      'file real.yaml',
      'link passwd.yaml',
      'submodule module',
    ]);
  });
});

const INSTEAD = 'replace it with the file itself';

test.each([
  [
    'is a symbolic link',
    INSTEAD,
    async (own: GitRepository) => own.commit({ 'sub/.libraryignore': { link: '../ignore' } }),
  ],
  ['is a folder', INSTEAD, async (own: GitRepository) => own.commit({ 'sub/.libraryignore/a': '' })],
  [
    'is not UTF-8',
    'save it as UTF-8',
    async (own: GitRepository) =>
      own.commit({ 'sub/.libraryignore': Buffer.from('\ufeffsecret.yaml\n', 'utf16le') }),
  ],
  [
    'is a submodule',
    INSTEAD,
    async (own: GitRepository) => {
      await own.inWorkTree('update-index', '--add', '--cacheinfo', `160000,${first},sub/.libraryignore`);
      await own.inWorkTree('commit', '--quiet', '--message', 'module');
      await own.inWorkTree('push', '--quiet', 'origin', 'main');
    },
  ],
])('a .libraryignore that %s is refused, instead of ignored', async (what, remedy, change) => {
  await withRepository(async (own, other) => {
    await own.commit({ ignore: 'secret.yaml\n', 'sub/secret.yaml': 'x: 1\n', 'a.yaml': 'x: 1\n' });
    await change(own);
    const address = `git://${other.address}/own.git`;
    const refusal = `cannot read http://${other.address}/own.git: .libraryignore ${what}; ${remedy}`;
    for (const faults of [{}, { noFilter: true }]) {
      Object.assign(other.faults, faults);
      const source = new GitSource({ address, subfolder: 'sub' });
      await expect(source.read(() => () => true)).rejects.toMatchObject({
        name: 'SourceUnreachableError',
        message: refusal,
      });
    }
    expect((await new GitSource({ address }).read(() => () => true)).entries).not.toEqual([]);
  });
});

test('a file over the limit is reported with its size', async () => {
  await withRepository(async (own, other) => {
    await own.commit({ 'large.csv': Buffer.alloc(1_500_000, 'x') });
    const { entries } = await new GitSource({ address: `git://${other.address}/own.git` }).read(
      () => () => true,
    );
    expect(entries).toEqual([
      { kind: 'file', path: 'large.csv', data: new Uint8Array(), oversize: 1_500_000 },
    ]);
  });
});

test.each([
  ['stalls', { stallAfter: 100 }, { deadlineMs: 1_500 }, /took longer than 1\.5 s/],
  ['takes too long to respond', { delayMs: 10_000 }, { deadlineMs: 1_000 }, /took longer than 1 s/],
  ['cuts the connection', { truncateAfter: 100 }, {}, /cannot read/],
  [
    'fails',
    { status: 503 },
    {},
    /^cannot read http:\/\/[^ ]+\/library\.git: returned 503; the server says: fault$/,
  ],
  [
    'denies access',
    { status: 403 },
    {},
    /^cannot read http:\/\/[^ ]+\/library\.git: the user and token do not have permission to read it \(403\); the server says: fault$/,
  ],
  [
    'redirects',
    { redirectTo: 'http://elsewhere.example.com' },
    {},
    /^the git server redirects elsewhere \(30\d\); configure the final address, with https and \.git$/,
  ],
  [
    'exceeds the size limit',
    {},
    { maxBytes: 200 },
    /^the repository is larger than the 0 MiB of source.max_pack even without its history$/,
  ],
])(
  'a server that %s is reported with the reason, and no file is left behind',
  async (_case, faults, options, message) => {
    const before = await unnamedFiles();
    Object.assign(server.faults, faults);
    await expect(read(options)).rejects.toMatchObject({
      name: 'SourceUnreachableError',
      message: expect.stringMatching(message),
    });
    expect((await unnamedFiles()).filter((path) => !before.includes(path))).toEqual([]);
  },
);

test('a server that requires multi_ack works, as does one that speaks version 2', async () => {
  server.faults.requireMultiAck = true;
  expect((await read()).revision).toBe(second);
  server.faults.onlyV0 = true;
  expect((await read()).revision).toBe(second);
});

test('a server that does not serve commit ids works by branch and tag; a commit fails with the remedy', async () => {
  server.faults.onlyAdvertised = true;
  for (const ref of ['main', 'v1', 'v1-annotated']) expect((await read({ ref })).entries).not.toEqual([]);
  expect((await read({ ref: second })).revision).toBe(second);
  await withRepository(async (own, other) => {
    const gone = await own.commit({ 'a.yaml': 'x: 1\n' });
    await own.commit({ 'a.yaml': 'x: 2\n' });
    other.faults.onlyAdvertised = true;
    const address = `git://${other.address}/own.git`;
    await expect(new GitSource({ address, ref: gone }).read(() => () => true)).rejects.toThrow(
      `cannot read http://${other.address}/own.git: the server says: upload-pack: not our ref ${gone}; the server only serves commits at the tip of a branch or tag: use a branch or tag`,
    );
  });
});

test('a private CA is trusted only if configured', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-git-tls-'));
  const { ca, serverKey, serverCert } = await makeCertificates(folder);
  const secure = await startGitServer({ root: repository.root, tls: { key: serverKey, cert: serverCert } });
  const address = `git+https://${secure.address}/library.git`;
  expect(await new GitSource({ address, caFile: ca }).revision()).toBe(second);
  await expect(new GitSource({ address }).revision()).rejects.toThrow(/cannot read/);
  await expect(new GitSource({ address, caFile: '/nowhere.pem' }).revision()).rejects.toThrow(
    'cannot read the certificates in /nowhere.pem (ENOENT)',
  );
  await secure.stop();
  await rm(folder, { recursive: true });
});

/** The paths that this process's open files had. */
async function unnamedFiles(): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd');
  const paths = descriptors.map(async (fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(paths)).filter((path) => path.includes('svccmd-contents-'));
}
