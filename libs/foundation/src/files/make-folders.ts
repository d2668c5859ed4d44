import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents. Node's own `recursive` option hangs below folders that cannot have
 * subfolders, such as `/proc`.
 */
export async function makeFolders(folder: string, mode = 0o777): Promise<void> {
  const make = async (): Promise<unknown> => mkdir(folder, { mode }).catch(ignoreExisting);
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolders(dirname(folder), mode);
    await make();
  });
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
