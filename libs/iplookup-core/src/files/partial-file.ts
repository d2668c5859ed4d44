import { open } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Name of an incomplete file beside its target, which tells whose it is. */
export function partialPath(target: string, writer: string): string {
  const run = [hostname(), process.pid, writer].join('~');
  return join(dirname(target), `.${basename(target)}.${run}.partial`);
}

/** Without this, a rename may be lost in a power failure. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
