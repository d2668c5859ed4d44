import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LibraryLock, readDrift } from '@svc/library-sync';
import { startTcpProxy, startZookeeper, type TcpProxy, type ZookeeperServer } from '@svc/test-servers';
import { toAcl } from '../src/wire/access-rules.js';
import { ZookeeperLibraryStore, type ZookeeperStoreOptions } from '../src/index.js';
import { acquireLock } from '../src/zookeeper-lock.js';
import { closeAll, connect, createNode, OPEN } from './support/clients.js';
import { loadFiles } from './support/load-files.js';

let zookeeper: ZookeeperServer;
const opened: ZookeeperLibraryStore[] = [];
const proxies: TcpProxy[] = [];

beforeAll(async () => {
  zookeeper = await startZookeeper({ properties: { enforceQuota: 'true' } });
});

afterAll(async () => zookeeper.stop());
afterEach(async () => {
  await Promise.all(opened.splice(0).map(async (store) => store.close()));
  await closeAll();
  await Promise.all(proxies.splice(0).map(async (proxy) => proxy.stop()));
});

async function startProxy(): Promise<TcpProxy> {
  const proxy = await startTcpProxy(zookeeper.address);
  proxies.push(proxy);
  return proxy;
}

async function open(
  path: string,
  options: Partial<ZookeeperStoreOptions> = {},
): Promise<ZookeeperLibraryStore> {
  const store = await ZookeeperLibraryStore.open({
    addresses: zookeeper.address,
    path,
    timeoutMs: 10_000,
    ...options,
  });
  opened.push(store);
  return store;
}

const FILES = new Map([['a.txt', 'x']]);
const MORE = new Map([...FILES, ['b.txt', 'y']]);
const holder = () => ({ id: randomUUID(), by: 'a test', since: 'now' });
const NO_AUTH = 'NO_AUTH (no permission; set destination.auth to a user who has it)';

test('the ACL of one library keeps others out of it, not out of their own', async () => {
  const one = { auth: 'one:secret', acl: 'auth' } as const;
  expect(await loadFiles(await open('/rights/one', one), FILES)).toMatchObject({ created: 1 });
  // A second library by another user; a third that everyone may read.
  expect(await loadFiles(await open('/rights/two'), FILES)).toMatchObject({ created: 1 });
  const three = { auth: 'three:secret', acl: 'read' } as const;
  expect(await loadFiles(await open('/rights/three', three), FILES)).toMatchObject({ created: 1 });

  const lockAt = (name: string) => `/svccmd/libraries/rights%2F${name}/lock`;
  for (const name of ['one', 'three']) {
    await expect(loadFiles(await open(`/rights/${name}`), MORE)).rejects.toMatchObject({
      name: 'StoreRefusedError',
      message: `ZooKeeper refused to create ${lockAt(name)}: ${NO_AUTH}`,
    });
  }
  const reader = await open('/rights/one');
  await expect(reader.readTree(() => undefined)).rejects.toThrow(
    `ZooKeeper refused to getChildren /rights/one: ${NO_AUTH}`,
  );
  const seen: string[] = [];
  await (await open('/rights/three')).readTree(({ path }) => seen.push(path));
  expect(seen).toEqual(['a.txt']);
  expect(await loadFiles(await open('/rights/one', one), MORE)).toMatchObject({ created: 1, version: '3' });
});

test('nodes owned by another user stop a load, with an error that retrying does not help', async () => {
  const store = await open('/theirs');
  await loadFiles(store, FILES);
  const other = await connect(zookeeper.address, { auth: 'other:secret' });
  await other.multi([
    { type: 'remove', path: '/theirs/a.txt', version: -1 },
    { type: 'remove', path: '/theirs/.version.yaml', version: -1 },
    { type: 'remove', path: '/theirs', version: -1 },
    { type: 'create', path: '/theirs', data: Buffer.alloc(0), acl: toAcl('read') },
  ]);
  await expect(loadFiles(store, FILES)).rejects.toThrow(
    new RegExp(
      `^the load stopped after 0 of 1 changes: ZooKeeper refused to create /theirs/\\S+: ${NO_AUTH.replace(/[()]/g, '\\$&')}$`,
    ),
  );
});

test('an unreadable node among readable ones is reported, and kept with everything below it', async () => {
  const store = await open('/partly');
  await loadFiles(store, FILES);
  const other = await connect(zookeeper.address, { auth: 'other:secret' });
  const [data, acl] = [Buffer.from('theirs'), toAcl('auth')];
  for (const path of ['/partly/c.txt', '/partly/d', '/partly/d/e.txt']) {
    await other.multi([{ type: 'create', path, data, acl }]);
  }
  expect(await loadFiles(store, MORE)).toMatchObject({
    created: 1,
    foreign: ['c.txt', 'd'],
    unreadable: ['c.txt', 'd'],
  });
  // A leaf can be removed unread; what lies below the other node is unknown.
  expect(await loadFiles(store, MORE, { prune: 'all' })).toMatchObject({
    deleted: 1,
    kept: ['d'],
    unreadable: ['d'],
  });
  expect(await other.getData('/partly/d/e.txt')).toMatchObject({ data });
});

