import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { makeFolders } from '@svc/foundation/files';
import { errorCode, OutputFileError } from './file.errors.js';
import { releaseLocks, temporaryWriter } from './lookup-lock.js';
import { flushFolder, partialPath } from './partial-file.js';

/**
 * Age in milliseconds after which another host's leftover is removed, since its process cannot be checked: no run
 * takes this long.
 */
const STALE_MS = 60 * 60 * 1000;

/** What is written is flushed in such parts, which takes less time at the end. */
const FLUSH_BYTES = 16 << 20;

/** Options for writing a file. */
export interface WriteOptions {
  readonly gzip: boolean;
  /** If false, the folder must exist. Default true: it is created. */
  readonly makeFolder?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Marks the incomplete file, see {@link removePartial}. Default: random. */
  readonly writer?: string | undefined;
  /** Called with the complete temporary file before the rename; if it throws, the former file stays. */
  readonly beforeSwap?: ((file: string) => Promise<void>) | undefined;
}

/**
 * Writes a file atomically: to a temporary file next to it, flushed to disk, then renamed. Leaves nothing behind if
 * `content` throws or the signal aborts.
 *
 * @param content whose chunks need only be valid until the next one is requested
 * @returns the size of the file in bytes
 * @throws {OutputFileError} if it cannot be written; also whatever `content` throws
 */
export async function writeFileAtomically(
  path: string,
  content: AsyncIterable<Uint8Array>,
  { gzip, signal, makeFolder = true, writer = randomBytes(6).toString('hex'), beforeSwap }: WriteOptions,
): Promise<number> {
  const folder = dirname(path);
  const partial = partialPath(path, writer);
  try {
    if (makeFolder) await makeFolders(folder);
    await removeStale(folder, basename(path));
    const size = await write(partial, content, gzip, signal);
    signal?.throwIfAborted();
    await beforeSwap?.(partial);
    signal?.throwIfAborted();
    await rename(partial, path);
    await flushFolder(folder);
    return size;
  } catch (error) {
    // An error while cleaning up must not replace the original one.
    await rm(partial, { force: true }).catch(() => undefined);
    throw OutputFileError.from(path, error);
  }
}

async function write(
  path: string,
  content: AsyncIterable<Uint8Array>,
  gzip: boolean,
  signal: AbortSignal | undefined,
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
    // Opened on the first chunk, so that a failure before leaves nothing behind.
    let file: FileHandle | undefined;
    // The next chunk is made meanwhile.
    let pending: Promise<void> | undefined;
    const buffers: Buffer[] = [];
    let flushing: Promise<void> | undefined;
    let flushed = 0;
    try {
      for await (const chunk of chunks) {
        file ??= await noted(open(path, 'wx', 0o644));
        const copy = copyInto(buffers, chunk);
        await pending;
        pending = noted(writeAll(file, copy));
        pending.catch(() => undefined);
        size += chunk.length;
        if (size - flushed < FLUSH_BYTES) continue;
        flushed = size;
        await flushing;
        flushing = noted(file.datasync());
        flushing.catch(() => undefined);
      }
      await pending;
      await flushing;
      if (file !== undefined) await noted(file.sync());
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

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
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

/** Removes the partial files of a terminated writer, and its locks. */
export async function removePartial(folder: string, writer: string): Promise<void> {
  const endings = [writer, temporaryWriter(writer)].map((each) =>
    [hostname(), process.pid, `${each}.partial`].join('~'),
  );
  const files = (await readdir(folder)).filter((file) =>
    endings.some((ending) => file.endsWith(`.${ending}`)),
  );
  await Promise.all(files.map((file) => rm(join(folder, file), { force: true })));
  await releaseLocks(folder, writer);
}

/** Removes partial files that killed runs left for the same target. */
export async function removeStale(folder: string, name: string): Promise<void> {
  for (const file of await readdir(folder)) {
    if (!file.startsWith(`.${name}.`) || !file.endsWith('.partial')) continue;
    const path = join(folder, file);
    const [host, pid] = file.slice(name.length + 2).split('~');
    const ended = host === hostname() && !runs(Number(pid));
    if (ended || (await isOld(path))) await rm(path, { force: true });
  }
}

/** True if a process with this id exists. */
function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

async function isOld(path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs > STALE_MS;
}
