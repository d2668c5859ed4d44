import { isUtf8 } from 'node:buffer';
import { TimeSlice } from '@svc/foundation/files';
import {
  bytesOf,
  type EntryFilter,
  type FileContent,
  IGNORE_FILE,
  MAX_FILE_BYTES,
  type SourceEntry,
} from '@svc/library-sync';
import { ignoreText, NOT_UTF8 } from '../ignore/ignore-text.js';
import { GitAnswerError } from './pkt-lines.js';
import type { GitObject, GitObjects } from './read-pack.js';

/** One entry of a tree object. */
interface TreeEntry {
  readonly name: string;
  readonly bytes: number;
  /** If false, `name` is only an approximation. */
  readonly isUtf8: boolean;
  readonly mode: string;
  readonly oid: string;
}

const FOLDER = '40000';
const LINK = '120000';
const SUBMODULE = '160000';
/** What is not a file, by its mode. */
const OTHER_KINDS: ReadonlyMap<string, string> = new Map([
  [FOLDER, 'folder'],
  [LINK, 'symbolic link'],
  [SUBMODULE, 'submodule'],
]);
const OID_BYTES = 20;
const MAX_MODE_BYTES = 8;

/** A small pack can describe an enormous tree by nesting the same folder many times over. */
const MAX_ENTRIES = 1_000_000;
/** Linux's limit. */
const MAX_PATH_BYTES = 4_096;
const MAX_DEPTH = 255;
/** Limit on all paths together: nested folders with long names have few entries but many bytes. */
const MAX_PATHS_BYTES = 256 << 20;
const SHOWN_PATH_LENGTH = 80;
/** Tags may point to tags. */
const MAX_TAGS = 10;

/** A commit's tree, read without a checkout, so that nothing in it can touch local files. */
export class GitTree {
  private readonly timeSlice: TimeSlice;

  constructor(
    private readonly objects: GitObjects,
    signal?: AbortSignal,
  ) {
    this.timeSlice = new TimeSlice(signal);
  }

  /**
   * Resolves annotated tags to the commit.
   *
   * @param oid of a commit or annotated tag
   */
  commit(oid: string): string {
    let found = oid;
    for (let tags = 0; tags <= MAX_TAGS; tags += 1) {
      const { type, data } = this.get(found);
      if (type !== 'tag') return found;
      found = headerOf(data, 'object');
    }
    throw new RangeError(`a tag points through more than ${MAX_TAGS} others`);
  }

  /**
   * @param subfolder the library's root within the repository; empty for the repository's own
   * @returns the folder's SHA-1; undefined if it does not exist
   */
  async root(commit: string, subfolder: string): Promise<string | undefined> {
    let oid = headerOf(this.get(commit).data, 'tree');
    for (const name of subfolder.split('/').filter(Boolean)) {
      const found = await this.find(oid, (entry) => entry.name === name && entry.mode === FOLDER);
      if (!found) return undefined;
      oid = found.oid;
    }
    return oid;
  }

  async ignoreFile(root: string): Promise<string | undefined> {
    const found = await this.findIgnoreFile(root);
    if (!found) return undefined;
    const { data } = this.get(found.oid);
    if (data.length > MAX_FILE_BYTES)
      throw new RangeError(`${IGNORE_FILE} has ${data.length} bytes, more than ${MAX_FILE_BYTES}`);
    const text = ignoreText(bytesOf(data));
    if (text === undefined) throw new RangeError(`${IGNORE_FILE} ${NOT_UTF8}`);
    return text;
  }

  async entries(root: string, filter: EntryFilter): Promise<SourceEntry[]> {
    const found: SourceEntry[] = [];
    await this.walk(root, filter, (path, entry) => found.push(this.toEntry(path, entry)));
    return found;
  }

  /** Contents of {@link ignoreFile} that were not fetched: one or none. */
  async missingIgnoreFile(root: string): Promise<string[]> {
    const found = await this.findIgnoreFile(root);
    return found && !this.objects.has(found.oid) ? [found.oid] : [];
  }

  /** Contents of {@link entries} that were not fetched, each once. */
  async missingFiles(root: string, filter: EntryFilter): Promise<string[]> {
    const missing = new Set<string>();
    await this.walk(root, filter, (_path, entry) => {
      if (isFile(entry) && !this.objects.has(entry.oid)) missing.add(entry.oid);
    });
    return [...missing];
  }

  /** Visits everything that passes the filter. */
  private async walk(
    root: string,
    filter: EntryFilter,
    visit: (path: string, entry: TreeEntry) => void,
  ): Promise<void> {
    const budget = new TreeBudget();
    const folders = [{ path: '', oid: root, depth: 0, bytes: 0 }];
    for (let folder = folders.pop(); folder; folder = folders.pop()) {
      const inner: typeof folders = [];
      for (const entry of this.list(folder.oid)) {
        if (this.timeSlice.isUsedUp) await this.timeSlice.next();
        const { name, mode, oid } = entry;
        const bytes = folder.bytes + (folder.path ? 1 : 0) + entry.bytes;
        budget.take(folder, bytes);
        const path = folder.path ? `${folder.path}/${name}` : name;
        if (!filter(path, mode === FOLDER)) continue;
        visit(path, entry);
        if (mode === FOLDER && entry.isUtf8) inner.push({ path, oid, depth: folder.depth + 1, bytes });
      }
      for (const one of inner.reverse()) folders.push(one);
    }
  }

