import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { OutputFileError } from '@svc/iplookup-core';
import { CommanderError } from '../errors/commander-error.js';

/** Bounds of an input that is sent. */
export interface UploadLimits {
  /** Its size as it is sent. */
  readonly maxBytes: number;
  /** How long it may take, and how long nothing may come, in milliseconds. */
  readonly totalMs: number;
  readonly idleMs: number;
  /** Left free on the disk besides an upload, in bytes. */
  readonly spareBytes: number;
}

export const UPLOAD_LIMITS: UploadLimits = {
  maxBytes: 16 * 2 ** 30,
  totalMs: 6 * 60 * 60 * 1000,
  idleMs: 60 * 1000,
  // For the lookup file, and for others.
  spareBytes: 64 * 2 ** 20,
};

/** After how many bytes it is looked again whether the disk has room: an upload need not announce its size. */
const ROOM_CHECK_BYTES = 8 * 2 ** 20;

/** What messages call the file: its folder is none of a caller's business. */
const INPUT = 'the input sent';

const PREFIX = '.upload-';

/** How old a left-over must be before it is removed, in milliseconds. */
const STALE_MS = UPLOAD_LIMITS.totalMs + 60 * 60 * 1000;

/**
 * Stores a request's body as a file, since archives can only be read from one, and so that a slow sender holds up no
 * other build.
 *
 * @param announced Content-Length, where it is known
 * @returns the file, which the caller removes
 * @throws {CommanderError} when it is too slow or too large
 */
export async function receiveUpload(
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
    // Opened first: a stream that is destroyed while it opens its file makes the file after it was removed.
    const file = await open(path, 'wx', 0o600);
    await pipeline(content, file.createWriteStream());
    return path;
  } catch (error) {
    await rm(path, { force: true });
    throw OutputFileError.from(INPUT, error);
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

/** Passes chunks on as long as the disk has room. @throws {CommanderError} when it has not */
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

/** Passes the body on within its bounds. It stays open, so that a refusal can still be answered. */
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
    throw new CommanderError('input_too_slow', 'The input came too slowly.');
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
 * Makes the folder of lookups, where it is not there, and sees to it that its disk has room.
 *
 * @param bytes that must be free
 * @throws {CommanderError} when there is less
 * @throws {OutputFileError} when the folder cannot be made
 */
async function assertRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await diskOf(folder);
  if (bavail * bsize >= bytes) return;
  throw new CommanderError('disk_full', 'The disk of the lookup folder has too little room left.');
}

async function diskOf(folder: string) {
  try {
    await mkdir(folder, { recursive: true });
    return await statfs(folder);
  } catch (error) {
    throw OutputFileError.from('the folder of lookups', error);
  }
}
