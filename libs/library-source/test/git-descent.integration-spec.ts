import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import {
  GitRepository,
  type GitServer,
  SigningKeys,
  startGitServer,
  startTcpProxy,
  type TcpProxy,
} from '@svc/test-servers';
import { GitSource, type GitSourceOptions } from '../src/index.js';

/** A history of 42 commits; a branch that left it after the first; and their merge. */
let repository: GitRepository;
let server: GitServer;
let proxy: TcpProxy;
let keys: SigningKeys;
let signers: string;
const commits: Record<string, string> = { unknown: 'f'.repeat(40) };

const LENGTH = 40;

beforeAll(async () => {
  [repository, keys] = await Promise.all([GitRepository.create(), SigningKeys.create()]);
  const { git, publicKey } = await keys.ssh('owner', '-t', 'ed25519');
  for (const setting of git.filter((word) => word !== '-c'))
    await repository.inWorkTree('config', ...setting.split('='));
  await repository.inWorkTree('config', 'commit.gpgsign', 'true');
  signers = keys.path('allowed_signers');
  await writeFile(signers, `owner@example.com ${publicKey}\n`);
  commits['first'] = await repository.commit({ 'library/a.yaml': 'a: 1\n', 'big.txt': 'x'.repeat(10_000) });
  await importHistory(commits['first']);
  commits['middle'] = (await repository.inWorkTree('rev-parse', 'HEAD~9')).trim();
  commits['parent'] = (await repository.inWorkTree('rev-parse', 'HEAD')).trim();
  commits['last'] = await repository.commit({ 'library/a.yaml': 'a: 2\n' });
  await repository.inWorkTree('switch', '--quiet', '-c', 'side', commits['first']);
  commits['side'] = await repository.commit({ 'library/b.yaml': 'b: 1\n' });
  await repository.inWorkTree('switch', '--quiet', 'main');
  await repository.inWorkTree('merge', '--quiet', 'side', '-m', 'merge');
  commits['merge'] = await repository.commit({});
  server = await startGitServer({ root: repository.root });
  proxy = await startTcpProxy(server.address);
});

/** Commits that are not signed, in one process: 40 of a hundred kilobytes each. */
async function importHistory(from: string): Promise<void> {
  const stream = Array.from({ length: LENGTH }, (_, count) => {
    const content = randomBytes(50_000).toString('hex');
    const lines = ['commit refs/heads/main', `committer T <t@example.com> ${1_700_000_000 + count} +0000`];
    lines.push('data 1', 'm', ...(count === 0 ? [`from ${from}`] : []), 'M 100644 inline big.txt');
    return [...lines, `data ${content.length}`, content, ''].join('\n');
  });
  await writeFile(keys.path('stream'), stream.join('\n'));
  const feed = `alias.feed=!git fast-import --quiet < ${keys.path('stream')}`;
  await repository.inWorkTree('-c', feed, 'feed');
  await repository.inWorkTree('reset', '--quiet', '--hard');
}

afterAll(async () => {
  await proxy.stop();
  await server.stop();
  await repository.remove();
  await keys.remove();
});

afterEach(() => {
  for (const fault of Object.keys(server.faults)) delete server.faults[fault as keyof typeof server.faults];
});

type Verify = NonNullable<GitSourceOptions['verify']>;

async function read(
  commit: string,
  lastLoaded: string | undefined | { unknown: string },
  verify: Partial<Verify> = {},
  maxBytes?: number,
) {
  const source = new GitSource({
    address: `git://${proxy.address}/library.git`,
    ref: commits[commit],
    subfolder: 'library',
    maxBytes,
    verify: { format: 'ssh', signers, ...verify },
  });
  const last = typeof lastLoaded === 'string' ? { revision: commits[lastLoaded]! } : lastLoaded;
  return source.read(
    () => () => true,
    undefined,
    undefined,
    async () => last,
  );
}

const isAncestor = async (commit: string, ancestor: string): Promise<boolean> =>
  repository.inWorkTree('merge-base', '--is-ancestor', commits[ancestor]!, commits[commit]!).then(
    () => true,
    () => false,
  );

/** Each read starts a dozen processes of git. */
const PAIRS = [
  ['last', 'first'],
  ['first', 'last'],
  ['merge', 'side'],
  ['side', 'middle'],
  ['last', 'unknown'],
] as const;

