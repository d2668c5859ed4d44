import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Written at once. */
const CHUNK_BYTES = 1 << 20;

/** A content in a temporary file. */
export interface StoredContent {
  readonly length: number;
  /** Where it starts; undefined if it has not been written yet. */
  readonly offset: number | undefined;
  /** @throws {Error} if the file is closed, or cannot be read */
  read(): Buffer;
}

/** Opens a file without a name: it is gone as soon as it is closed, or the process ends. */
export function openUnnamedFile(): number {
  const path = join(tmpdir(), `svccmd-contents-${randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return file;
}

/** Contents one after the other in a file, which several threads may share. */
export class ContentFile {
  /** What has not been written yet. */
  private tail: Buffer | undefined;
  private tailBytes = 0;
  private written = 0;
  private isOpen = true;

  /** @param file an empty one, or one whose contents are known from {@link StoredContent} */
  constructor(readonly file: number = openUnnamedFile()) {}

  /** @throws {NodeJS.ErrnoException} if there is no room; what was appended before can still be read */
  append(data: Buffer): StoredContent {
    if (this.tailBytes + data.length > CHUNK_BYTES) this.writeTail();
    const content = this.content(this.written + this.tailBytes, data.length);
    if (data.length > CHUNK_BYTES) this.write(data);
    else {
      this.tail ??= Buffer.allocUnsafeSlow(CHUNK_BYTES);
      this.tail.set(data, this.tailBytes);
      this.tailBytes += data.length;
    }
    return content;
  }

  content(offset: number, length: number): StoredContent {
    return new ContentInFile(this, offset, length);
  }

  isWritten(offset: number): boolean {
    return this.tailBytes === 0 || offset < this.written;
  }

  read(offset: number, length: number): Buffer {
    if (!this.isOpen) throw new Error('the contents of the files have been released');
    if (!this.isWritten(offset)) {
      const start = offset - this.written;
      return Buffer.from(this.tail!.subarray(start, start + length));
    }
    const data = Buffer.allocUnsafe(length);
    for (let end = 0; end < length;) {
      const count = readSync(this.file, data, end, length - end, offset + end);
      if (count === 0) throw new Error('a temporary file is shorter than what was written to it');
      end += count;
    }
    return data;
  }

  close(): void {
    if (this.isOpen) closeSync(this.file);
    this.isOpen = false;
  }

  private writeTail(): void {
    if (this.tail) this.write(this.tail.subarray(0, this.tailBytes));
    this.tailBytes = 0;
  }

  private write(data: Buffer): void {
    for (let end = 0; end < data.length;) {
      end += writeSync(this.file, data, end, data.length - end, this.written + end);
    }
    this.written += data.length;
  }
}

class ContentInFile implements StoredContent {
  constructor(
    private readonly file: ContentFile,
    private readonly start: number,
    readonly length: number,
  ) {}

  get offset(): number | undefined {
    return this.file.isWritten(this.start) ? this.start : undefined;
  }

  read(): Buffer {
    return this.file.read(this.start, this.length);
  }
}
