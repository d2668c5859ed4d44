import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { type EntryFilter, IGNORE_FILE, MAX_FILE_BYTES, type SourceEntry } from '@svc/library-sync';
import type { GitObject, GitObjects } from './read-pack.js';

/** One line of a tree object. */
interface TreeEntry {
  readonly name: string;
  /** False when `name` only resembles it. */
  readonly isUtf8: boolean;
  readonly mode: string;
  readonly oid: string;
}

const FOLDER = '40000';
const LINK = '120000';
const SUBMODULE = '160000';
const OID_BYTES = 20;

/** A tree may hold one and the same folder a thousand times, and that one another: small to send, and without end. */
const MAX_ENTRIES = 1_000_000;
const ENTRIES_BEFORE_PAUSE = 1_000;

/** A commit's tree, read without a checkout: nothing in it can touch our files. */
export class GitTree {
  constructor(private readonly objects: GitObjects) {}

  /**
   * The commit that a name stands for.
   *
   * @param oid of a commit, or of an annotated tag
   */
  commit(oid: string): string {
    const { type, data } = this.get(oid);
    return type === 'tag' ? this.commit(headerOf(data, 'object')) : oid;
  }

  /**
   * @param subfolder the library's root within the repository; empty for the repository's own
   * @returns the folder's SHA-1; undefined when there is no such folder
   */
  root(commit: string, subfolder: string): string | undefined {
    let oid = headerOf(this.get(commit).data, 'tree');
    for (const name of subfolder.split('/').filter(Boolean)) {
      const found = this.list(oid).find((entry) => entry.name === name && entry.mode === FOLDER);
      if (!found) return undefined;
      oid = found.oid;
    }
    return oid;
  }

  ignoreFile(root: string): string | undefined {
    const found = this.list(root).find(({ name, mode }) => name === IGNORE_FILE && mode.startsWith('100'));
    return found && Buffer.from(this.get(found.oid).data).toString();
  }

  async entries(root: string, filter: EntryFilter, signal?: AbortSignal): Promise<SourceEntry[]> {
    const found: SourceEntry[] = [];
    const folders = [{ path: '', oid: root }];
    let seen = 0;
    for (let folder = folders.pop(); folder; folder = folders.pop()) {
      const inner: typeof folders = [];
      for (const entry of this.list(folder.oid)) {
        const { name, mode, oid } = entry;
        if ((seen += 1) > MAX_ENTRIES) throw new RangeError(`it has more than ${MAX_ENTRIES} entries`);
        if (seen % ENTRIES_BEFORE_PAUSE === 0) await setImmediate();
        signal?.throwIfAborted();
        const path = folder.path ? `${folder.path}/${name}` : name;
        if (!filter(path, mode === FOLDER)) continue;
        found.push(entry.isUtf8 ? this.toEntry(path, mode, oid) : { kind: 'name-encoding', path });
        if (mode === FOLDER && entry.isUtf8) inner.push({ path, oid });
      }
      folders.push(...inner.reverse());
    }
    return found;
  }

  private toEntry(path: string, mode: string, oid: string): SourceEntry {
    if (mode === FOLDER) return { kind: 'folder', path };
    if (mode === LINK) return { kind: 'link', path };
    if (mode === SUBMODULE) return { kind: 'submodule', path };
    const { data } = this.get(oid);
    if (data.length <= MAX_FILE_BYTES) return { kind: 'file', path, data };
    return { kind: 'file', path, data: new Uint8Array(), oversize: data.length };
  }

  private list(oid: string): TreeEntry[] {
    const { type, data } = this.get(oid);
    if (type !== 'tree') throw new RangeError(`the object ${oid} is no folder`);
    return [...parseTree(Buffer.from(data.buffer, data.byteOffset, data.byteLength))];
  }

  private get(oid: string): GitObject {
    const object = this.objects.get(oid);
    if (!object) throw new RangeError(`the object ${oid} is missing`);
    return object;
  }
}

/** Lines of `<mode> <name>`, a NUL and the SHA-1 in 20 bytes. */
function* parseTree(data: Buffer): Generator<TreeEntry, void, undefined> {
  let pos = 0;
  while (pos < data.length) {
    const space = data.indexOf(0x20, pos);
    const end = data.indexOf(0, space);
    if (space < 0 || end < 0 || end + OID_BYTES >= data.length) throw new RangeError('a folder is damaged');
    const name = data.toString('utf8', space + 1, end);
    // git makes no such names; whoever does wants to write elsewhere.
    if (name === '' || name === '.' || name === '..' || name.includes('/')) {
      throw new RangeError('a folder has an entry whose name is a path');
    }
    const mode = data.toString('latin1', pos, space).replace(/^0+/, '');
    pos = end + 1 + OID_BYTES;
    yield {
      name,
      isUtf8: isUtf8(data.subarray(space + 1, end)),
      mode,
      oid: data.toString('hex', end + 1, pos),
    };
  }
}

/** The SHA-1 after one of the words at the head of a commit or tag. */
function headerOf(data: Uint8Array, word: string): string {
  const head = Buffer.from(data.buffer, data.byteOffset, Math.min(data.byteLength, 4_096)).toString('latin1');
  const oid = new RegExp(`^${word} ([0-9a-f]{40})$`, 'm').exec(head)?.[1];
  if (oid === undefined) throw new RangeError(`an object names no ${word}`);
  return oid;
}