  /** @throws {RangeError} if it is not a file: what it means to exclude would be loaded */
  private async findIgnoreFile(root: string): Promise<TreeEntry | undefined> {
    const found = await this.find(root, ({ name }) => name === IGNORE_FILE);
    const kind = found && OTHER_KINDS.get(found.mode);
    if (kind === undefined) return found;
    throw new RangeError(`${IGNORE_FILE} is a ${kind}; replace it with the file itself`);
  }

  private async find(oid: string, matches: (entry: TreeEntry) => boolean): Promise<TreeEntry | undefined> {
    for (const entry of this.list(oid)) {
      if (matches(entry)) return entry;
      if (this.timeSlice.isUsedUp) await this.timeSlice.next();
    }
    return undefined;
  }

  private toEntry(path: string, { mode, oid, isUtf8 }: TreeEntry): SourceEntry {
    if (!isUtf8) return { kind: 'name-encoding', path };
    if (mode === FOLDER) return { kind: 'folder', path };
    if (mode === LINK) return { kind: 'link', path };
    if (mode === SUBMODULE) return { kind: 'submodule', path };
    const { data } = this.get(oid);
    if (data.length <= MAX_FILE_BYTES) return { kind: 'file', path, data };
    return { kind: 'file', path, data: new Uint8Array(), oversize: data.length };
  }

  private list(oid: string): Iterable<TreeEntry> {
    const { type, data } = this.get(oid);
    if (type !== 'tree') throw new RangeError(`the object ${oid} is not a folder`);
    return parseTree(toBuffer(data));
  }

  private get(oid: string): GitObject {
    const object = this.objects.get(oid);
    if (!object) throw new GitAnswerError(`the server did not send the object ${oid}`);
    return object;
  }
}

const isFile = ({ mode, isUtf8 }: TreeEntry): boolean => isUtf8 && !OTHER_KINDS.has(mode);

/** Limits a tree's total size: a small pack can describe one that does not fit into memory. */
class TreeBudget {
  private entries = 0;
  private pathBytes = 0;

  /**
   * Counts one more entry, before its path is built.
   *
   * @param bytes of the path
   * @throws {RangeError}
   */
  take(folder: { readonly path: string; readonly depth: number }, bytes: number): void {
    if ((this.entries += 1) > MAX_ENTRIES) throw new RangeError(`it has more than ${MAX_ENTRIES} entries`);
    if (bytes > MAX_PATH_BYTES) {
      throw new RangeError(`a path has more than ${MAX_PATH_BYTES} bytes, ${placeOf(folder.path)}`);
    }
    if (folder.depth > MAX_DEPTH) {
      throw new RangeError(`folders are more than ${MAX_DEPTH} levels deep, ${placeOf(folder.path)}`);
    }
    if ((this.pathBytes += bytes) > MAX_PATHS_BYTES) {
      throw new RangeError(`its paths have more than ${MAX_PATHS_BYTES >> 20} MiB in total`);
    }
  }
}

function placeOf(path: string): string {
  return `in ${JSON.stringify(path.slice(0, SHOWN_PATH_LENGTH))}...`;
}

/** Entries have the form `<mode> <name>`, a NUL and the SHA-1 in 20 bytes. */
function* parseTree(data: Buffer): Generator<TreeEntry, void, undefined> {
  let pos = 0;
  while (pos < data.length) {
    const space = data.subarray(pos, pos + MAX_MODE_BYTES).indexOf(0x20) + pos;
    const end = data.subarray(space, space + MAX_PATH_BYTES + 2).indexOf(0) + space;
    if (space < pos || end < space || end + OID_BYTES >= data.length) {
      throw new RangeError(`a folder is damaged, or has a name of more than ${MAX_PATH_BYTES} bytes`);
    }
    const name = data.toString('utf8', space + 1, end);
    // git never writes such names; they are crafted to escape the folder.
    if (name === '' || name === '.' || name === '..' || name.includes('/')) {
      throw new RangeError('a folder has an entry whose name is a path');
    }
    const mode = data.toString('latin1', pos, space).replace(/^0+/, '');
    pos = end + 1 + OID_BYTES;
    yield {
      name,
      bytes: end - space - 1,
      isUtf8: isUtf8(data.subarray(space + 1, end)),
      mode,
      oid: data.toString('hex', end + 1, pos),
    };
  }
}

/** The SHA-1 in the first header field of a commit or tag. */
function headerOf(data: FileContent, word: string): string {
  const head = toBuffer(data).toString('latin1', 0, 4_096);
  const oid = new RegExp(`^${word} ([0-9a-f]{40})\n`).exec(head)?.[1];
  if (oid === undefined) throw new RangeError(`an object names no ${word}`);
  return oid;
}

function toBuffer(content: FileContent): Buffer {
  const { buffer, byteOffset, byteLength } = bytesOf(content);
  return Buffer.from(buffer, byteOffset, byteLength);
}
