import type { LibraryStore } from '@svc/library-sync';
import { LIBRARY_STORE_FACTS } from '@svc/library-sync/testing';
import { startZookeeper, type ZookeeperServer } from '@svc/test-servers';
import { ZookeeperLibraryStore } from '../src/index.js';

let server: ZookeeperServer;
let counter = 0;
const opened: LibraryStore[] = [];

beforeAll(async () => {
  server = await startZookeeper();
}, 60_000);

afterAll(async () => server.stop());

afterEach(async () => {
  await Promise.all(opened.splice(0).map(async (store) => store.close()));
});

test.each(LIBRARY_STORE_FACTS)('$name', async ({ check }) => {
  const path = `/facts/${(counter += 1)}`;
  await check(async () => {
    const store = await ZookeeperLibraryStore.open({ addresses: server.address, path, timeoutMs: 10_000 });
    opened.push(store);
    return store;
  });
});
