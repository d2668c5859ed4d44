import type { Readable, Transform } from 'node:stream';

/** Fewer, larger chunks than zlib's: each takes its turn in a thread. */
export const UNPACKED_CHUNK = { chunkSize: 1 << 20 };

/**
 * Decompresses a stream.
 *
 * @param unpacker made by `node:zlib`, with {@link UNPACKED_CHUNK}
 * @throws whatever either of them fails with, on iteration
 */
export async function* decompress(packed: Readable, unpacker: Transform): AsyncGenerator<Uint8Array> {
  packed.on('error', (error) => unpacker.destroy(error));
  try {
    for await (const chunk of packed.pipe(unpacker)) yield chunk as Uint8Array;
  } finally {
    packed.destroy();
  }
}
