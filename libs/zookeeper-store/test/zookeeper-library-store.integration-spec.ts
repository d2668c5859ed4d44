import type { LibraryStore } from '@svc/library-sync';
import { LIBRARY_STORE_FACTS } from '@svc/library-sync/testing';
import { startZookeeper, type ZookeeperServer } from '@svc/test-servers';
import { ZookeeperLibraryStore } from '../src/index.js';
import { toAcl } from '../src/wire/access-rules.js';
import { closeAll, connect } from './support/clients.js';
import { type OlderServer, startOlderServer } from './support/older-server.js';

let server: ZookeeperServer;
let older: OlderServer;
let counter = 0;
const opened: LibraryStore[] = [];

beforeAll(async () => {
  server = await startZookeeper();
  older = await startOlderServer(server.address);
});

afterAll(async () => {
  await older.stop();
  await server.stop();
});

afterEach(async () => {
  await Promise.all([...opened.splice(0).map(async (store) => store.close()), closeAll()]);
});

function openAt(address: () => string): () => Promise<LibraryStore> {
  const path = `/facts/${(counter += 1)}`;
  return async () => {
    const store = await ZookeeperLibraryStore.open({ addresses: address(), path, timeoutMs: 10_000 });
    opened.push(store);
    return store;
  };
}

/** Acts on the library opened last. */
async function putUnreadable(path: string): Promise<void> {
  const others = await connect(server.address, { auth: 'others:secret' });
  const node = { path: `/facts/${counter}/${path}`, data: Buffer.from('theirs'), acl: toAcl('auth') };
  await others.multi([{ type: 'create', ...node }]);
}

test.each(LIBRARY_STORE_FACTS)('$name', async ({ check }) => {
  await check(
    openAt(() => server.address),
    putUnreadable,
  );
});

test.each(LIBRARY_STORE_FACTS)('on a server without multi-reads: $name', async ({ check }) => {
  await check(
    openAt(() => older.address),
    putUnreadable,
  );
});

test('nodes that vanish with their session are temporary', async () => {
  const store = await openAt(() => server.address)();
  const client = await connect(server.address);
  const node = { type: 'create', data: Buffer.from('x'), acl: toAcl('open') } as const;
  const root = `/facts/${counter}`;
  await client.makePath(root, node.acl);
  await client.multi([
    { ...node, path: `${root}/a`, ephemeral: true },
    { ...node, path: `${root}/b` },
  ]);
  const found: string[] = [];
  await store.readTree(({ path, isTemporary }) => {
    if (isTemporary) found.push(path);
  });
  expect(found).toEqual(['a']);
});

test('nothing is written over a connection on which a server has rejected a multi-read', async () => {
  const late = await startOlderServer(server.address, true);
  try {
    const store = await openAt(() => late.address)();
    const lock = await store.lock({ id: 'loader', by: 'a test', since: 'now' }, 0);
    await store.prepare(lock);
    await store.readTree(() => undefined);
    await store.apply(
      [{ type: 'create', area: 'library', kind: 'file', path: 'a.yaml', data: Buffer.from('a: 1') }],
      lock,
    );
    expect([...(await store.read('library', ['a.yaml'])).keys()]).toEqual(['a.yaml']);
  } finally {
    await late.stop();
  }
});

test('a server without multi-reads costs one connection, however much there is to read', async () => {
  const open = openAt(() => older.address);
  const store = await open();
  const lock = await store.lock({ id: 'loader', by: 'a test', since: 'now' }, 0);
  await store.prepare(lock);
  const paths = Array.from({ length: 200 }, (_, index) => `${index}.yaml`);
  const data = Buffer.from('a: 1');
  await store.apply(
    paths.map((path) => ({ type: 'create', area: 'library', kind: 'file', path, data })),
    lock,
  );
  const before = older.connections;
  const reader = await open();
  const found: string[] = [];
  await reader.readTree(({ path }) => found.push(path));
  expect(found.sort()).toEqual(paths.sort());
  // The first connection, and the one after the rejected multi-read.
  expect(older.connections - before).toBe(2);
});

test.each([
  ['many nodes at once', () => server.address],
  ['one node at once', () => older.address],
])('each node is read with its own data, %s', async (_, address) => {
  const open = openAt(address);
  const store = await open();
  const lock = await store.lock({ id: 'loader', by: 'a test', since: 'now' }, 0);
  await store.prepare(lock);
  // Names of children are read between a node's data and its use.
  const paths = Array.from({ length: 150 }, (_, index) => [`${index}`, `${index}/child`]).flat();
  for (let start = 0; start < paths.length; start += 30) {
    await store.apply(paths.slice(start, start + 30).map(withLongData), lock);
  }
  const found = new Map<string, string>();
  await (await open()).readTree(({ path, data }) => found.set(path, Buffer.from(data).toString()));
  expect([...found].filter(([path, text]) => text !== longData(path))).toEqual([]);
  expect(found.size).toBe(paths.length);
});

const longData = (path: string): string => path.padEnd(20_000, '.');

const withLongData = (path: string) =>
  ({ type: 'create', area: 'library', kind: 'file', path, data: Buffer.from(longData(path)) }) as const;
