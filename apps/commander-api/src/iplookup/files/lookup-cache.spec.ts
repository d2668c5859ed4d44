import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { LookupCache } from './lookup-cache.js';
import { openLookupFile } from './lookup-files.js';

const folder = mkdtempSync(join(tmpdir(), 'lookup-cache-'));
afterAll(() => rmSync(folder, { recursive: true }));
const read = async (cache: LookupCache, name: string) => cache.read(await openLookupFile(folder, name));

test('a gzipped lookup counts by its decompressed size, and the least recently used one is evicted first', async () => {
  for (const name of ['a', 'b', 'c'])
    writeFileSync(join(folder, `${name}.mmdb.gz`), gzipSync('x'.repeat(1000)));
  const cache = new LookupCache(2500);
  const first = await read(cache, 'a');
  expect([first.length, cache.bytes]).toEqual([1000, 1000]);
  await read(cache, 'b');
  expect(await read(cache, 'a')).toBe(first);
  await read(cache, 'c');
  expect(cache.bytes).toBe(2000);
  expect(await read(cache, 'a')).toBe(first);
});

test('a gzipped lookup larger than the whole cache is rejected while it is decompressed', async () => {
  writeFileSync(join(folder, 'bomb.mmdb.gz'), gzipSync('x'.repeat(100_000)));
  const cache = new LookupCache(5000);
  await expect(read(cache, 'bomb')).rejects.toThrow(
    'bomb.mmdb.gz becomes larger than 5000 bytes when it is decompressed',
  );
  expect(cache.bytes).toBe(0);
});

test('a replaced file is read again', async () => {
  const cache = new LookupCache();
  writeFileSync(join(folder, 'n.mmdb'), 'old');
  expect(Buffer.from(await read(cache, 'n')).toString()).toBe('old');
  writeFileSync(join(folder, 'n.mmdb'), 'newer');
  expect(Buffer.from(await read(cache, 'n')).toString()).toBe('newer');
  expect(cache.bytes).toBe(5);
});
