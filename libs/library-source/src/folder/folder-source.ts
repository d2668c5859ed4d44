import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ContentStore } from '@svc/foundation/files';
import {
  createEntryFilter,
  type EntryFilter,
  type LibrarySource,
  SourceChangedError,
  SourceUnreachableError,
  type SourceTree,
} from '@svc/library-sync';
import { FolderChangedError, FolderScan } from './folder-scan.js';
import { toSubfolder } from '../address/source-address.js';

export interface FolderSourceOptions {
  /** The library's root within the folder. */
  readonly subfolder?: string | undefined;
  /** gitignore patterns in addition to `.libraryignore`; what they exclude does not affect the revision. */
  readonly exclude?: readonly string[] | undefined;
  /** An empty file for the contents, which the caller closes. Default: one of its own. */
  readonly contentFile?: number | undefined;
}

/** Attempts to read a folder that keeps changing. */
const MAX_TRIES = 6;
/** Before the second attempt; doubles each time. */
const FIRST_PAUSE_MS = 30;
/** Error codes for entries replaced or removed since they were listed. */
const VANISHED_CODES = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EINVAL', 'ESTALE']);

/** A library in a folder. Links are followed only within its root. */
export class FolderSource implements LibrarySource {
  readonly kind = 'folder';
  readonly name: string;
  readonly origin: string;
  private readonly folder: string;
  private readonly subfolder: string;
  private readonly exclude: readonly string[];
  private readonly contentFile: number | undefined;
  /** What the last `read` found. */
  private contents: ContentStore | undefined;

  /** @throws {RangeError} if the subfolder leads out of the folder */
  constructor(folder: string, { subfolder, exclude = [], contentFile }: FolderSourceOptions = {}) {
    this.folder = resolve(folder);
    this.subfolder = toSubfolder(subfolder);
    this.exclude = exclude;
    this.contentFile = contentFile;
    this.name = join(this.folder, this.subfolder);
    this.origin = this.name;
  }

  async revision(signal?: AbortSignal): Promise<string> {
    return this.again(signal, async (root) => {
      const scan = await new FolderScan(root, { createFilter: this.createFilter, signal }).run();
      return scan.revision;
    });
  }

  /**
   * The filter of its loads.
   *
   * @throws {SourceUnreachableError} if `.libraryignore` cannot be read
   */
  async filter(): Promise<EntryFilter> {
    const { createFilter } = this;
    return this.again(undefined, async (root) =>
      createFilter(new FolderScan(root, { createFilter }).readIgnoreFile()),
    );
  }

  /** Reads until a second pass finds no change, which proves a consistent snapshot. */
  async read(
    createFilter: (ignoreFile: string | undefined) => EntryFilter,
    signal?: AbortSignal,
    maxBytes = Infinity,
  ): Promise<SourceTree> {
    return this.again(signal, async (root) => {
      this.release();
      const contents = (this.contents = new ContentStore({ file: this.contentFile }));
      const before = await new FolderScan(root, { createFilter, signal, maxBytes, contents }).run();
      if (before.isTooRecent) throw new FolderChangedError(root);
      await new FolderScan(root, { createFilter, signal, before }).run();
      const { entries, revision } = before;
      return { entries, revision };
    });
  }

  release(): void {
    this.contents?.release();
  }

  private readonly createFilter = (ignoreFile: string | undefined): EntryFilter =>
    createEntryFilter(ignoreFile, this.exclude, []);

  /** The root is resolved once per attempt, so that swapping a link cannot mix two libraries. */
  private async again<T>(signal: AbortSignal | undefined, look: (root: string) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const root = await this.findRoot();
      try {
        return await look(root);
      } catch (error) {
        if (signal?.aborted) throw error;
        const path = changedPath(error);
        if (path === undefined) throw unreadable(error as NodeJS.ErrnoException, root);
        if (tries === MAX_TRIES) {
          const message = `the source ${this.name} keeps changing while it is read (last ${path}); load it again once it is stable`;
          throw new SourceChangedError(message, { cause: error });
        }
      }
      await sleep(FIRST_PAUSE_MS * 2 ** (tries - 1), undefined, { signal });
    }
  }

  private async findRoot(): Promise<string> {
    try {
      const folder = await realpath(this.folder);
      const root = await realpath(join(folder, this.subfolder));
      if (root !== folder && !root.startsWith(folder === '/' ? '/' : `${folder}/`)) {
        throw new SourceUnreachableError(
          `the subfolder of the source ${this.name} is a link that leads out of it`,
        );
      }
      if ((await stat(root)).isDirectory()) return root;
    } catch (error) {
      throw unreadable(error as NodeJS.ErrnoException, this.name);
    }
    throw new SourceUnreachableError(`the source ${this.name} is not a folder`);
  }
}

/** @returns undefined for an error that a retry would not fix */
function changedPath(error: unknown): string | undefined {
  if (error instanceof FolderChangedError) return error.path;
  const { code = '', path } = error as NodeJS.ErrnoException;
  return VANISHED_CODES.has(code) ? (path ?? '') : undefined;
}

function unreadable(error: NodeJS.ErrnoException, path: string): Error {
  if (error.code === undefined) return error;
  return new SourceUnreachableError(`cannot read the source ${error.path ?? path} (${error.code})`, {
    cause: error,
  });
}
