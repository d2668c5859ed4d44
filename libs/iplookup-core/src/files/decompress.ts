import type { Transform } from 'node:stream';
import { MessageChannel, type MessagePort } from 'node:worker_threads';

/** Fewer, larger chunks than zlib's: each takes its turn in a thread. */
export const UNPACKED_CHUNK = { chunkSize: 1 << 20 };

/**
 * Decompresses bytes given in chunks, each of which may be overwritten when the next one is requested; the same is true of
 * the result.
 *
 * @param unpacker made by `node:zlib`, with {@link UNPACKED_CHUNK}
 * @throws whatever either of them fails with, on iteration
 */
export async function* decompress(
  packed: AsyncIterable<Uint8Array>,
  unpacker: Transform,
): AsyncGenerator<Uint8Array> {
  const chunks = packed[Symbol.asyncIterator]();
  const closed = closedPort();
  feed(chunks, unpacker);
  try {
    for await (const chunk of unpacker) {
      yield chunk as Uint8Array;
      free(chunk as Uint8Array, closed);
    }
  } finally {
    // Not awaited: while a read of a silent standard input is pending, it does not settle.
    void chunks.return?.().catch(() => undefined);
  }
}

/** Passes each chunk on when the one before is decompressed. */
function feed(chunks: AsyncIterator<Uint8Array>, unpacker: Transform): void {
  const pass = (next: IteratorResult<Uint8Array>): void => {
    if (next.done === true) unpacker.end();
    else unpacker.write(next.value, (error) => error ?? feed(chunks, unpacker));
  };
  chunks.next().then(pass, (error: Error) => unpacker.destroy(error));
}

/** Frees a chunk's memory for the next one: the system must clear memory that is new to a process. */
function free({ buffer, byteOffset, byteLength }: Uint8Array, closed: MessagePort): void {
  // zlib goes on filling a buffer that is not full.
  if (byteOffset + byteLength === buffer.byteLength) closed.postMessage(undefined, [buffer as ArrayBuffer]);
}

/** What is transferred to it is freed at once. */
function closedPort(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  return port1;
}
