import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** What is written is flushed in such parts, which takes less time at the end. */
const FLUSH_BYTES = 16 << 20;

/** What is needed of a `FileHandle`. */
export interface OutputFile {
  write(bytes: Uint8Array, offset: number): Promise<{ readonly bytesWritten: number }>;
  datasync(): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

interface ChunkOptions {
  readonly gzip: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Whether it is flushed to disk. */
  readonly flush: boolean;
}

/**
 * Writes chunks, which need only be valid until the next one is requested.
 *
 * @param openFile called when there is a first chunk, so that a failure before leaves nothing behind
 * @returns the number of bytes written
 */
export async function writeChunks(
  openFile: () => Promise<OutputFile>,
  content: AsyncIterable<Uint8Array>,
  { gzip, signal, flush }: ChunkOptions,
): Promise<number> {
  let size = 0;
  // Keeps the first error: a pipeline may report the abort of another stage instead.
  let failure: unknown;
  const noted = <T>(step: Promise<T>): Promise<T> =>
    step.catch((error: unknown) => {
      failure ??= error;
      throw error;
    });
  const sink = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    let file: OutputFile | undefined;
    // The next chunk is made meanwhile.
    let pending: Promise<void> | undefined;
    const buffers: Buffer[] = [];
    let flushing: Promise<void> | undefined;
    let flushed = 0;
    try {
      for await (const chunk of chunks) {
        file ??= await noted(openFile());
        const copy = copyInto(buffers, chunk);
        await pending;
        pending = noted(writeAll(file, copy));
        pending.catch(() => undefined);
        size += chunk.length;
        if (!flush || size - flushed < FLUSH_BYTES) continue;
        flushed = size;
        await flushing;
        flushing = noted(file.datasync());
        flushing.catch(() => undefined);
      }
      await pending;
      await flushing;
      if (flush && file !== undefined) await noted(file.sync());
    } finally {
      await Promise.allSettled([pending, flushing]);
      await file?.close();
    }
  };
  const options = signal === undefined ? {} : { signal };
  try {
    if (gzip) await pipeline(copies(content), createGzip({ chunkSize: 1 << 18 }), sink, options);
    else await pipeline(content, sink, options);
  } catch (error) {
    throw failure ?? error;
  }
  return size;
}

async function writeAll(file: OutputFile, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += (await file.write(bytes, done)).bytesWritten;
}

/** Copies a chunk into the one of two buffers that was not used for the one before. */
function copyInto(buffers: Buffer[], chunk: Uint8Array): Buffer {
  let buffer = buffers.length < 2 ? undefined : buffers.shift();
  if (buffer === undefined || buffer.length < chunk.length) buffer = Buffer.allocUnsafeSlow(chunk.length);
  buffers.push(buffer);
  buffer.set(chunk);
  return buffer.subarray(0, chunk.length);
}

/** A stream requests chunks before it has used the former ones. */
async function* copies(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) yield Buffer.from(chunk);
}
