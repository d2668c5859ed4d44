import { createHash, randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ContentStore, makeFolders, TimeSlice, withPlainFile, writeFlushed } from '@svc/foundation/files';
import {
  bytesOf,
  contentHash,
  type Library,
  type LibrarySource,
  type LoadRecord,
  type SourceEntry,
} from '@svc/library-sync';

interface CopyIndex {
  readonly folders: readonly string[];
  /** Path → name of its file in `contents`. */
  readonly files: Readonly<Record<string, string>>;
}

/** Copies kept per destination. */
const KEPT = 10;
const WRITES_AT_ONCE = 8;
const INDEX = /^\d+\.json$/;

/** The copy of a load is missing or incomplete, so the load cannot be restored. */
export class MissingCopyError extends Error {
  override readonly name = 'MissingCopyError';
}

/**
 * Copies of loaded libraries, for rollback. Contents shared by several loads are stored once:
 *
 * `<folder>/contents/<hash>` and `<folder>/loads/<destination>/<number>.json`
 */
export class LoadCopies {
  private readonly contents: string;
  private readonly loads: string;

  /** @param destination name of the store */
  constructor(
    private readonly folder: string,
    destination: string,
  ) {
    this.contents = join(folder, 'contents');
    this.loads = join(folder, 'loads', createHash('sha256').update(destination).digest('hex').slice(0, 16));
  }

  /** Writes only what is missing or damaged. A copy of other content under this number is replaced. */
  async keep(load: number, library: Library): Promise<void> {
    if (load === 0) return;
    await makeFolders(this.contents, 0o700);
    await makeFolders(this.loads, 0o700);
    await this.removeOutdated(load);
    await this.keepContents(library);
    const files = Object.fromEntries([...library.files].map(([path, { hash }]) => [path, hash]));
    const index = JSON.stringify({ folders: [...library.folders], files } satisfies CopyIndex);
    const path = this.indexPath(load);
    if ((await readFile(path, 'utf8').catch(() => undefined)) === index) return;
    await writeWhole(path, index);
    await this.removeOld();
  }

  /** Asynchronous, so that callers can abort; in parallel, since each write is slow. */
  private async keepContents(library: Library): Promise<void> {
    const seen = new Set<string>();
    const rest = library.files.values();
    const turns = new TimeSlice();
    const keepOn = async (): Promise<void> => {
      for (const { hash, data } of rest) {
        if (turns.isUsedUp) await turns.next();
        if (seen.has(hash)) continue;
        seen.add(hash);
        const path = join(this.contents, hash);
        // Of another size after a power loss, if an earlier release wrote it.
        if (statSync(path, { throwIfNoEntry: false })?.size === data.length) continue;
        await writeWhole(path, bytesOf(data));
      }
    };
    await Promise.all(Array.from({ length: WRITES_AT_ONCE }, keepOn));
  }

  /**
   * An earlier load as a source; reading it throws a `MissingCopyError` if the copy is incomplete, or not of that load.
   *
   * @param paths what the destination's records say that the load wrote; see `readPaths`
   */
  source(record: LoadRecord, paths: ReadonlyMap<string, string>): LibrarySource {
    const { load, origin, source_kind: kind, revision } = record;
    const name = `${origin} (copy of load ${load})`;
    // A folder's revision does not identify its content, so the copy gets one of its own.
    const copied = kind === 'git' ? revision : `load-${load}`;
    const contents = new ContentStore();
    return {
      kind,
      name,
      origin,
      revision: async () => copied,
      read: async (_createFilter, signal) => ({
        entries: await this.entries(record, paths, contents, signal),
        revision: copied,
      }),
      release: () => contents.release(),
    };
  }

  private async entries(
    { load, files }: LoadRecord,
    paths: ReadonlyMap<string, string>,
    contents: ContentStore,
    signal?: AbortSignal,
  ): Promise<SourceEntry[]> {
    const missing = (error: unknown): never => {
      const { code = 'it is damaged' } = error as NodeJS.ErrnoException;
      throw new MissingCopyError(`no copy of load ${load} is kept in ${this.folder} (${code})`, {
        cause: error,
      });
    };
    const index = await this.readIndexOf(load, files, paths).catch(missing);
    const entries: SourceEntry[] = index.folders.map((path) => ({ kind: 'folder', path }));
    const timeSlice = new TimeSlice(signal);
    for (const [path, hash] of Object.entries(index.files)) {
      try {
        entries.push({ kind: 'file', path, data: contents.keep(this.readContent(hash)) });
      } catch (error) {
        missing(error);
      }
      if (timeSlice.isUsedUp) await timeSlice.next();
    }
    return entries;
  }

