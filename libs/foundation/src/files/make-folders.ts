import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents. Node's own `recursive` option hangs below folders that cannot have
 * subfolders, such as `/proc`, and reports a full disk as a missing folder.
 */
export async function makeFolders(folder: string, mode = 0o777): Promise<void> {
  const make = async (): Promise<unknown> =>
    mkdir(folder, { mode }).catch(async (error: NodeJS.ErrnoException) => {
      const isThere = error.code === 'EEXIST' && (await stat(folder)).isDirectory();
      if (!isThere) throw error;
    });
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolders(dirname(folder), mode);
    await make();
  });
}
