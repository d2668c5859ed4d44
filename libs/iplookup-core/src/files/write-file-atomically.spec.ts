import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { writeFileAtomically } from './write-file-atomically.js';

test.each([false, true])(
  'each chunk is taken before the next one is requested; gzipped: %s',
  async (gzip) => {
    const folder = await mkdtemp(join(tmpdir(), 'atomically-'));
    const content = async function* (): AsyncGenerator<Uint8Array> {
      const chunk = Buffer.alloc(100);
      for (let number = 0; number < 50; number++) yield chunk.fill(number);
    };
    try {
      const path = join(folder, 'file');
      await writeFileAtomically(path, content(), { gzip });
      const written = await readFile(path);
      const expected = Buffer.from(Array.from({ length: 5_000 }, (_, at) => Math.floor(at / 100)));
      expect((gzip ? gunzipSync(written) : written).equals(expected)).toBe(true);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

test('chunks of changing sizes, of which several parts are flushed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atomically-'));
  const sizes = Array.from({ length: 100 }, (_, number) => (number % 4 === 0 ? 1 : number * 10_007));
  const content = async function* (): AsyncGenerator<Uint8Array> {
    const chunk = Buffer.alloc(1 << 20);
    for (const [number, size] of sizes.entries()) yield chunk.subarray(0, size).fill(number + 1);
  };
  try {
    const path = join(folder, 'file');
    const size = await writeFileAtomically(path, content(), { gzip: false });
    const expected = Buffer.concat(sizes.map((size, number) => Buffer.alloc(size, number + 1)));
    expect(size).toBe(expected.length);
    expect(expected.length).toBeGreaterThan(32 << 20);
    expect((await readFile(path)).equals(expected)).toBe(true);
  } finally {
    await rm(folder, { recursive: true });
  }
});
