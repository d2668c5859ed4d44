import { open, rename } from 'node:fs/promises';

export interface FlushedFile {
  readonly data: string | Uint8Array;
  /** A new file on the same file system, which is renamed. */
  readonly draft: string;
  readonly mode: number;
}

/** Writes a file atomically and synced to disk: whatever happens, `target` has its former content or all of the new one. */
export async function writeFlushed(target: string, { data, draft, mode }: FlushedFile): Promise<void> {
  const file = await open(draft, 'wx', mode);
  try {
    await file.writeFile(data);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(draft, target);
}
