import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { OutputFileError } from './output-file.error.js';

/** How old a left-over of a killed run must be before it is removed, in milliseconds: no run writes this long. */
const STALE_MS = 60 * 60 * 1000;

/** How a file is written. */
export interface WriteOptions {
  readonly gzip: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes a file so that its name leads to the former content or to the whole new one at any time: beside its target,
 * flushed to the disk, then renamed. Nothing is left when `content` throws or the signal aborts.
 *
 * @returns the size of the file in bytes
 * @throws {OutputFileError} when it cannot be written; whatever `content` throws
 */
export async function writeFileAtomically(
  path: string,
  content: AsyncIterable<Uint8Array>,
  { gzip, signal }: WriteOptions,
): Promise<number> {
  const folder = dirname(path);
  const partial = join(folder, `.${basename(path)}.${randomBytes(6).toString('hex')}.partial`);
  try {
    await mkdir(folder, { recursive: true });
    await removeStale(folder, basename(path));
    const size = await write(partial, content, gzip, signal);
    signal?.throwIfAborted();
    await rename(partial, path);
    await flushFolder(folder);
    return size;
  } catch (error) {
    await rm(partial, { force: true });
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
  const sink = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    // Opened at the first chunk: while the content is still being made there is nothing to leave behind.
    let file: FileHandle | undefined;
    try {
      for await (const chunk of chunks) {
        file ??= await open(path, 'wx', 0o644);
        for (let done = 0; done < chunk.length;) done += (await file.write(chunk, done)).bytesWritten;
        size += chunk.length;
      }
      await file?.sync();
    } finally {
      await file?.close();
    }
  };
  const options = signal === undefined ? {} : { signal };
  if (gzip) await pipeline(content, createGzip({ chunkSize: 1 << 18 }), sink, options);
  else await pipeline(content, sink, options);
  return size;
}

/** Without this the new name may be lost when the machine stops. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes what killed runs left beside the same target. */
async function removeStale(folder: string, name: string): Promise<void> {
  for (const file of await readdir(folder)) {
    if (!file.startsWith(`.${name}.`) || !file.endsWith('.partial')) continue;
    const path = join(folder, file);
    const age = Date.now() - (await stat(path).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
    if (age > STALE_MS) await rm(path, { force: true });
  }
}
