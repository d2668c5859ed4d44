import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OutputFileError } from '@svc/iplookup-core';
import { Problem } from '@svc/service-kit';

/** The largest input that may be sent, as it is sent. */
export const MAX_UPLOAD_BYTES = 16 * 2 ** 30;

/** Left free on the disk besides an upload: for the lookup file, and for others. */
const SPARE_BYTES = 64 * 2 ** 20;

const PREFIX = '.upload-';

/** How old a left-over must be before it is removed, in milliseconds. */
const STALE_MS = 6 * 60 * 60 * 1000;

/**
 * Stores a request's body as a file, since archives can only be read from one, and so that a slow sender holds up no
 * other build.
 *
 * @param announced Content-Length, where it is known
 * @returns the file, which the caller removes
 * @throws {Problem} 413 or 507 when it is too large
 */
export async function receiveUpload(
  folder: string,
  body: Readable,
  announced: number | undefined,
): Promise<string> {
  if ((announced ?? 0) > MAX_UPLOAD_BYTES) throw tooLarge();
  await mkdir(folder, { recursive: true });
  await assertRoom(folder, announced ?? 0);
  const path = join(folder, PREFIX + randomBytes(9).toString('hex'));
  try {
    await pipeline(body, bounded, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
    return path;
  } catch (error) {
    await rm(path, { force: true });
    throw OutputFileError.from(path, error);
  }
}

/** Removes what a killed server left. */
export async function removeStaleUploads(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > STALE_MS) await rm(path, { force: true });
  }
}

async function assertRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= bytes + SPARE_BYTES) return;
  throw new Problem({
    status: 507,
    detail: 'The disk of the lookup folder has too little room for the input.',
  });
}

async function* bounded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MAX_UPLOAD_BYTES) throw tooLarge();
    yield chunk;
  }
}

function tooLarge(): Problem {
  return new Problem({ status: 413, detail: `The input is larger than ${MAX_UPLOAD_BYTES} bytes.` });
}
