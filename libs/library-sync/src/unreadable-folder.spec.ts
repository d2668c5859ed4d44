import { BlockedLibraryError } from './ports/library-finding.js';
import { loadLibrary } from './load-library.js';
import { fixedSource, PLAIN_LOAD } from './testing/load-fixtures.js';
import { MemoryCluster, MemoryLibraryStore } from './testing/memory-library-store.js';

const run = { id: 'one', by: 'a test', now: () => new Date(0) };

test('below a folder that has become unreadable, nothing is written or forgotten', async () => {
  const cluster = new MemoryCluster();
  const load = async (files: Record<string, string>) =>
    loadLibrary(fixedSource(files, JSON.stringify(files)), new MemoryLibraryStore(cluster), PLAIN_LOAD, run);
  await load({ 'a/b.yaml': 'x: 1', 'c.txt': '1' });
  cluster.unreadable.add('a');
  const refused = load({ 'a/b.yaml': 'x: 1', 'c.txt': '2' });
  await expect(refused).rejects.toThrow(BlockedLibraryError);
  await expect(refused).rejects.toThrow(/^a\/b\.yaml: error: .* cannot be read \(no permission\)/m);
  expect(await load({ 'c.txt': '3' })).toMatchObject({ updated: 1, deleted: 0, unreadable: ['a'] });
  cluster.unreadable.clear();
  expect(await load({ 'c.txt': '4' })).toMatchObject({ updated: 1, deleted: 2, foreign: [] });
});
