import { randomBytes } from 'node:crypto';
import { open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolders } from '@svc/foundation/files';
import { OutputFileError } from '@svc/iplookup-core';
import { CommanderError } from '../../errors/commander-error.js';

/** Limits of an upload. */
export interface UploadLimits {
  /** Size as sent. */
  readonly maxBytes: number;
  /** Total and idle time in milliseconds. */
  readonly totalMs: number;
  readonly idleMs: number;
  /** Bytes to leave free on the disk. */
  readonly spareBytes: number;
}

export const UPLOAD_LIMITS: UploadLimits = {
  maxBytes: 16 * 2 ** 30,
  totalMs: 6 * 60 * 60 * 1000,
  idleMs: 60 * 1000,
  // For the lookup file and other files.
  spareBytes: 64 * 2 ** 20,
};

/** Bytes between checks of free disk space: an upload need not announce its size. */
const ROOM_CHECK_BYTES = 8 * 2 ** 20;

/** The upload's name in messages, which must not show its folder. */
const INPUT = 'the input sent';

const PREFIX = '.upload-';

/** Age in milliseconds after which a leftover is removed. */
const STALE_MS = UPLOAD_LIMITS.totalMs + 60 * 60 * 1000;

/**
 * Stores a request's body as a file, since archives can only be read from one, and so that slow senders do not block other
 * builds.
 *
 * @param announced Content-Length, if known
 * @returns the file, which the caller removes
 * @throws {CommanderError} if it is too slow or too large
 */
export async function storeUpload(
  folder: string,
  body: Readable,
  announced: number | undefined,
  limits: UploadLimits = UPLOAD_LIMITS,
): Promise<string> {
  if ((announced ?? 0) > limits.maxBytes) throw tooLarge(limits);
  await assertRoom(folder, limits.spareBytes + (announced ?? 0));
  const path = join(folder, PREFIX + randomBytes(9).toString('hex'));
  const content = withRoom(bounded(body, limits), folder, limits);
  try {
    // Open the file first: a stream destroyed while opening it would create the file after its removal.
    const file = await open(path, 'wx', 0o600);
    await pipeline(content, file.createWriteStream());
    return path;
  } catch (error) {
    // An error while cleaning up must not replace the original one, nor name the folder.
    await rm(path, { force: true }).catch(() => undefined);
    throw OutputFileError.from(INPUT, error);
  }
}

/** Removes leftovers of a killed server. */
export async function removeStaleUploads(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > STALE_MS) await rm(path, { force: true });
  }
}

/** Passes chunks on while the disk has space. @throws {CommanderError} */
async function* withRoom(
  chunks: AsyncIterable<Buffer>,
  folder: string,
  limits: UploadLimits,
): AsyncGenerator<Buffer> {
  let unchecked = 0;
  for await (const chunk of chunks) {
    unchecked += chunk.length;
    if (unchecked >= ROOM_CHECK_BYTES) {
      await assertRoom(folder, limits.spareBytes);
      unchecked = 0;
    }
    yield chunk;
  }
}

/** Passes the body on within its limits. The body stays open, so that an error can still be answered. */
async function* bounded(body: Readable, limits: UploadLimits): AsyncGenerator<Buffer> {
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  const deadline = performance.now() + limits.totalMs;
  let size = 0;
  for (;;) {
    const patience = Math.max(0, Math.min(limits.idleMs, deadline - performance.now()));
    const next = await inTime(chunks.next(), patience);
    if (next.done === true) return;
    size += next.value.length;
    if (size > limits.maxBytes) throw tooLarge(limits);
    yield next.value;
  }
}

/** @throws {CommanderError} when `promise` takes longer than `patienceMs` */
async function inTime<T>(promise: Promise<T>, patienceMs: number): Promise<T> {
  const enough = new AbortController();
  const tooSlow = sleep(patienceMs, undefined, { signal: enough.signal }).then(() => {
    throw new CommanderError('input_too_slow', 'The upload was too slow.');
  });
  tooSlow.catch(() => undefined);
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, tooSlow]);
  } finally {
    enough.abort();
  }
}

function tooLarge({ maxBytes }: UploadLimits): CommanderError {
  return new CommanderError('input_too_large', `The input is larger than ${maxBytes} bytes.`);
}

/**
 * Creates the lookup folder if needed, and checks free disk space.
 *
 * @param bytes that must be free
 * @throws {CommanderError} if there is less
 * @throws {OutputFileError} if the folder cannot be created
 */
async function assertRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await diskOf(folder);
  if (bavail * bsize >= bytes) return;
  throw new CommanderError('disk_full', 'The disk with the lookup folder is almost full.');
}

async function diskOf(folder: string) {
  try {
    await makeFolders(folder);
    return await statfs(folder);
  } catch (error) {
    throw OutputFileError.from('the folder of lookups', error);
  }
}
