import { isUtf8 } from 'node:buffer';
import type { FieldBounds } from './scan-record.js';

const QUOTE = 34;

/** Reads the cells of a scanned record. */
export class CellReader {
  /** The selected cell's bytes, with doubled quotes resolved. Valid until the next selection. */
  bytes: Buffer;
  start = 0;
  end = 0;
  private unescaped = Buffer.alloc(1024);

  constructor(
    private readonly buffer: Buffer,
    private readonly fields: FieldBounds,
  ) {
    this.bytes = buffer;
  }

  select(index: number): void {
    const { starts, ends, escaped } = this.fields;
    this.bytes = this.buffer;
    this.start = starts[index]!;
    this.end = ends[index]!;
    if (escaped[index] === 1) this.unescape();
  }

  /** The text of the selected cell. */
  get selected(): string {
    return this.bytes.toString('utf8', this.start, this.end);
  }

  text(index: number): string {
    this.select(index);
    return this.selected;
  }

  texts(): string[] {
    return Array.from({ length: this.fields.count }, (_, index) => this.text(index));
  }

  /** The first cell that is not valid UTF-8, or -1. */
  invalidUtf8(): number {
    const { starts, ends, count } = this.fields;
    if (isUtf8(this.buffer.subarray(starts[0]!, ends[count - 1]!))) return -1;
    for (let index = 0; index < count; index++) {
      if (!isUtf8(this.buffer.subarray(starts[index]!, ends[index]!))) return index;
    }
    return -1;
  }

  private unescape(): void {
    const { buffer, start, end } = this;
    if (end - start > this.unescaped.length) this.unescaped = Buffer.alloc(end - start);
    let length = 0;
    for (let i = start; i < end; i++) {
      const byte = buffer[i]!;
      this.unescaped[length++] = byte;
      if (byte === QUOTE) i++;
    }
    this.bytes = this.unescaped;
    this.start = 0;
    this.end = length;
  }
}
