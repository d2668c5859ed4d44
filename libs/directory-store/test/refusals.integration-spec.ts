import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LibraryLockedError, readStatus, type StoredNode } from '@svc/library-sync';
import { DirectoryLibraryStore, pullLibrary, PullRefusedError } from '../src/index.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-directory-'));
});

afterEach(async () => rm(folder, { recursive: true }));

const node = (path: string, kind: StoredNode['kind'] = 'file'): StoredNode => ({
  area: 'library',
  path,
  data: Buffer.from('x'),
  version: 0,
  kind,
  hidesOthers: false,
});
const holder = { id: 'one', by: 'a test', since: 'now' };

test('pull reports every reason at once, and writes nothing', async () => {
  await writeFile(join(folder, 'there.yaml'), '');
  await symlink('/nowhere', join(folder, 'link.yaml'));
  const nodes = [
    node('both', 'both'),
    node('../out.yaml'),
    node('a//b.yaml'),
    node('link.yaml'),
    node('new.yaml'),
  ];
  await expect(pullLibrary(nodes, folder, { overwrite: false })).rejects.toThrow(
    new PullRefusedError(
      [
        `${folder} is not empty; choose another folder, or pass --force to overwrite what is there`,
        'both: has data and children: it cannot be both a file and a folder',
        '../out.yaml: would lead out of the folder',
        'a//b.yaml: would lead out of the folder',
        `link.yaml: is a link in ${folder}; svccmd does not write through links`,
      ].join('\n'),
    ),
  );
  expect((await readdir(folder)).sort()).toEqual(['link.yaml', 'there.yaml']);
  const file = join(folder, 'there.yaml');
  await expect(pullLibrary([node('a.yaml')], file, { overwrite: false })).rejects.toThrow(
    new PullRefusedError(`cannot use ${file} (ENOTDIR)`),
  );
});

test('pull refuses names and paths that a folder cannot hold, before it writes anything', async () => {
  const long = `${'n'.repeat(252)}.csv`;
  const deep = `${'d/'.repeat(2_040)}a.csv`;
  const pulling = pullLibrary([node('a.csv'), node(long), node(deep)], folder, { overwrite: false });
  await expect(pulling).rejects.toThrow(
    new PullRefusedError(
      [
        `${long}: has a name of more than 255 bytes, which a folder cannot hold`,
        `${deep}: has a path that, in ${folder}, is longer than the 4095 bytes of a file's path`,
      ].join('\n'),
    ),
  );
  expect(await readdir(folder)).toEqual([]);
});

test('a library outside the destination is rejected', async () => {
  for (const path of ['/..', '/a/../../b']) {
    await expect(DirectoryLibraryStore.open({ folder, path })).rejects.toThrow(
      new RangeError(`${path} leads out of the folder ${folder}`),
    );
  }
});

test('a place that cannot hold folders is reported instead of hanging', async () => {
  const store = await DirectoryLibraryStore.open({ folder: '/proc/svccmd', path: '/library' });
  await expect(store.lock(holder, 0)).rejects.toMatchObject({
    name: 'StoreUnreachableError',
    message: 'cannot use /proc/svccmd (ENOENT)',
  });
});

test('an unreadable lock is named, and one of a dead process is taken over', async () => {
  const store = await DirectoryLibraryStore.open({ folder, path: '/library' });
  const lock = join(folder, '.svccmd', 'library', 'lock');
  await (await store.lock(holder, 0)).release();
  await expect(stat(lock)).rejects.toThrow('ENOENT');
  for (const text of ['xx', 'null', '{"id":1}']) {
    await writeFile(lock, text);
    await expect(store.lock(holder, 0)).rejects.toMatchObject({
      name: 'UnreadableStateError',
      message: `${lock} is damaged (it has no holder); remove it, and the next load runs as if it had never existed`,
    });
  }
  // Held by a process that does not exist on this host.
  await writeFile(lock, JSON.stringify({ ...holder, host: hostname(), pid: 2 ** 22 + 1 }));
  await (await store.lock({ ...holder, id: 'two' }, 0)).release();
});

/** A library, where its lock was, and what this process wrote there. */
async function releasedLock() {
  const store = await DirectoryLibraryStore.open({ folder, path: '/library' });
  const path = join(folder, '.svccmd', 'library', 'lock');
  const lock = await store.lock(holder, 0);
  const former = JSON.parse(await readFile(path, 'utf8')) as object;
  await lock.release();
  return { store, path, former };
}

