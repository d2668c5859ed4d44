import { LookupFormatError } from './mmdb.errors.js';
import { TYPE } from './mmdb-format.js';

/**
 * A value of the data section. 64-bit integers are numbers if exact, otherwise bigints; 128-bit ones are always
 * bigints.
 */
export type LookupValue =
  string | number | bigint | boolean | Uint8Array | readonly LookupValue[] | LookupRecord;

/** An address's record: column name to value. Frozen, since it is shared between calls. */
export interface LookupRecord {
  readonly [column: string]: LookupValue;
}

/** Deeper nesting indicates a malicious file. */
export const MAX_DEPTH = 32;

/** More values in one indicate a malicious file, whose pointers lead to the same values again and again. */
const MAX_VALUES = 1 << 20;

/** Text that counts as one of these values. */
const BYTES_PER_VALUE = 64;

/** Cached strings by offset, since records share them; cleared when full. */
const MAX_CACHED_STRINGS = 262_144;

const utf8 = new TextDecoder();

/** Decodes values of the data section or the metadata. */
export class ValueDecoder {
  /** Position after the last value read, relative to `base`; for a pointer, after the pointer itself. */
  next = 0;
  /** Values that the last call of {@link decode} read, with long text counted as several. */
  count = 0;
  private readonly view: DataView;
  private readonly strings = new Map<number, string>();

