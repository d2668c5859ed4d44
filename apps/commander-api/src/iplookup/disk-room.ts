import { mkdir, statfs } from 'node:fs/promises';
import { OutputFileError } from '@svc/iplookup-core';
import { Problem } from '@svc/service-kit';

/**
 * Makes the folder of lookups, where it is not there, and sees to it that its disk has room.
 *
 * @param bytes that must be free
 * @throws {Problem} 507 when there is less
 * @throws {OutputFileError} when the folder cannot be made
 */
export async function assertRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await diskOf(folder);
  if (bavail * bsize >= bytes) return;
  throw new Problem({ status: 507, detail: 'The disk of the lookup folder has too little room left.' });
}

async function diskOf(folder: string) {
  try {
    await mkdir(folder, { recursive: true });
    return await statfs(folder);
  } catch (error) {
    throw OutputFileError.from('the folder of lookups', error);
  }
}
