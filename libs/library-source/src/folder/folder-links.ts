import { type BigIntStats, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LinkRefusal } from '@svc/library-sync';

/** The file or folder a link resolves to; `path` is free of links. */
export interface LinkTarget {
  readonly path: string;
  readonly status: BigIntStats;
}

/** Linux's own limit. */
const MAX_LINKS = 40;

/**
 * Resolves links within one folder. Each link is read only once, so that one swapped meanwhile (`..data` in a Kubernetes
 * volume) leads to the same target for everything behind it.
 */
export class FolderLinks {
  private readonly known = new Map<string, BigIntStats | string | undefined>();

  /**
   * @param root real path of the folder that links must not leave
   * @param onFolder called with each folder within the root that a link passes through
   */
  constructor(
    private readonly root: string,
    private readonly onFolder: (path: string, status: BigIntStats) => void,
  ) {}

  /** @param folder real path of the folder that holds the link */
  follow(folder: string, name: string): LinkTarget | LinkRefusal {
    const rest = [name];
    let path = folder;
    let links = 0;
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
      if (next === '' || next === '.') continue;
      const found = next === '..' ? this.look(dirname(path)) : this.look(join(path, next));
      if (found === undefined) return 'missing';
      if (typeof found === 'string') {
        if ((links += 1) > MAX_LINKS) return 'circular';
        if (found.startsWith('/')) path = '/';
        rest.unshift(...found.split('/'));
        continue;
      }
      path = join(path, next);
      if (found.isDirectory() && this.isInside(path)) this.onFolder(path, found);
      else if (rest.length > 0 && !found.isDirectory()) return 'missing';
    }
    if (!this.isInside(path)) return 'outside';
    if (this.isHidden(path, name)) return 'hidden';
    const status = this.look(path);
    return typeof status === 'object' ? { path, status } : 'missing';
  }

  /** @returns a link's target, or the status of anything else; undefined if nothing exists */
  private look(path: string): BigIntStats | string | undefined {
    if (!this.known.has(path)) {
      const status = this.status(path);
      this.known.set(path, status?.isSymbolicLink() ? readlinkSync(path) : status);
    }
    return this.known.get(path);
  }

  /** Outside the root, unreadable counts as absent: links must not lead there anyway. */
  private status(path: string): BigIntStats | undefined {
    try {
      return lstatSync(path, { bigint: true, throwIfNoEntry: false });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EACCES' && !this.isInside(path)) return undefined;
      throw error;
    }
  }

  private isInside(path: string): boolean {
    return path === this.root || path.startsWith(`${this.root === '/' ? '' : this.root}/`);
  }

  /**
   * Hidden names are off limits, since `.git/config` may contain a token. Exceptions are Kubernetes volumes, whose links
   * lead to `..<time>`, and `.libraryignore` in there.
   */
  private isHidden(path: string, linkName: string): boolean {
    const names = path.slice(this.root.length).split('/');
    if (names.at(-1) === linkName) names.pop();
    return names.some((name) => /^\.(?!\.)/.test(name));
  }
}

/**
 * True if the link-free path still refers to the opened file: no parent folder was replaced by a link meanwhile.
 */
export function isAt(path: string, opened: BigIntStats): boolean {
  const { dev, ino } = lstatSync(path, { bigint: true });
  return realpathSync.native(path) === path && dev === opened.dev && ino === opened.ino;
}