  /**
   * @param base position of offset 0 in `bytes`
   * @param end where the section ends
   */
  constructor(
    protected readonly bytes: Uint8Array,
    protected readonly base: number,
    private readonly end: number,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** @throws {LookupFormatError} unless there is a complete, valid value at `offset` */
  decode(offset: number): LookupValue {
    this.count = 0;
    return this.valueAt(offset, 0);
  }

  private valueAt(offset: number, depth: number): LookupValue {
    const at = this.base + offset;
    if (at >= this.end) throw this.formatError(offset, 'a value lies outside its section');
    this.add(offset, 1);
    const control = this.bytes[at]!;
    const type = control >>> 5;
    if (type === TYPE.pointer) return this.pointedAt(offset, control, depth);
    if (type === TYPE.string) return this.stringAt(offset, control);
    if (depth > MAX_DEPTH)
      throw this.formatError(offset, `values are nested more than ${MAX_DEPTH} levels deep`);
    if (type !== 0) return this.sized(type, offset + 1, control, depth);
    return this.sized(this.bytes[at + 1]! + 7, offset + 2, control, depth);
  }

  private add(offset: number, count: number): void {
    this.count += count;
    if (this.count > MAX_VALUES)
      throw this.formatError(offset, `a value contains more than ${MAX_VALUES} values, or 64 MiB of text`);
  }

  private pointedAt(offset: number, control: number, depth: number): LookupValue {
    const target = this.pointer(offset, control);
    const after = this.next;
    const type = this.bytes[this.base + target]! >>> 5;
    if (type === TYPE.pointer) throw this.formatError(offset, 'a pointer leads to a pointer');
    const value = type === TYPE.string ? this.sharedString(target) : this.valueAt(target, depth + 1);
    this.next = after;
    return value;
  }

  private sharedString(offset: number): string {
    let text = this.strings.get(offset);
    if (text === undefined) {
      text = this.stringAt(offset, this.bytes[this.base + offset]!);
      if (this.strings.size >= MAX_CACHED_STRINGS) this.strings.clear();
      this.strings.set(offset, text);
    }
    return text;
  }

  /** Resolves the pointer at `offset`; sets `next` to the position after it. */
  protected pointer(offset: number, control: number): number {
    const at = this.base + offset + 1;
    const high = control & 7;
    switch ((control >>> 3) & 3) {
      case 0:
        this.next = offset + 2;
        return this.inside(offset, high * 256 + this.bytes[at]!);
      case 1:
        this.next = offset + 3;
        return this.inside(offset, high * 65_536 + this.bytes[at]! * 256 + this.bytes[at + 1]! + 2048);
      case 2:
        this.next = offset + 4;
        return this.inside(offset, high * 16_777_216 + this.unsigned(at, 3) + 526_336);
      default:
        this.next = offset + 5;
        return this.inside(offset, this.unsigned(at, 4));
    }
  }

  private inside(offset: number, target: number): number {
    if (this.base + target >= this.end || this.base + this.next > this.end) {
      throw this.formatError(offset, 'a pointer leads outside the data section');
    }
    return target;
  }

  private stringAt(offset: number, control: number): string {
    const size = this.size(offset + 1, control);
    const from = this.base + this.next;
    this.take(size);
    this.add(offset, Math.floor(size / BYTES_PER_VALUE));
    return utf8.decode(this.bytes.subarray(from, from + size));
  }

  private sized(type: number, offset: number, control: number, depth: number): LookupValue {
    const size = this.size(offset, control);
    switch (type) {
      case TYPE.map:
        return this.map(size, depth);
      case TYPE.array:
        return this.array(size, depth);
      case TYPE.boolean:
        return size === 1;
      case TYPE.bytes:
        this.add(offset, Math.floor(size / BYTES_PER_VALUE));
        return this.bytes.slice(this.base + this.next, this.base + this.take(size));
      case TYPE.double:
      case TYPE.float:
        return this.floating(type, size);
      case TYPE.int32:
        return this.integer(size, 4) | 0;
      case TYPE.uint16:
        return this.integer(size, 2);
      case TYPE.uint32:
        return this.integer(size, 4);
      case TYPE.uint64:
      case TYPE.uint128:
        return this.big(type, size);
      default:
        throw this.formatError(offset, `a value has the unknown type ${type}`);
    }
  }

  private map(size: number, depth: number): LookupRecord {
    const record: Record<string, LookupValue> = {};
    for (let i = 0; i < size; i++) {
      const offset = this.next;
      const key = this.valueAt(offset, depth + 1);
      if (typeof key !== 'string') throw this.formatError(offset, 'the key of a map is not a string');
      const value = this.valueAt(this.next, depth + 1);
      if (key === '__proto__') Object.defineProperty(record, key, { value, enumerable: true });
      else record[key] = value;
    }
    return Object.freeze(record);
  }

  private array(size: number, depth: number): readonly LookupValue[] {
    const values: LookupValue[] = [];
    for (let i = 0; i < size; i++) values.push(this.valueAt(this.next, depth + 1));
    return Object.freeze(values);
  }

  private floating(type: number, size: number): number {
    const at = this.base + this.next;
    if (size !== (type === TYPE.double ? 8 : 4))
      throw this.formatError(this.next, 'a floating-point number has a wrong size');
    this.take(size);
    return size === 8 ? this.view.getFloat64(at) : this.view.getFloat32(at);
  }

  private integer(size: number, most: number): number {
    const at = this.base + this.next;
    if (size > most) throw this.formatError(this.next, 'an integer has a wrong size');
    this.take(size);
    return this.unsigned(at, size);
  }

  private big(type: number, size: number): number | bigint {
    const at = this.base + this.next;
    if (size > (type === TYPE.uint64 ? 8 : 16))
      throw this.formatError(this.next, 'an integer has a wrong size');
    this.take(size);
    let value = 0n;
    for (let i = 0; i < size; i++) value = (value << 8n) | BigInt(this.bytes[at + i]!);
    return type === TYPE.uint64 && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  }

  /** Reads a value's size; sets `next` to its payload. */
  protected size(offset: number, control: number): number {
    const size = control & 31;
    const extra = size < 29 ? 0 : size - 28;
    this.next = offset + extra;
    if (extra === 0) return size;
    const value = this.unsigned(this.base + offset, extra);
    return value + (extra === 1 ? 29 : extra === 2 ? 285 : 65_821);
  }

  /** Skips a payload and returns its end. */
  protected take(size: number): number {
    const offset = this.next;
    this.next = offset + size;
    if (this.base + this.next > this.end) throw this.formatError(offset, 'a value is truncated');
    return this.next;
  }

  private unsigned(at: number, size: number): number {
    let value = 0;
    for (let i = 0; i < size; i++) value = value * 256 + this.bytes[at + i]!;
    return value;
  }

  protected formatError(offset: number, reason: string): LookupFormatError {
    return new LookupFormatError(`${reason} (at byte ${this.base + offset} of the file)`);
  }
}
