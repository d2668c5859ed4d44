import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and what is missing above it. Node's own `recursive` never comes back where a folder that exists takes
 * none below it, such as `/proc`.
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
