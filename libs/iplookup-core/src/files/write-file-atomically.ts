import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { makeFolders } from '@svc/foundation/files';
import { errorCode, OutputFileError } from './file.errors.js';
import { releaseLocks, temporaryWriter } from './lookup-lock.js';
import { flushFolder, partialPath } from './partial-file.js';
import { specialFile } from './special-file.js';
import { writeChunks } from './write-chunks.js';

/**
 * Age in milliseconds after which another host's leftover is removed, since its process cannot be checked: no run
 * takes this long.
 */
const STALE_MS = 60 * 60 * 1000;

/** Options for writing a file. */
export interface WriteOptions {
  readonly gzip: boolean;
  /** If false, the folder must exist. Default true: it is created. */
  readonly makeFolder?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Marks the incomplete file, see {@link removePartial}. Default: random. */
  readonly writer?: string | undefined;
  /** Called with the complete temporary file before the rename; if it throws, the former file stays. */
  readonly beforeSwap?: ((file: string) => Promise<void>) | undefined;
}

/**
 * Writes a file atomically: to a temporary file next to it, flushed to disk, then renamed. Leaves nothing behind if
 * `content` throws or the signal aborts.
 *
 * @param content whose chunks need only be valid until the next one is requested
 * @returns the size of the file in bytes
 * @throws {OutputFileError} if it cannot be written; also whatever `content` throws
 */
export async function writeFileAtomically(
  path: string,
  content: AsyncIterable<Uint8Array>,
  { gzip, signal, makeFolder = true, writer = randomBytes(6).toString('hex'), beforeSwap }: WriteOptions,
): Promise<number> {
  const folder = dirname(path);
  const partial = partialPath(path, writer);
  try {
    if (makeFolder) await makeFolders(folder);
    await removeStale(folder, basename(path));
    const special = await specialFile(path);
    if (special !== undefined) throw new OutputFileError(path, `it is ${special}, not a file`, undefined);
    const openPartial = async () => open(partial, 'wx', 0o644);
    const size = await writeChunks(openPartial, content, { gzip, signal, flush: true });
    signal?.throwIfAborted();
    await beforeSwap?.(partial);
    signal?.throwIfAborted();
    await rename(partial, path);
    await flushFolder(folder);
    return size;
  } catch (error) {
    // An error while cleaning up must not replace the original one.
    await rm(partial, { force: true }).catch(() => undefined);
    throw OutputFileError.from(path, error);
  }
}

/** Removes the partial files of a terminated writer, and its locks. */
export async function removePartial(folder: string, writer: string): Promise<void> {
  const endings = [writer, temporaryWriter(writer)].map((each) =>
    [hostname(), process.pid, `${each}.partial`].join('~'),
  );
  const files = (await readdir(folder)).filter((file) =>
    endings.some((ending) => file.endsWith(`.${ending}`)),
  );
  await Promise.all(files.map((file) => rm(join(folder, file), { force: true })));
  await releaseLocks(folder, writer);
}

/** Removes partial files that killed runs left for the same target. */
export async function removeStale(folder: string, name: string): Promise<void> {
  for (const file of await readdir(folder)) {
    if (!file.startsWith(`.${name}.`) || !file.endsWith('.partial')) continue;
    const path = join(folder, file);
    const [host, pid] = file.slice(name.length + 2).split('~');
    const ended = host === hostname() && !runs(Number(pid));
    if (ended || (await isOld(path))) await rm(path, { force: true });
  }
}

/** True if a process with this id exists. */
function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

async function isOld(path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs > STALE_MS;
}
