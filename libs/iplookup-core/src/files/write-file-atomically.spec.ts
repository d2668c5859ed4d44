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
