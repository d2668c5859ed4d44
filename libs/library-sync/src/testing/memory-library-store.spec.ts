import { LIBRARY_STORE_FACTS } from './library-store-facts.js';
import { MemoryCluster, MemoryLibraryStore } from './memory-library-store.js';

test.each(LIBRARY_STORE_FACTS)('$name', async ({ check }) => {
  const cluster = new MemoryCluster();
  const putUnreadable = async (path: string) => {
    cluster.nodes.library.set(path, { data: Buffer.from('theirs'), version: 0 });
    cluster.unreadable.add(path);
  };
  await check(async () => new MemoryLibraryStore(cluster), putUnreadable);
});
