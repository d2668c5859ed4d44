import { CAPABILITIES, type MadeUpRepository, type PackServer, startPackServer } from '@svc/test-servers';
import { entry, oidOf, pack, treeBomb } from '@svc/test-servers/git-pack';
import { GitSource, type GitSourceOptions } from '../src/index.js';

let server: PackServer;
let url: string;

beforeAll(async () => {
  server = await startPackServer();
  url = server.url;
});

afterAll(async () => server.stop());

const commitOf = (tree: Buffer) => Buffer.from(`tree ${oidOf('tree', tree)}\n\none\n`);
const read = async (options: Partial<GitSourceOptions> = {}, signal?: AbortSignal) =>
  new GitSource({ address: url.replace('http:', 'git:'), ...options }).read(() => () => true, signal);
const refusal = (reason: string) => ({
  name: 'SourceUnreachableError',
  message: `cannot read ${url}: ${reason}`,
});

test('a server that can only send the whole history is rejected', async () => {
  const empty = Buffer.alloc(0);
  const commit = commitOf(empty);
  const objects = pack([entry('tree', empty), entry('commit', commit)]);
  const shallow: MadeUpRepository = { commit, pack: objects };
  server.serve(shallow);
  await expect(read()).resolves.toMatchObject({ entries: [], revision: oidOf('commit', commit) });
  server.serve({ ...shallow, capabilities: CAPABILITIES.replace('shallow ', '') });
  await expect(read()).rejects.toMatchObject(refusal('the server cannot leave out the history'));
});

test('a repository that unpacks to over a gibibyte is rejected before it is unpacked', async () => {
  const objects = pack([entry('blob', Buffer.alloc(64), { size: 2 ** 30 + 1 })]);
  server.serve({ commit: commitOf(Buffer.alloc(0)), pack: objects });
  await expect(read()).rejects.toMatchObject(refusal('its objects have more than 1024 MiB'));
});

test('a repository that contains one folder a million times is rejected', async () => {
  const trees = treeBomb(oidOf('blob', Buffer.alloc(0)));
  const commit = commitOf(trees.at(-1)!);
  const objects = [entry('blob', Buffer.alloc(0)), ...trees.map((tree) => entry('tree', tree))];
  server.serve({ commit, pack: pack([...objects, entry('commit', commit)]) });
  await expect(read()).rejects.toMatchObject(refusal('it has more than 1000000 entries'));
});

test('a repository of over a million objects is rejected before they are unpacked', async () => {
  const objects = pack([entry('blob', Buffer.alloc(0))], 1_000_001);
  server.serve({ commit: commitOf(Buffer.alloc(0)), pack: objects });
  await expect(read()).rejects.toMatchObject(refusal('it has 1000001 objects, more than 1000000'));
});

test('the deadline and an abort take effect while objects are unpacked', async () => {
  const objects = pack(Array.from({ length: 400_000 }, () => EMPTY_BLOB));
  server.serve({ commit: commitOf(Buffer.alloc(0)), pack: objects });
  await expect(read({ deadlineMs: 500 })).rejects.toMatchObject({
    name: 'SourceUnreachableError',
    message: `${url} took longer than 0.5 s`,
  });
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 500);
  await expect(read({}, abort.signal)).rejects.toMatchObject({ name: 'AbortError' });
});

const EMPTY_BLOB = entry('blob', Buffer.alloc(0));