test('a lock whose process ended is taken over even if another has its number, as in a container started again', async () => {
  const { store, path, former } = await releasedLock();
  const at = new Date(Date.now() - 120_000);
  await writeFile(path, JSON.stringify({ ...former, started: '1' }));
  await utimes(path, at, at);
  await (await store.lock({ ...holder, id: 'two' }, 0)).release();
  // This process itself is alive, however long it has not touched its lock.
  await writeFile(path, JSON.stringify(former));
  await utimes(path, at, at);
  await expect(store.lock({ ...holder, id: 'three' }, 0)).rejects.toThrow(LibraryLockedError);
});

const PLACES = {
  host: { host: 'another', pid: 1 },
  /** Of this host's name, as with Docker's `network_mode: host`; no process here has the number. */
  container: { host: hostname(), pid: 2 ** 22 + 1, pidNamespace: 'pid:[1]' },
};

test('a lock of another host or container is kept while it is touched, whatever the clock says', async () => {
  /** Tries to lock a library whose lock was touched elsewhere an hour ago, or in an hour, by the clock there. */
  const tryLock = async (place: keyof typeof PLACES, hours: number, isTouched: boolean): Promise<void> => {
    const path = `${place}${hours}${isTouched}`;
    const lock = join(folder, '.svccmd', path, 'lock');
    const touch = async (): Promise<void> => {
      const at = new Date(Date.now() + hours * 3_600_000);
      await utimes(lock, at, at);
    };
    await mkdir(dirname(lock), { recursive: true });
    await writeFile(lock, JSON.stringify({ ...holder, ...PLACES[place] }));
    await touch();
    const beat = isTouched ? setInterval(() => void touch(), 5_000) : undefined;
    const store = await DirectoryLibraryStore.open({ folder, path: `/${path}` });
    const taking = store.lock({ ...holder, id: 'two' }, 0).finally(() => clearInterval(beat));
    await (await taking).release();
  };
  const kept = [tryLock('host', -1, true), tryLock('host', 1, true), tryLock('container', -1, true)];
  kept.push(tryLock('container', 0, true));
  const left = [tryLock('host', -1, false), tryLock('container', -1, false)];
  const outcomes = await Promise.allSettled([...kept, ...left]);
  expect(outcomes).toMatchObject([
    ...kept.map(() => ({ reason: expect.any(LibraryLockedError) })),
    ...left.map(() => ({ status: 'fulfilled' })),
  ]);
});

test('the status names a running load, but none whose process has ended or whose lock is no longer touched', async () => {
  const { store, path, former } = await releasedLock();
  const isNamed = async (lock: object, secondsAgo: number): Promise<boolean> => {
    const at = new Date(Date.now() - secondsAgo * 1000);
    await writeFile(path, JSON.stringify(lock));
    await utimes(path, at, at);
    return (await readStatus(store, undefined)).lock !== undefined;
  };
  expect(await isNamed(former, 3_600)).toBe(true);
  expect(await isNamed({ ...former, pid: 2 ** 22 + 1 }, 0)).toBe(false);
  for (const place of Object.values(PLACES)) {
    for (const secondsAgo of [-3_600, -80, 70])
      expect(await isNamed({ ...holder, ...place }, secondsAgo)).toBe(true);
    expect(await isNamed({ ...holder, ...place }, 80)).toBe(false);
  }
  expect(await readFile(path, 'utf8')).toContain(holder.by);
});

test('a lock of this container is taken over as soon as its process has ended', async () => {
  const { store, path, former } = await releasedLock();
  await writeFile(path, JSON.stringify({ ...former, pid: 2 ** 22 + 1 }));
  await (await store.lock({ ...holder, id: 'two' }, 0)).release();
});

test('a load leaves the lock and the records of other libraries alone, whatever their names', async () => {
  const other = await DirectoryLibraryStore.open({ folder, path: '/library.drafts' });
  await other.lock(holder, 0);
  const store = await DirectoryLibraryStore.open({ folder, path: '/library' });
  await store.prepare(await store.lock(holder, 0));
  await expect(other.lock({ ...holder, id: 'two' }, 0)).rejects.toThrow(LibraryLockedError);
});

test('missing parents of the destination are created', async () => {
  const store = await DirectoryLibraryStore.open({ folder: join(folder, 'a', 'b'), path: '/library' });
  const lock = await store.lock(holder, 0);
  await mkdir(join(folder, 'a', 'b', 'library'));
  await store.prepare(lock);
  await lock.release();
  expect(await readdir(join(folder, 'a', 'b'))).toEqual(['.svccmd', 'library']);
});