test('a loaded node replaced by an unreadable one is drift, and stops only a load that must write it', async () => {
  const store = await open('/replaced');
  await loadFiles(store, MORE);
  const other = await connect(zookeeper.address, { auth: 'other:secret' });
  await other.multi([
    { type: 'remove', path: '/replaced/b.txt', version: -1 },
    { type: 'create', path: '/replaced/b.txt', data: Buffer.from('theirs'), acl: toAcl('auth') },
  ]);
  expect(await readDrift(store)).toEqual([{ path: 'b.txt', change: 'unreadable' }]);
  await expect(loadFiles(store, MORE)).rejects.toThrow(/^b\.txt: error: .*cannot be read \(no permission\)/m);
  await expect(loadFiles(store, MORE, { dryRun: true })).rejects.toThrow(/^b\.txt: error: /m);
  for (let round = 0; round < 2; round += 1) {
    expect(await loadFiles(store, FILES)).toMatchObject({
      kept: ['b.txt'],
      unreadable: ['b.txt'],
      deleted: 0,
    });
  }
});

test.each([
  ['digest', undefined, { 'enforce.auth.enabled': 'true', 'enforce.auth.schemes': 'digest' }],
  ['SASL', 'user:secret', { sessionRequireClientSASLAuth: 'true' }],
])('a cluster that requires %s is reported with what to set', async (_scheme, auth, required) => {
  const sasl = { 'authProvider.sasl': 'org.apache.zookeeper.server.auth.SASLAuthenticationProvider' };
  const strict = await startZookeeper({ properties: { ...sasl, ...required } });
  try {
    const store = await open('/library', { addresses: strict.address, auth });
    await expect(loadFiles(store, FILES)).rejects.toMatchObject({
      name: 'StoreRefusedError',
      message: expect.stringMatching(
        /^ZooKeeper refused to .* requires authentication; set destination.auth/,
      ),
    });
  } finally {
    await strict.stop();
  }
});

test('a library over its quota is rejected with that reason', async () => {
  const store = await open('/limited');
  await loadFiles(store, FILES);
  const client = await connect(zookeeper.address);
  const quota = '/zookeeper/quota/limited';
  await client.makePath(quota, OPEN);
  await createNode(
    client,
    `${quota}/zookeeper_limits`,
    'count=-1,bytes=-1;byteHardLimit=-1;countHardLimit=3',
  );
  await createNode(client, `${quota}/zookeeper_stats`, 'count=3,bytes=2');
  await expect(loadFiles(store, MORE)).rejects.toThrow(
    'the load stopped after 0 of 1 changes: ZooKeeper refused to create /limited/b.txt: QUOTA_EXCEEDED (raise the quota or make the library smaller)',
  );
});

test('contradictory options are rejected before connecting', async () => {
  const addresses = '127.0.0.1:1';
  const refusals = [
    [{ acl: 'auth' }, 'acl "auth" gives rights to authenticated users: it needs auth'],
    [{ acl: 'read' }, 'acl "read" gives rights to authenticated users: it needs auth'],
    [{ auth: 'nopassword' }, /^auth must be user:password$/],
    [{ auth: ':nobody' }, /^auth must be user:password$/],
    [{ auth: 'empty:' }, /^auth must be user:password$/],
    [{ addresses: `${addresses}/svccmd`, path: '/libraries' }, /^\/svccmd\/libraries cannot hold a library/],
  ] as const;
  for (const [options, message] of refusals) {
    await expect(open('/library', { addresses, ...options })).rejects.toThrow(message);
  }
});

test('a missing chroot is rejected, or created by the first load if allowed', async () => {
  const addresses = `${zookeeper.address}/tenants/one`;
  const isThere = async () => (await (await watcher()).getData('/tenants')) !== undefined;
  await expect(open('/library', { addresses })).rejects.toMatchObject({
    name: 'StoreRefusedError',
    message:
      'the chroot /tenants/one of destination.urls does not exist in ZooKeeper; correct it, or create it with --create-chroot',
  });
  const store = await open('/library', { addresses, createChroot: true });
  await store.readTree(() => undefined);
  expect(await isThere()).toBe(false);
  expect(await loadFiles(store, FILES)).toMatchObject({ created: 1 });
  const again = await open('/library', { addresses });
  expect(await loadFiles(again, FILES)).toMatchObject({ changed: false });
});

