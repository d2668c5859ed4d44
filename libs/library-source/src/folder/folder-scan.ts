import { isUtf8 } from 'node:buffer';
import { createHash, hash } from 'node:crypto';
import { type BigIntStats, type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ContentStore, TimeSlice, withPlainFile } from '@svc/foundation/files';
import {
  type EntryFilter,
  IGNORE_FILE,
  type LinkRefusal,
  MAX_FILE_BYTES,
  type SourceEntry,
  SourceUnreachableError,
} from '@svc/library-sync';
import { ignoreText, NOT_UTF8 } from '../ignore/ignore-text.js';
import { FolderLinks, isAt } from './folder-links.js';

export interface ScanOptions {
  readonly createFilter: (ignoreFile: string | undefined) => EntryFilter;
  readonly signal?: AbortSignal | undefined;
  /** Where contents are kept. If absent, no file is read. */
  readonly contents?: ContentStore | undefined;
  /** Total bytes to read; files beyond this are only measured. */
  readonly maxBytes?: number | undefined;
  /** An earlier pass that this one is compared with. */
  readonly before?: FolderScan | undefined;
}

/** A listed entry was removed or replaced: the folder is being changed. */
export class FolderChangedError extends Error {
  override readonly name = 'FolderChangedError';

  constructor(readonly path: string) {
    super(`${path} changed while it was read`);
  }
}

interface Folder {
  /** Path in the library; empty for the root. */
  readonly path: string;
  /** Real path, without links. */
  readonly real: string;
  /** False for entries that only count for the revision. */
  readonly isWanted: boolean;
  readonly parent?: Folder;
}

interface Found {
  readonly kind: SourceEntry['kind'];
  readonly real: string;
  readonly isLinked?: boolean;
  readonly refusal?: LinkRefusal;
}

/**
 * A second change within one tick of the file system's clock (up to 10 ms) does not change the timestamps.
 */
const TICK_MS = 20;

/** Links to folders can multiply a few entries without bound; this limits entries in folders already visited. */
const MAX_REPEATED_ENTRIES = 20_000;
/** Through links, a path may exceed what system calls accept; later checks reject such a path. */
const MAX_PATH_LENGTH = 4_096;

/**
 * One pass over a folder. Synchronous calls are ten times as fast for a thousand small files.
 *
 * The revision covers everything except what patterns exclude; two passes are compared by what both have read.
 */
export class FolderScan {
  readonly entries: SourceEntry[] = [];
  /** A digest of each wanted file, folder and link passed through, in order. */
  private readonly seen: number[] = [];
  /** A change happened so recently that another one might not be visible in the timestamps. */
  isTooRecent = false;
  private readonly digest = createHash('sha256');
  private readonly links: FolderLinks;
  private readonly timeSlice = new TimeSlice();
  /** The clock may be set back during the pass. */
  private earliest = Date.now();
  private filter: EntryFilter = () => true;
  private room: number;
  private readonly entered = new Set<string>();
  private repeatedEntries = 0;

  /** @param root real path */
  constructor(
    private readonly root: string,
    private readonly options: ScanOptions,
  ) {
    this.links = new FolderLinks(root, (path, status) => this.see(path, path, status));
    this.room = options.maxBytes ?? Infinity;
  }

  /** A digest of each file's path, size, inode and time. */
  get revision(): string {
    return this.digest.copy().digest('base64url').slice(0, 22);
  }

  /** @throws {FolderChangedError} | {NodeJS.ErrnoException} | {SourceUnreachableError} */
  async run(): Promise<this> {
    const { before, createFilter } = this.options;
    this.filter = createFilter(this.readIgnoreFile());
    const folders: Folder[] = [{ path: '', real: this.root, isWanted: true }];
    for (let folder = folders.pop(); folder; folder = folders.pop()) {
      this.options.signal?.throwIfAborted();
      for (const inner of (await this.scanFolder(folder)).reverse()) folders.push(inner);
    }
    if (this.seen.length < (before?.seen.length ?? 0)) throw new FolderChangedError(this.root);
    return this;
  }

