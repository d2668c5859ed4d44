import { ContentFile, type StoredContent } from './content-file.js';
import { BufferPool } from './plain-file.js';

/** Contents that stay in memory, in bytes. */
const MEMORY_BYTES = 32 << 20;
/** More than most files have. */
const SCRATCH_BYTES = 1 << 20;

export interface ContentStoreOptions {
  /** Contents that stay in memory, in bytes. */
  readonly memoryBytes?: number | undefined;
  /** An empty file to use, which the caller closes. Default: one of its own. */
  readonly file?: number | undefined;
}

/**
 * Keeps the contents of many files: the first ones in memory, the others in a temporary file, or in memory as well if that
 * file cannot be written.
 */
export class ContentStore {
  private readonly pool = new BufferPool();
  private scratch: Buffer | undefined;
  private inMemory = 0;
  private file: ContentFile | undefined;
  private canWrite = true;

  constructor(private readonly options: ContentStoreOptions = {}) {}

  /** @returns a buffer with arbitrary content, to be filled and passed to {@link keep} before the next call */
  allocate(bytes: number): Buffer {
    if (!this.isForFile(bytes) || bytes > SCRATCH_BYTES) return this.pool.allocate(bytes);
    this.scratch ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES);
    return this.scratch.subarray(0, bytes);
  }

  keep(data: Buffer): Buffer | StoredContent {
    if (!this.isForFile(data.length)) {
      this.inMemory += data.length;
      return data;
    }
    try {
      this.file ??= new ContentFile(this.options.file);
      return this.file.append(data);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      this.canWrite = false;
      return Buffer.from(data);
    }
  }

  /** Closes its own file: contents in it cannot be read any more. */
  release(): void {
    if (this.options.file === undefined) this.file?.close();
  }

  private isForFile(bytes: number): boolean {
    return this.canWrite && this.inMemory + bytes > (this.options.memoryBytes ?? MEMORY_BYTES);
  }
}