test.each([
  ['version 2 with filters', {}, PAIRS],
  ['version 2 without filters', { noFilter: true }, PAIRS.slice(0, 3)],
  ['version 0', { onlyV0: true }, PAIRS.slice(0, 3)],
])(
  'in %s, a commit is read if it descends from the last one by git merge-base',
  async (_case, faults, pairs) => {
    Object.assign(server.faults, faults);
    for (const [commit, last] of pairs) {
      const verdict = await read(commit, last).then(
        ({ isOlder }) => !isOlder,
        (error: Error) => error.message,
      );
      const refusal = `commit ${commits[commit]} of http://${proxy.address}/library.git is older, or on a different branch: it does not descend from ${commits[last]}, which was loaded last; load a newer commit, or load this one once with --allow-older (?allow_older=true over HTTP)`;
      expect([commit, last, verdict]).toEqual([commit, last, (await isAncestor(commit, last)) || refusal]);
    }
  },
);

test.each([
  ['does not offer filters', { noFilter: true }],
  ['speaks version 0 only', { onlyV0: true }],
  ['filters files, but not folders', { noTreeFilter: true }],
])(
  'from a server that %s, a history larger than the limit is refused, unless an older commit is allowed',
  async (_case, faults) => {
    Object.assign(server.faults, faults);
    const readLast = async (verify?: Partial<Verify>) => read('last', 'unknown', verify, 1 << 20);
    const refusal = `commit ${commits['last']} of http://${proxy.address}/library.git has too long a history to check (the fetch exceeds the 1 MiB of source.max_pack): it is not known to descend from ${commits['unknown']}, which was loaded last; load a newer commit, or load this one once with --allow-older (?allow_older=true over HTTP)`;
    await expect(readLast()).rejects.toMatchObject({ name: 'UnverifiedSourceError', message: refusal });
    const { warnings } = await readLast({ onlyWarns: true });
    expect(warnings).toMatchObject([{ code: 'unverified', message: `${refusal}; a load refuses it` }]);
    const { isOlder, entries } = await readLast({ allowsOlder: true });
    expect([isOlder, entries.map(({ path }) => path)]).toEqual([true, ['a.yaml']]);
  },
);

test('of the commits between, only the commits are fetched; of a parent or the same commit, nothing', async () => {
  const cost = async (commit: string, last: string | undefined) => {
    const [bytes, requests] = [proxy.bytes, server.requests.length];
    await read(commit, last);
    return { bytes: proxy.bytes - bytes, requests: server.requests.length - requests };
  };
  const plain = await cost('last', undefined);
  expect((await cost('last', 'last')).requests).toBe(plain.requests);
  const far = await cost('last', 'first');
  expect(far.requests).toBe(plain.requests + 1);
  expect(far.bytes - plain.bytes).toBeLessThan(LENGTH * 700);
  expect((await cost('last', 'parent')).requests).toBe(plain.requests);
});

test('a commit is refused if the one loaded last is unknown, unless it is allowed', async () => {
  const last = { unknown: 'zk:record is missing' };
  await expect(read('last', last)).rejects.toThrow(
    `commit ${commits['last']} of http://${proxy.address}/library.git is not known to descend from the one loaded last (zk:record is missing); load it once with --allow-older (?allow_older=true over HTTP)`,
  );
  expect(await read('last', last, { allowsOlder: true })).toMatchObject({ isOlder: true });
});

test('an older commit can be allowed, which is reported, or only cause a warning', async () => {
  expect(await read('first', 'last', { allowsOlder: true })).toMatchObject({
    isOlder: true,
    warnings: [],
    signature: { signed_by: 'owner@example.com' },
  });
  const { warnings, isOlder } = await read('first', 'last', { onlyWarns: true });
  expect(isOlder).toBe(true);
  expect(warnings).toMatchObject([{ severity: 'warning', code: 'unverified' }]);
  expect(warnings?.[0]?.message).toMatch(/ is older, .*; a load refuses it$/);
  await writeFile(keys.path('empty'), '\n');
  await expect(
    read('first', undefined, { onlyWarns: true, signers: keys.path('empty') }),
  ).rejects.toMatchObject({ name: 'SourceConfigurationError' });
});
