import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  type Dirent,
} from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  type EntryFilter,
  IGNORE_FILE,
  type LibrarySource,
  MAX_FILE_BYTES,
  type SourceEntry,
  SourceUnreachableError,
  type SourceTree,
} from '@svc/library-sync';

/** A library in a folder. Links are never followed. */
export class FolderSource implements LibrarySource {
  readonly kind = 'folder';
  readonly name: string;
  readonly origin: string;
  private readonly root: string;

  /** @param subfolder the library's root within `folder` */
  constructor(folder: string, subfolder = '') {
    this.root = resolve(folder, subfolder);
    this.name = this.root;
    this.origin = this.root;
  }

  /** A digest of every file's path, size and time. */
  async revision(signal?: AbortSignal): Promise<string> {
    await this.assertFolder();
    const digest = createHash('sha256');
    const keepAll: EntryFilter = (path) => !path.slice(path.lastIndexOf('/') + 1).startsWith('.git');
    await this.walk(keepAll, signal, ({ path, kind }) => {
      const { size, mtimeNs, ino } = lstatSync(join(this.root, path), { bigint: true });
      digest.update(`${kind} ${path}\n${kind === 'folder' ? '' : `${size} ${mtimeNs} ${ino}`}\n`);
    });
    return digest.digest('base64url').slice(0, 22);
  }

  async read(
    createFilter: (ignoreFile: string | undefined) => EntryFilter,
    signal?: AbortSignal,
  ): Promise<SourceTree> {
    const revision = await this.revision(signal);
    const ignoreFile = readIgnoreFile(join(this.root, IGNORE_FILE));
    const entries: SourceEntry[] = [];
    await this.walk(createFilter(ignoreFile), signal, ({ kind, path }) => {
      entries.push(kind === 'file' ? { kind, path, ...readBounded(join(this.root, path)) } : { kind, path });
    });
    return { entries, revision };
  }

  private async assertFolder(): Promise<void> {
    const status = await stat(this.root).catch((error: NodeJS.ErrnoException) => {
      throw unreadable(error, this.root);
    });
    if (!status.isDirectory()) throw new SourceUnreachableError(`the source ${this.root} is not a folder`);
  }

  /** Synchronous calls: a thousand small files take a tenth of the time. Others get their turn after each folder. */
  private async walk(
    filter: EntryFilter,
    signal: AbortSignal | undefined,
    visit: (entry: { kind: SourceEntry['kind']; path: string }) => void,
  ): Promise<void> {
    const folders = [''];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      signal?.throwIfAborted();
      try {
        const inner: string[] = [];
        for (const entry of list(join(this.root, folder))) {
          const path = folder ? `${folder}/${entry.name}` : entry.name;
          if (!filter(path, entry.isDirectory())) continue;
          const kind = kindOf(entry);
          visit({ kind, path });
          if (kind === 'folder') inner.push(path);
        }
        for (const path of inner.reverse()) folders.push(path);
      } catch (error) {
        throw unreadable(error as NodeJS.ErrnoException, join(this.root, folder));
      }
      await setImmediate();
    }
  }
}

function list(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readIgnoreFile(path: string): string | undefined {
  try {
    return Buffer.from(readBounded(path).data).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(error as NodeJS.ErrnoException, path);
  }
}

function kindOf(entry: Dirent): SourceEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'special';
}

/** A link that took the file's place in the meantime is not followed; a file beyond the limit is only measured. */
function readBounded(path: string): { data: Uint8Array; oversize?: number } {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = fstatSync(file);
    return size > MAX_FILE_BYTES ? { data: new Uint8Array(), oversize: size } : { data: readFileSync(file) };
  } finally {
    closeSync(file);
  }
}

function unreadable(error: NodeJS.ErrnoException, path: string): Error {
  if (error.code === undefined) return error;
  return new SourceUnreachableError(`cannot read the source ${error.path ?? path} (${error.code})`, {
    cause: error,
  });
}
