import { randomBytes } from 'node:crypto';
import { createEntryFilter, type SourceEntry } from '@svc/library-sync';
import {
  GitRepository,
  startGitServer,
  startTcpProxy,
  type GitServer,
  type TcpProxy,
} from '@svc/test-servers';
import { GitSource, type GitSourceOptions } from '../src/index.js';

/** A repository that is mostly something else: a library of small files beside 6 MB. */
let repository: GitRepository;
let server: GitServer;
let proxy: TcpProxy;
let head: string;

const REFS = 1_000;

beforeAll(async () => {
  repository = await GitRepository.create();
  const assets = Object.fromEntries(
    Array.from({ length: 6 }, (_, file) => [`assets/${file}.bin`, randomBytes(1 << 20)]),
  );
  head = await repository.commit({
    ...assets,
    'library/.libraryignore': '*.md\n',
    'library/a.yaml': 'a: 1\n',
    'library/same.yaml': 'a: 1\n',
    'library/notes.md': 'no\n',
    'library/drafts/b.yaml': 'b: 1\n',
  });
  await repository.inWorkTree('tag', '--annotate', 'v1', '--message', 'one');
  const refs = Array.from({ length: REFS }, (_, n) => `${head}:refs/merge-requests/${n}/head`);
  await repository.inWorkTree('push', '--quiet', 'origin', ...refs);
  await repository.commit({});
  server = await startGitServer({ root: repository.root });
  proxy = await startTcpProxy(server.address);
});

afterAll(async () => {
  await proxy.stop();
  await server.stop();
  await repository.remove();
});

afterEach(() => {
  for (const fault of Object.keys(server.faults)) delete server.faults[fault as keyof typeof server.faults];
});

const source = (options: Partial<GitSourceOptions> = {}) =>
  new GitSource({ address: `git://${proxy.address}/library.git`, ...options });
const read = async (options: Partial<GitSourceOptions> = {}) =>
  source(options).read((ignoreFile) => createEntryFilter(ignoreFile, [...(options.exclude ?? [])], []));
const filesOf = (entries: readonly SourceEntry[]) =>
  entries.flatMap((entry) => (entry.kind === 'file' ? [`${entry.path}: ${entry.data.length}`] : []));
/** Bytes on the wire, both ways, and requests. */
const cost = async (use: () => Promise<unknown>) => {
  const [bytes, requests] = [proxy.bytes, server.requests.length];
  await use();
  return { bytes: proxy.bytes - bytes, requests: server.requests.length - requests };
};

test('a small folder of a large repository is fetched without the rest', async () => {
  const found: string[][] = [];
  const { bytes } = await cost(async () =>
    found.push(filesOf((await read({ subfolder: 'library' })).entries)),
  );
  expect(found).toEqual([['a.yaml: 5', 'same.yaml: 5', 'drafts/b.yaml: 5']]);
  expect(bytes).toBeLessThan(10_000);
});

test('what source.exclude excludes is not fetched', async () => {
  const { bytes } = await cost(async () => {
    const { entries } = await read({ exclude: ['assets/'] });
    expect(filesOf(entries)).toContain('library/notes.md: 3');
  });
  expect(bytes).toBeLessThan(10_000);
});

test('the limit applies to what is fetched, not to what is left out', async () => {
  expect((await read({ subfolder: 'library', maxBytes: 20_000 })).entries).toHaveLength(4);
  await expect(read({ maxBytes: 20_000 })).rejects.toThrow(/^the repository is larger than/);
});

test.each([
  ['speaks version 0 only', { onlyV0: true }],
  ['does not offer filters', { noFilter: true }],
  ['offers filters, and does not serve files by their ids', { onlyAdvertised: true }],
  ['offers filters, and leaves out a file', { omitLast: true }],
])('from a server that %s, a folder is fetched with the whole repository', async (_case, faults) => {
  Object.assign(server.faults, faults);
  const { bytes } = await cost(async () => {
    const { entries } = await read({ subfolder: 'library' });
    expect(filesOf(entries)).toEqual(['a.yaml: 5', 'same.yaml: 5', 'drafts/b.yaml: 5']);
  });
  expect(bytes).toBeGreaterThan(6 << 20);
});

test('one branch or tag is listed, not thousands; after the first check with one small request', async () => {
  for (const ref of [undefined, 'main', 'v1']) {
    const git = source({ ref });
    const first = await cost(async () => git.revision());
    expect(first.requests).toBe(2);
    expect(first.bytes).toBeLessThan(3_000);
    const second = await cost(async () => git.revision());
    expect(second.requests).toBe(1);
    expect(second.bytes).toBeLessThan(1_500);
  }
  expect(await source({ ref: 'v1' }).revision()).toBe(head);
});

test('a server that no longer supports version 2 is read with version 0', async () => {
  const git = source({ ref: 'v1' });
  expect(await git.revision()).toBe(head);
  server.faults.onlyV0 = true;
  expect(await git.revision()).toBe(head);
  const { bytes, requests } = await cost(async () => git.revision());
  expect(requests).toBe(1);
  expect(bytes).toBeGreaterThan(REFS * 50);
});

test.each([
  ['version 2', {}],
  ['version 0', { onlyV0: true }],
])('in %s, a missing branch is reported as such', async (_case, faults) => {
  Object.assign(server.faults, faults);
  await expect(source({ ref: 'mai' }).revision()).rejects.toThrow(/has no branch or tag mai$/);
});