  private readContent(hash: string): Buffer {
    const data = withPlainFile(join(this.contents, hash), (_found, read) => read());
    if (contentHash(data) !== hash) throw new Error(`the content ${hash} is damaged`);
    return data;
  }

  /**
   * Looks among the copies of other destinations, too: this one's address may have been written differently. Any copy of what the
   * load wrote will do.
   *
   * @throws {Error} if there is none, or it is not of this load
   */
  private async readIndexOf(
    load: number,
    files: number,
    paths: ReadonlyMap<string, string>,
  ): Promise<CopyIndex> {
    const read = async (folder: string): Promise<CopyIndex> => {
      const index = parseIndex(await readFile(join(folder, `${load}.json`), 'utf8'));
      if (isCopyOf(index, files, paths)) return index;
      throw new Error(`the copy ${load} is of another load`);
    };
    return read(this.loads).catch(async (error: unknown) => {
      const folders = await this.destinations().catch(() => []);
      const others = await Promise.all(folders.map(async (one) => read(one).catch(() => [])));
      // A copy without some of the empty folders matches, too.
      const [best] = others.flat().sort((a, b) => b.folders.length - a.folders.length);
      if (best) return best;
      throw error;
    });
  }

  /** The folders with copies, of all destinations. */
  private async destinations(): Promise<string[]> {
    const parent = join(this.folder, 'loads');
    return (await readdir(parent)).map((name) => join(parent, name));
  }

  private indexPath(load: number): string {
    return join(this.loads, `${load}.json`);
  }

  /** Load numbers only increase: higher ones date from before the destination was emptied and restarted at 1. */
  private async removeOutdated(load: number): Promise<void> {
    const numbers = await this.numbers();
    if (!numbers.some((one) => one > load)) return;
    for (const one of numbers) if (one >= load) await rm(this.indexPath(one), { force: true });
  }

  /** Numbers of the loads with a copy, descending. */
  private async numbers(): Promise<number[]> {
    const indexes = (await readdir(this.loads)).filter((name) => INDEX.test(name));
    return indexes.map((name) => Number.parseInt(name, 10)).sort((a, b) => b - a);
  }

  /** Deletes old copies, then contents no longer referenced. */
  private async removeOld(): Promise<void> {
    const numbers = await this.numbers();
    if (numbers.length <= KEPT) return;
    for (const load of numbers.slice(KEPT)) await rm(this.indexPath(load), { force: true });
    const used = new Set<string>();
    for (const folder of await this.destinations()) {
      for (const name of await readdir(folder)) {
        if (!INDEX.test(name)) continue;
        for (const hash of usedBy(await readFile(join(folder, name), 'utf8'))) used.add(hash);
      }
    }
    for (const name of await readdir(this.contents)) {
      if (!used.has(name)) await rm(join(this.contents, name), { force: true });
    }
  }
}

async function writeWhole(path: string, data: string | Uint8Array): Promise<void> {
  await writeFlushed(path, { data, draft: `${path}.${randomUUID()}`, mode: 0o600 });
}

const parseIndex = (text: string): CopyIndex => JSON.parse(text) as CopyIndex;

/** The contents of a copy; none if its index is damaged, since it cannot be restored. */
function usedBy(index: string): readonly string[] {
  try {
    return Object.values(parseIndex(index).files);
  } catch {
    return [];
  }
}

/** The destination's records also list nodes that a load left alone, so the copy may have fewer paths. */
function isCopyOf({ folders, files }: CopyIndex, count: number, paths: ReadonlyMap<string, string>): boolean {
  const named = Object.entries(files);
  const areTheirs = named.every(([path, hash]) => paths.get(path) === hash);
  return named.length === count && areTheirs && folders.every((path) => paths.has(`${path}/`));
}
