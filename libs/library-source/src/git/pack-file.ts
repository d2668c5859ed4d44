import { closeSync, readSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { openUnnamedFile } from '@svc/foundation/files';
import { SourceUnreachableError } from '@svc/library-sync';

/** Far more than most objects of a pack have. */
const WINDOW_BYTES = 1 << 20;

/** A pack in a temporary file, read through a window, so that even a large one takes little memory. */
export class PackFile {
  private readonly file = inTemporaryFolder(openUnnamedFile);
  private readonly window = Buffer.allocUnsafeSlow(WINDOW_BYTES);
  private windowStart = 0;
  private windowEnd = 0;
  private bytes = 0;

  get length(): number {
    return this.bytes;
  }

  /** @throws {SourceUnreachableError} if there is no room */
  append(data: Uint8Array): void {
    for (let end = 0; end < data.length;) {
      const write = (): number => writeSync(this.file, data, end, data.length - end, this.bytes);
      const written = inTemporaryFolder(write);
      this.bytes += written;
      end += written;
    }
  }

  /**
   * @param bytes at most {@link WINDOW_BYTES}
   * @returns up to that many bytes, fewer at the end; valid until the next call
   */
  at(offset: number, bytes: number): Buffer {
    const end = Math.min(offset + bytes, this.bytes);
    if (offset < this.windowStart || end > this.windowEnd) {
      this.windowStart = offset;
      this.windowEnd = offset + readSync(this.file, this.window, 0, WINDOW_BYTES, offset);
    }
    return this.window.subarray(offset - this.windowStart, end - this.windowStart);
  }

  close(): void {
    closeSync(this.file);
  }
}

/** @throws {SourceUnreachableError} naming the folder and the remedy */
function inTemporaryFolder<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new SourceUnreachableError(
      `cannot keep what the Git server sends in ${tmpdir()} (${code}): make room there, or set TMPDIR to another folder`,
      { cause: error },
    );
  }
}
