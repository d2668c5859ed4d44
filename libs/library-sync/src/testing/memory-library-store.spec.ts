import { LIBRARY_STORE_FACTS } from './library-store-facts.js';
import { MemoryCluster, MemoryLibraryStore } from './memory-library-store.js';

test.each(LIBRARY_STORE_FACTS)('$name', async ({ check }) => {
  const cluster = new MemoryCluster();
  await check(async () => new MemoryLibraryStore(cluster));
});
