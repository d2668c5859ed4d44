import { type Lookup, openLookup, readLookupBytes } from '@svc/iplookup-core';

/** Lookups kept in memory take at most this many bytes, the latest one always being kept. */
const MAX_BYTES = 2 ** 30;

interface Entry {
  readonly etag: string;
  readonly bytes: number;
  readonly lookup: Promise<Lookup>;
}

/** Keeps lookup files open in memory for single questions, the least recently asked leaving first. */
export class LookupCache {
  private readonly entries = new Map<string, Entry>();

  /**
   * @param etag of the file as it is now: an entry for another one is read anew
   * @throws {LookupFormatError} when the file is no lookup file
   */
  open(path: string, etag: string, bytes: number): Promise<Lookup> {
    const known = this.entries.get(path);
    this.entries.delete(path);
    const entry = known?.etag === etag ? known : { etag, bytes, lookup: read(path) };
    this.entries.set(path, entry);
    entry.lookup.catch(() => this.entries.delete(path));
    this.trim();
    return entry.lookup;
  }

  private trim(): void {
    let total = 0;
    for (const [path, { bytes }] of [...this.entries].reverse()) {
      total += bytes;
      if (total > MAX_BYTES && path !== [...this.entries.keys()].at(-1)) this.entries.delete(path);
    }
  }
}

async function read(path: string): Promise<Lookup> {
  return openLookup(await readLookupBytes(path));
}
