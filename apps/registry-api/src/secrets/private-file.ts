import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolders } from '@svc/foundation/files';

/** Writes a file atomically that only this user can read (mode 0600), replacing an existing one. */
export async function writePrivateFile(path: string, content: string): Promise<void> {
  const draft = await writeDraft(path, content);
  await rename(draft, path);
}

/** Reads a file, which is created with `make()` if it is missing. Of several concurrent processes, one creates it. */
export async function readOrMakePrivateFile(path: string, make: () => string): Promise<string> {
  const present = await readIfThere(path);
  if (present !== undefined) return present;
  const draft = await writeDraft(path, make());
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  return readFile(path, 'utf8');
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeDraft(path: string, content: string): Promise<string> {
  await makeFolders(dirname(path), 0o700);
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}
