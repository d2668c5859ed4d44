import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LibraryLock, LockHolder } from '@svc/library-sync';
import { MemoryLibraryStore } from '@svc/library-sync/testing';
import { Announcer } from './announcer.js';

const root = mkdtempSync(join(tmpdir(), 'announcer-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Whatever a test does once the lock is asked for. */
class Store extends MemoryLibraryStore {
  beforeLock = (): void => undefined;

  override async lock(holder: LockHolder, waitMs: number): Promise<LibraryLock> {
    this.beforeLock();
    return super.lock(holder, waitMs);
  }
}

let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'lookups-'));
  store = new Store();
});

const write = (name: string, content = name) => writeFileSync(join(folder, `${name}.mmdb`), content);
const run = async () => new Announcer(store, folder, undefined, new AbortController().signal).run();
const announced = () => [...store.cluster.nodes.library.keys()].filter(Boolean).sort();

test('a folder that has gone withdraws nothing, an empty one everything', async () => {
  write('geo');
  await run();
  rmSync(folder, { recursive: true });
  await expect(run()).rejects.toThrow(`${folder} does not exist, although its lookups are announced`);
  writeFileSync(folder, 'not a folder');
  await expect(run()).rejects.toThrow(`${folder} cannot be read: ENOTDIR`);
  expect(announced()).toEqual(['geo']);
  rmSync(folder);
  mkdirSync(folder);
  expect(await run()).toEqual({ announced: [], withdrawn: ['geo'] });
  rmSync(folder, { recursive: true });
  expect(await run()).toEqual({ announced: [], withdrawn: [] });
});

test('a lookup that cannot be opened stays announced', async () => {
  write('geo');
  await run();
  rmSync(join(folder, 'geo.mmdb'));
  // Opening a socket fails with ENXIO, also for root.
  const socket = createServer().listen(join(folder, 'geo.mmdb'));
  await new Promise((resolve) => socket.once('listening', resolve));
  await expect(run()).rejects.toThrow('geo.mmdb cannot be read (ENXIO).');
  expect(announced()).toEqual(['geo']);
  await new Promise((resolve) => socket.close(resolve));
});

test('files are read before the lock is taken; what changes until then is left to the next run', async () => {
  for (const name of ['changed', 'deleted', 'same']) write(name);
  store.beforeLock = () => {
    write('changed', 'another content');
    rmSync(join(folder, 'deleted.mmdb'));
  };
  expect(await run()).toEqual({ announced: ['same'], withdrawn: [] });
  store.beforeLock = () => undefined;
  expect(await run()).toEqual({ announced: ['changed'], withdrawn: [] });
  const { data } = store.cluster.nodes.library.get('changed')!;
  expect(JSON.parse(Buffer.from(data).toString())).toMatchObject({
    sha256: createHash('sha256').update('another content').digest('hex'),
  });
});

test('a lookup that another process announces meanwhile stays', async () => {
  write('mine');
  store.beforeLock = () => {
    write('theirs');
    store.beforeLock = () => undefined;
    const { nodes } = store.cluster;
    nodes.library.set('theirs', { data: Buffer.from('{"name":"theirs","version":1}'), version: 0 });
  };
  expect(await run()).toMatchObject({ withdrawn: [] });
  expect(announced()).toEqual(['mine', 'theirs']);
});