  /** @returns the root's patterns; undefined if it has none */
  readIgnoreFile(): string | undefined {
    const path = join(this.root, IGNORE_FILE);
    const found = follow(this.links, this.root, IGNORE_FILE);
    if (found.refusal === 'missing' && !lstatSync(path, { throwIfNoEntry: false })) return undefined;
    if (found.kind !== 'file') {
      // A link that was replaced meanwhile is not broken.
      const now = follow(new FolderLinks(this.root, () => undefined), this.root, IGNORE_FILE);
      if (now.kind === 'file') throw new FolderChangedError(path);
      throw new SourceUnreachableError(`cannot read ${path}: ${NOT_A_FILE[found.refusal ?? 'other']}`);
    }
    const { opened, data, oversize } = readBounded(found.real, { bytes: MAX_FILE_BYTES });
    if (oversize !== undefined) {
      throw new SourceUnreachableError(`cannot read ${path}: it has more than ${MAX_FILE_BYTES} bytes`);
    }
    this.see(IGNORE_FILE, found.real, opened);
    this.digest.update(fingerprintOf(opened));
    const text = ignoreText(data);
    if (text === undefined) throw new SourceUnreachableError(`cannot read ${path}: it ${NOT_UTF8}`);
    return text;
  }

  /** @returns the folders in it */
  private async scanFolder(folder: Folder): Promise<Folder[]> {
    const status = lstatSync(folder.real, { bigint: true });
    if (!status.isDirectory()) throw new FolderChangedError(folder.real);
    if (folder.isWanted) this.see(folder.real, folder.real, status);
    const inner: Folder[] = [];
    const entries = list(folder.real);
    if (folder.isWanted) this.countRepeated(folder.real, entries.length);
    for (const entry of entries) {
      const below = this.scanEntry(folder, entry);
      if (below) inner.push(below);
      if (this.timeSlice.isUsedUp) await this.timeSlice.next();
    }
    // Checks that no parent folder was replaced by a link meanwhile.
    if (!isAt(folder.real, status)) throw new FolderChangedError(folder.real);
    return inner;
  }

  /** @returns the entry if it is a folder to descend into */
  private scanEntry(folder: Folder, entry: Dirent<Buffer>): Folder | undefined {
    const name = entry.name.toString();
    const path = folder.path ? `${folder.path}/${name}` : name;
    const found = this.find(folder, entry, name);
    const { kind, real } = found;
    const isWanted = folder.isWanted && this.filter(path, kind === 'folder');
    // Names with a dot count for the revision: tools stage changes there.
    const isCounted = isWanted || !folder.isWanted || name.startsWith('.');
    if (!isCounted || (!isWanted && name.startsWith('.git'))) return undefined;
    const status = isWanted ? this.take(path, found) : statusOf(found);
    const fingerprint = status && kind !== 'folder' ? fingerprintOf(status) : '';
    this.digest.update(`${kind} ${path}\n${fingerprint}\n`);
    const isEntered = kind === 'folder' && (isWanted || !found.isLinked) && path.length <= MAX_PATH_LENGTH;
    return isEntered ? { path, real, isWanted, parent: folder } : undefined;
  }

  private find(folder: Folder, entry: Dirent<Buffer>, name: string): Found {
    const kind = kindOf(entry);
    if (kind !== 'link') return { kind, real: `${folder.real}/${name}` };
    const found = follow(this.links, folder.real, name);
    if (found.kind !== 'folder') return found;
    for (let above: Folder | undefined = folder; above; above = above.parent) {
      if (above.real === found.real) return { ...found, kind: 'link', refusal: 'circular' };
    }
    return found;
  }

  private countRepeated(folder: string, entries: number): void {
    if (this.entered.has(folder)) this.repeatedEntries += entries;
    this.entered.add(folder);
    if (this.repeatedEntries <= MAX_REPEATED_ENTRIES) return;
    throw new SourceUnreachableError(
      `links in the source ${this.root} revisit the same folders (more than ${MAX_REPEATED_ENTRIES} entries); remove some links`,
    );
  }

