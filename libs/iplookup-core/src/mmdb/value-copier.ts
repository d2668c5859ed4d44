import type { ByteWriter } from './byte-writer.js';
import { MAX_DEPTH, ValueDecoder } from './decode-value.js';
import { TYPE } from './mmdb-format.js';

/** More indicates a malicious file, whose pointers lead to the same values again and again. */
const MAX_VALUE_BYTES = 1 << 20;

/** What a value's first bytes tell. */
export interface ValueHead {
  readonly type: number;
  /** Entries of a map or array; otherwise the size of the payload, or a boolean's value. */
  readonly size: number;
  /** Offset of the payload. */
  readonly payload: number;
  /** For a pointer: where it leads. Then `payload` is after the pointer. */
  readonly target?: number;
}

/** Copies values of a data section in their encoded form, so that they keep their types. */
export class ValueCopier extends ValueDecoder {
  /** @throws {LookupFormatError} */
  head(offset: number): ValueHead {
    const control = this.byteAt(offset);
    const short = control >>> 5;
    if (short === TYPE.pointer) {
      const target = this.pointer(offset, control);
      const payload = this.next;
      if (this.byteAt(target) >>> 5 === TYPE.pointer)
        throw this.formatError(offset, 'a pointer leads to a pointer');
      return { type: short, size: 0, payload, target };
    }
    const type = short === 0 ? this.byteAt(offset + 1) + 7 : short;
    const size = this.size(short === 0 ? offset + 2 : offset + 1, control);
    return { type, size, payload: this.next };
  }

  /**
   * Writes the value at `offset` without pointers.
   *
   * @returns the offset after it
   * @throws {LookupFormatError}
   */
  copy(offset: number, target: ByteWriter, depth = 0): number {
    if (depth > MAX_DEPTH)
      throw this.formatError(offset, `values are nested more than ${MAX_DEPTH} levels deep`);
    if (target.length > MAX_VALUE_BYTES)
      throw this.formatError(offset, `a value has more than ${MAX_VALUE_BYTES} bytes`);
    const { type, size, payload, target: place } = this.head(offset);
    if (place !== undefined) {
      this.copy(place, target, depth + 1);
      return payload;
    }
    target.control(type, size);
    if (type === TYPE.map || type === TYPE.array) {
      let next = payload;
      for (let left = type === TYPE.map ? 2 * size : size; left > 0; left--)
        next = this.copy(next, target, depth + 1);
      return next;
    }
    this.next = payload;
    const after = this.take(type === TYPE.boolean ? 0 : size);
    target.raw(this.bytes, this.base + payload, this.base + after);
    return after;
  }

  private byteAt(offset: number): number {
    this.next = offset;
    this.take(1);
    return this.bytes[this.base + offset]!;
  }
}
