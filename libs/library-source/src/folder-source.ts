import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, type BigIntStats, type Dirent } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Turns, withPlainFile } from '@svc/folder-files';
import {
  type EntryFilter,
  IGNORE_FILE,
  type LibrarySource,
  MAX_FILE_BYTES,
  type SourceEntry,
  SourceUnreachableError,
  type SourceTree,
} from '@svc/library-sync';
import { toSubfolder } from './source-address.js';

/** A library in a folder. Links are never followed. */
export class FolderSource implements LibrarySource {
  readonly kind = 'folder';
  readonly name: string;
  readonly origin: string;
  private readonly root: string;

  /**
   * @param subfolder the library's root within `folder`
   * @throws {RangeError} when it leads out of the folder
   */
  constructor(folder: string, subfolder?: string) {
    this.root = join(resolve(folder), toSubfolder(subfolder));
    this.name = this.root;
    this.origin = this.root;
  }

  /** A digest of every file's path, size and time. */
  async revision(signal?: AbortSignal): Promise<string> {
    return (await this.scan(() => false, signal)).revision;
  }

  async read(
    createFilter: (ignoreFile: string | undefined) => EntryFilter,
    signal?: AbortSignal,
    maxBytes = Infinity,
  ): Promise<SourceTree> {
    await this.assertFolder();
    return this.scan(createFilter(readIgnoreFile(join(this.root, IGNORE_FILE))), signal, maxBytes);
  }

  private async assertFolder(): Promise<void> {
    const status = await stat(this.root).catch((error: NodeJS.ErrnoException) => {
      throw unreadable(error, this.root);
    });
    if (!status.isDirectory()) throw new SourceUnreachableError(`the source ${this.root} is not a folder`);
  }

  /**
   * Reads what the filter wants, and looks at the rest: the revision is that of the whole folder. Synchronous calls: a
   * thousand small files take a tenth of the time.
   */
  private async scan(
    filter: EntryFilter,
    signal: AbortSignal | undefined,
    maxBytes = 0,
  ): Promise<SourceTree> {
    await this.assertFolder();
    const digest = createHash('sha256');
    const entries: SourceEntry[] = [];
    const room = { bytes: maxBytes };
    const turns = new Turns();
    const folders = [{ path: '', isWanted: true }];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      signal?.throwIfAborted();
      try {
        const inner: typeof folders = [];
        for (const entry of list(join(this.root, folder.path))) {
          const name = entry.name.toString();
          const path = folder.path ? `${folder.path}/${name}` : name;
          const isWanted = folder.isWanted && filter(path, entry.isDirectory());
          if (!isWanted && name.startsWith('.git')) continue;
          const kind = kindOf(entry);
          if (kind === 'folder') inner.push({ path, isWanted });
          digest.update(`${kind} ${path}\n${this.take(kind, path, isWanted, entries, room)}\n`);
          if (turns.isOver) await turns.next();
        }
        folders.push(...inner.reverse());
      } catch (error) {
        throw unreadable(error as NodeJS.ErrnoException, join(this.root, folder.path));
      }
    }
    return { entries, revision: digest.digest('base64url').slice(0, 22) };
  }

  /** @returns what changes when a file is written; it is looked at before the file is read */
  private take(
    kind: SourceEntry['kind'],
    path: string,
    isWanted: boolean,
    entries: SourceEntry[],
    room: { bytes: number },
  ): string {
    if (isWanted && kind === 'file') {
      const { fingerprint, ...content } = readBounded(this.absolute(path), room);
      entries.push({ kind, path, ...content });
      return fingerprint;
    }
    if (isWanted) entries.push({ kind, path } as SourceEntry);
    return kind === 'folder' || kind === 'name-encoding'
      ? ''
      : fingerprintOf(lstatSync(this.absolute(path), { bigint: true }));
  }

  /** For paths that have one form only: `join` takes longer than to look at the file. */
  private absolute(path: string): string {
    return `${this.root}/${path}`;
  }
}

/** In bytes: a name that is not UTF-8 would be that of another file, or of none. */
type NamedEntry = Dirent<Buffer>;

function list(folder: string): NamedEntry[] {
  const entries = readdirSync(folder, { withFileTypes: true, encoding: 'buffer' });
  return entries.sort((a, b) => Buffer.compare(a.name, b.name));
}

function readIgnoreFile(path: string): string | undefined {
  try {
    return Buffer.from(readBounded(path, { bytes: MAX_FILE_BYTES }).data).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(error as NodeJS.ErrnoException, path);
  }
}

function kindOf(entry: NamedEntry): SourceEntry['kind'] {
  if (!isUtf8(entry.name)) return 'name-encoding';
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'special';
}

interface FileContent {
  readonly data: Uint8Array;
  readonly oversize?: number;
  readonly fingerprint: string;
}

/** A file beyond the limit, or for which no room is left, is only measured. */
function readBounded(path: string, room: { bytes: number }): FileContent {
  return withPlainFile(path, (found, read) => {
    const fingerprint = fingerprintOf(found);
    const size = Number(found.size);
    if (size <= MAX_FILE_BYTES) room.bytes -= size;
    if (size > MAX_FILE_BYTES || room.bytes < 0)
      return { data: new Uint8Array(), oversize: size, fingerprint };
    return { data: read(), fingerprint };
  });
}

function fingerprintOf({ size, mtimeNs, ino }: BigIntStats): string {
  return `${size} ${mtimeNs} ${ino}`;
}

function unreadable(error: NodeJS.ErrnoException, path: string): Error {
  if (error.code === undefined) return error;
  return new SourceUnreachableError(`cannot read the source ${error.path ?? path} (${error.code})`, {
    cause: error,
  });
}
