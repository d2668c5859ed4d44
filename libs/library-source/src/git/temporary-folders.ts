import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'svccmd-git-';

/** Folders of this process that are still there. */
const open = new Set<string>();
let listens = false;

/**
 * Runs something with a folder of mode 0700 that is gone afterwards: also when it fails and when the process exits. What a
 * killed process left behind is removed by the next one.
 */
export async function withTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  listen();
  await sweep();
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  open.add(folder);
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    open.delete(folder);
  }
}

/** Signals end the process through `process.exit`, and so pass here. */
function listen(): void {
  if (listens) return;
  listens = true;
  process.on('exit', () => {
    for (const folder of open) rmSync(folder, { recursive: true, force: true });
  });
}

/** The name tells whose folder it is: one whose process is gone is nobody's. */
async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]);
    if (!pid || isAlive(pid)) continue;
    // Another user's leftovers are not ours to remove.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
