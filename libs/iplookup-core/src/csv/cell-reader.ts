import { isUtf8 } from 'node:buffer';
import type { FieldBounds } from './scan-record.js';

const QUOTE = 34;

/** Reads the cells of a scanned record. */
export class CellReader {
  private unescaped = Buffer.alloc(1024);

  constructor(
    private readonly bytes: Buffer,
    private readonly fields: FieldBounds,
  ) {}

  /** The bytes of a cell, doubled quotes made single; valid until the next call. */
  bytesOf(index: number): Buffer {
    const raw = this.bytes.subarray(this.fields.starts[index]!, this.fields.ends[index]!);
    return this.fields.escaped[index] === 1 ? this.unescape(raw) : raw;
  }

  text(index: number): string {
    return this.bytesOf(index).toString('utf8');
  }

  texts(): string[] {
    return Array.from({ length: this.fields.count }, (_, index) => this.text(index));
  }

  /** The first cell that is no valid UTF-8, or -1. */
  invalidUtf8(): number {
    const { starts, ends, count } = this.fields;
    if (isUtf8(this.bytes.subarray(starts[0]!, ends[count - 1]!))) return -1;
    for (let index = 0; index < count; index++) if (!isUtf8(this.bytesOf(index))) return index;
    return -1;
  }

  private unescape(raw: Buffer): Buffer {
    if (raw.length > this.unescaped.length) this.unescaped = Buffer.alloc(raw.length);
    let length = 0;
    for (let i = 0; i < raw.length; i++) {
      const byte = raw[i]!;
      this.unescaped[length++] = byte;
      if (byte === QUOTE) i++;
    }
    return this.unescaped.subarray(0, length);
  }
}
