import { readOpenLookup } from '@svc/iplookup-core';
import type { OpenLookupFile } from './lookup-files.js';

/** Maximum size of cached lookups in bytes; the latest is always kept. */
const MAX_BYTES = 2 ** 30;

interface Entry {
  readonly etag: string;
  /** The file's size until it is read, then its decompressed size. */
  bytes: number;
  readonly content: Promise<Uint8Array>;
}

/**
 * Caches the content of lookup files for single queries, evicting the least recently used. Nothing else is cached, so that
 * a lookup takes no more memory than its size.
 */
export class LookupCache {
  private readonly entries = new Map<string, Entry>();

  /** @param maxBytes of all entries, and of a gzipped lookup once it is decompressed */
  constructor(private readonly maxBytes: number = MAX_BYTES) {}

  /** Bytes of all entries. */
  get bytes(): number {
    return [...this.entries.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * The content of a lookup file, decompressed. Closes the file.
   *
   * @throws {InputFileError} if it cannot be read, or becomes too large
   */
  async read(file: OpenLookupFile): Promise<Uint8Array> {
    const known = this.entries.get(file.file);
    this.entries.delete(file.file);
    if (known?.etag === file.etag) {
      this.entries.set(file.file, known);
      await file.handle.close();
      return known.content;
    }
    const content = readOpenLookup(file.handle, file.file, { maxLookupBytes: this.maxBytes });
    const entry: Entry = { etag: file.etag, bytes: file.bytes, content };
    this.entries.set(file.file, entry);
    try {
      entry.bytes = (await content).length;
    } catch (error) {
      if (this.entries.get(file.file) === entry) this.entries.delete(file.file);
      throw error;
    } finally {
      await file.handle.close();
      this.trim();
    }
    return content;
  }

  private trim(): void {
    for (const name of this.entries.keys()) {
      if (this.bytes <= this.maxBytes || this.entries.size === 1) return;
      this.entries.delete(name);
    }
  }
}
