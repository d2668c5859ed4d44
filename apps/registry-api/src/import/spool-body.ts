import { randomBytes } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { bodyTooLarge, noRoomForBody } from './import.errors.js';

/** What the operating system says when a disk, or a share of it, is full. */
const NO_ROOM = new Set<unknown>(['ENOSPC', 'EDQUOT']);

/**
 * Takes a whole body before anything is done with it, so that a slow sender holds neither a transaction nor memory, and
 * so that it can be read again. The file has no name any more when this returns: it is gone with its handle, even when
 * the process is killed.
 *
 * @throws {RegistryError} `body_too_large` when it is longer than `limit` bytes
 * @throws {RegistryError} `disk_full`
 */
export async function spoolBody(body: Readable, limit: number): Promise<FileHandle> {
  const path = join(tmpdir(), `svc-import-${randomBytes(16).toString('hex')}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    let length = 0;
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > limit) throw bodyTooLarge();
      await file.appendFile(chunk);
    }
    return file;
  } catch (error) {
    throwAway(body, limit);
    await file.close();
    throw NO_ROOM.has((error as { code?: unknown }).code) ? noRoomForBody(error) : error;
  }
}

/**
 * Lets the rest of a body that was not taken come: to end its connection at once would keep whoever sends it from reading
 * why. Who sends more than `limit` bytes more does not read.
 */
function throwAway(body: Readable, limit: number): void {
  let length = 0;
  body.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > limit) body.destroy();
  });
}