  /** @returns the status of the file read; undefined for folders, which are recorded on entry */
  private take(path: string, found: Found): BigIntStats | undefined {
    const { kind, real, refusal } = found;
    const { contents } = this.options;
    if (kind === 'file' && contents) {
      const room = { bytes: this.room };
      const { opened, data, ...size } = readBounded(real, room, contents, found.isLinked);
      this.room = room.bytes;
      this.entries.push({ kind, path, data: contents.keep(data), ...size });
      this.see(path, real, opened);
      return opened;
    }
    this.entries.push({ kind, path, ...(refusal && { refusal }) } as SourceEntry);
    const status = statusOf(found);
    if (status) this.see(path, real, status);
    return status;
  }

  private see(key: string, real: string, status: BigIntStats): void {
    const { before, contents } = this.options;
    // A pass for the revision only is not compared with another, so nothing needs to be recorded.
    if (!before && !contents) return;
    const digest = seenDigest(key, real, status);
    if (before && before.seen[this.seen.length] !== digest) throw new FolderChangedError(key);
    this.seen.push(digest);
    const changed = Number(status.ctimeNs / 1_000_000n);
    const now = Date.now();
    this.earliest = Math.min(this.earliest, now);
    // A future time stems from another host, or from before the clock was set back.
    if (changed > this.earliest - TICK_MS && changed < now + TICK_MS) this.isTooRecent = true;
  }
}

/** Why an ignore file is refused. If it counted as absent, what it excludes would be loaded. */
const NOT_A_FILE = {
  missing: 'it is a broken link; correct or remove it',
  circular: 'it is a circular link; correct or remove it',
  outside: 'it leads out of the source; replace it with the file itself',
  hidden: 'it leads to a name that starts with a dot; replace it with the file itself',
  other: 'it is not a file; replace it with one, or remove it',
} as const satisfies Record<LinkRefusal | 'other', string>;

/** Changes on writes, moves and replacements. @returns 48 bits */
function seenDigest(key: string, real: string, status: BigIntStats): number {
  const { dev, ino, size, mtimeNs, ctimeNs } = status;
  const text = [key, real, dev, ino, size, mtimeNs, ctimeNs].join('\n');
  return hash('sha256', text, 'buffer').readUIntBE(0, 6);
}

function list(folder: string): Dirent<Buffer>[] {
  // As bytes: decoding a name that is not UTF-8 could yield another file's name.
  const entries = readdirSync(folder, { withFileTypes: true, encoding: 'buffer' });
  return entries.sort((a, b) => Buffer.compare(a.name, b.name));
}

function kindOf(entry: Dirent<Buffer>): SourceEntry['kind'] {
  if (!isUtf8(entry.name)) return 'name-encoding';
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'special';
}

function follow(links: FolderLinks, folder: string, name: string): Found {
  const target = links.follow(folder, name);
  if (typeof target === 'string') return { kind: 'link', real: `${folder}/${name}`, refusal: target };
  const { path: real, status } = target;
  if (status.isFile()) return { kind: 'file', real, isLinked: true };
  return { kind: status.isDirectory() ? 'folder' : 'special', real, isLinked: true };
}

function statusOf({ kind, real }: Found): BigIntStats | undefined {
  return kind === 'folder' || kind === 'name-encoding' ? undefined : lstatSync(real, { bigint: true });
}

/** A file over the limit, or over the remaining budget, is only measured. */
function readBounded(
  path: string,
  room: { bytes: number },
  contents?: ContentStore,
  isLinked = false,
): { data: Buffer; oversize?: number; opened: BigIntStats } {
  return withPlainFile(path, (opened, read) => {
    if (isLinked && !isAt(path, opened)) throw new FolderChangedError(path);
    const size = Number(opened.size);
    if (size <= MAX_FILE_BYTES) room.bytes -= size;
    if (size > MAX_FILE_BYTES || room.bytes < 0) return { data: Buffer.alloc(0), oversize: size, opened };
    return { data: read(contents), opened };
  });
}

function fingerprintOf({ size, mtimeNs, ino }: BigIntStats): string {
  return `${size} ${mtimeNs} ${ino}`;
}
