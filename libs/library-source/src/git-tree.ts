import fs from 'node:fs';
import type isomorphicGit from 'isomorphic-git';
import type { ReadTreeResult } from 'isomorphic-git';
import { type EntryFilter, IGNORE_FILE, MAX_FILE_BYTES, type SourceEntry } from '@svc/library-sync';

type Git = typeof isomorphicGit;
type TreeEntry = ReadTreeResult['tree'][number];

/** Reads a commit's tree from the object store, without a checkout: nothing in it can touch our files. */
export class GitTree {
  private readonly store: { readonly fs: typeof fs; readonly gitdir: string; readonly cache: object };

  constructor(
    private readonly git: Git,
    gitdir: string,
  ) {
    this.store = { fs, gitdir, cache: {} };
  }

  /**
   * @param subfolder the library's root within the repository; empty for the repository's own
   * @returns undefined when there is no such folder
   */
  async root(commit: string, subfolder: string): Promise<readonly TreeEntry[] | undefined> {
    try {
      const filepath = subfolder ? { filepath: subfolder } : {};
      return (await this.git.readTree({ ...this.store, oid: commit, ...filepath })).tree;
    } catch (error) {
      if (
        error instanceof this.git.Errors.NotFoundError ||
        error instanceof this.git.Errors.ObjectTypeError
      ) {
        return undefined;
      }
      throw error;
    }
  }

  async ignoreFile(root: readonly TreeEntry[]): Promise<string | undefined> {
    const entry = root.find(({ path, type }) => path === IGNORE_FILE && type === 'blob');
    return entry && Buffer.from(await this.blob(entry.oid)).toString();
  }

  async entries(
    root: readonly TreeEntry[],
    filter: EntryFilter,
    signal?: AbortSignal,
  ): Promise<SourceEntry[]> {
    const found: SourceEntry[] = [];
    const read = async (tree: readonly TreeEntry[], folder: string): Promise<void> => {
      for (const { path: name, type, mode, oid } of tree) {
        signal?.throwIfAborted();
        const path = folder ? `${folder}/${name}` : name;
        if (!filter(path, type === 'tree')) continue;
        if (type === 'tree') {
          found.push({ kind: 'folder', path });
          await read((await this.git.readTree({ ...this.store, oid })).tree, path);
        } else if (type === 'commit') found.push({ kind: 'submodule', path });
        else if (mode === LINK) found.push({ kind: 'link', path });
        else found.push(toFile(path, await this.blob(oid)));
      }
    };
    await read(root, '');
    return found;
  }

  private async blob(oid: string): Promise<Uint8Array> {
    return (await this.git.readBlob({ ...this.store, oid })).blob;
  }
}

const LINK = '120000';

function toFile(path: string, data: Uint8Array): SourceEntry {
  if (data.length <= MAX_FILE_BYTES) return { kind: 'file', path, data };
  return { kind: 'file', path, data: new Uint8Array(), oversize: data.length };
}