test('an ACL for authenticated users requires authentication', async () => {
  const client = await connect(zookeeper.address);
  const creating = client.multi([
    { type: 'create', path: '/nobody', data: Buffer.alloc(0), acl: toAcl('auth') },
  ]);
  await expect(creating).rejects.toThrow(/^create \/nobody: INVALID_ACL$/);
});

test('a server without digest authentication rejects it', async () => {
  const own = await startZookeeper({ properties: { 'DigestAuthenticationProvider.enabled': 'false' } });
  try {
    const use = async () =>
      (await open('/library', { addresses: own.address, auth: 'one:secret' })).readTree(() => {});
    await expect(use()).rejects.toMatchObject({
      name: 'StoreUnreachableError',
      message: `ZooKeeper at ${own.address} rejected the credentials; see destination.auth`,
    });
  } finally {
    await own.stop();
  }
});

test('a server that falls silent is distinguished from an unreachable one', async () => {
  const proxy = await startProxy();
  const store = await open('/silent', {
    addresses: proxy.address,
    timeoutMs: 2_500,
    sessionTimeoutMs: 1_500,
  });
  proxy.stall();
  await expect(store.read('library', ['a.txt'])).rejects.toThrow(
    new RegExp(
      `^ZooKeeper at ${proxy.address} cannot be reached \\(${proxy.address}: (the server was silent for \\d+ ms|no session within \\d+ ms .+)\\)$`,
    ),
  );
});

const watcher = async () => connect(zookeeper.address);

/** Three batches, in name order. */
const MANY = new Map(Array.from({ length: 250 }, (_, index) => [`${index + 100}.txt`, `${index}`]));

/** Runs a load and calls `act` before the second of its three batches. */
async function disturb(path: string, act: () => Promise<void>): Promise<unknown> {
  const store = await open(path);
  const apply = store.apply.bind(store);
  let batches = 0;
  store.apply = async (batch, lock) => {
    if ((batches += 1) === 4) await act();
    return apply(batch, lock);
  };
  return loadFiles(store, MANY).catch((error: Error) => error.message);
}

test('losing the lock stops a running load', async () => {
  const outcome = await disturb('/lost', async () => {
    const client = await watcher();
    const names = (await client.getChildren('/svccmd/libraries/lost/holders'))!;
    await client.multi([{ type: 'remove', path: `/svccmd/libraries/lost/holders/${names[0]}`, version: -1 }]);
  });
  expect(outcome).toMatch(
    /^the load stopped after \d+ of 250 changes: the lock was lost \(the lock's node is gone\); run the load again to complete it$/,
  );
});

test('a running load stops if someone removes its lock and another load takes it, whose lock it leaves alone', async () => {
  const state = '/svccmd/libraries/taken';
  const next = holder();
  const outcome = await disturb('/taken', async () => {
    await (await watcher()).multi([{ type: 'remove', path: `${state}/lock`, version: -1 }]);
    await (await open('/taken')).lock(next, 0);
  });
  expect(outcome).toMatch(
    /^the load stopped after \d+ of 250 changes: the lock was lost \(the lock's node is gone\); run the load again to complete it$/,
  );
  const lock = await (await watcher()).getData(`${state}/lock`);
  expect(JSON.parse(lock!.data.toString())).toEqual(next);
});

test('a node created by another client stops a running load', async () => {
  const outcome = await disturb('/raced', async () =>
    createNode(await watcher(), '/raced/250.txt', 'theirs'),
  );
  expect(outcome).toMatch(
    /^the load stopped after \d+ of 250 changes: 250\.txt already exists: another client changed it during the load; run the load again to complete it$/,
  );
});

test('a lock released between the rejection and reading its holder is acquired', async () => {
  const client = await watcher();
  const state = '/svccmd/libraries/vanishing';
  const first = await acquireLock(client, state, OPEN, { holder: holder(), waitMs: 0 });
  const slow = Object.create(client) as typeof client;
  slow.getData = async (path) => {
    if (path === `${state}/lock`) await first.release();
    return client.getData(path);
  };
  const second: LibraryLock = await acquireLock(slow, state, OPEN, { holder: holder(), waitMs: 0 });
  await second.release();
});

test('a lock is released at once even if the connection is lost at that moment', async () => {
  const proxy = await startProxy();
  const store = await open('/released', { addresses: proxy.address, sessionTimeoutMs: 20_000 });
  const lock = await store.lock(holder(), 0);
  proxy.cut();
  await sleep(50);
  await lock.release();
  expect(await (await watcher()).getData('/svccmd/libraries/released/lock')).toBeUndefined();
});
