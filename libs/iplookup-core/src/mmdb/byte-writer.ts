import { TYPE } from './mmdb-format.js';

/** Encodes values of a MaxMind DB data section into a growing buffer. */
export class ByteWriter {
  bytes = Buffer.alloc(1 << 16);
  view = viewOf(this.bytes);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  /** Writes a value's control bytes. */
  control(type: number, size: number): void {
    this.reserve(8);
    const short = size < 29 ? size : size < 285 ? 29 : size < 65_821 ? 30 : 31;
    this.byte(((type <= 7 ? type : 0) << 5) | short);
    if (type > 7) this.byte(type - 7);
    if (short === 29) this.byte(size - 29);
    else if (short === 30) this.unsigned(size - 285, 2);
    else if (short === 31) this.unsigned(size - 65_821, 3);
  }

  text(text: string): void {
    const bytes = Buffer.from(text);
    this.utf8(bytes, 0, bytes.length);
  }

  /** Writes a string given as UTF-8 bytes from `start` to `end`. */
  utf8(bytes: Uint8Array, start: number, end: number): void {
    this.control(TYPE.string, end - start);
    this.reserve(end - start);
    if (end - start > 32) this.bytes.set(bytes.subarray(start, end), this.length);
    else for (let i = start; i < end; i++) this.bytes[this.length + i - start] = bytes[i]!;
    this.length += end - start;
  }

  /** Writes bytes as they are, from `start` to `end`. */
  raw(bytes: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    this.bytes.set(bytes.subarray(start, end), this.length);
    this.length += end - start;
  }

  /** Writes bytes of another writer, from `start` to `end`, in steps of four. */
  copy({ view }: ByteWriter, start: number, end: number): void {
    this.reserve(end - start + 3);
    const shift = this.length - start;
    const last = Math.min(end, view.byteLength - 3);
    let i = start;
    for (; i < last; i += 4) this.view.setInt32(i + shift, view.getInt32(i));
    for (; i < end; i++) this.view.setUint8(i + shift, view.getUint8(i));
    this.length += end - start;
  }

  /** Writes an IPv4 address as a dotted decimal string. */
  ipv4Text(word: number): void {
    this.reserve(16);
    const control = this.length++;
    for (let shift = 24; shift >= 0; shift -= 8) {
      const octet = (word >>> shift) & 255;
      if (octet >= 100) this.byte(48 + ((octet / 100) | 0));
      if (octet >= 10) this.byte(48 + (((octet / 10) | 0) % 10));
      this.byte(48 + (octet % 10));
      if (shift > 0) this.byte(46);
    }
    this.bytes[control] = (TYPE.string << 5) | (this.length - control - 1);
  }

  double(value: number): void {
    this.control(TYPE.double, 8);
    this.reserve(8);
    this.view.setFloat64(this.length, value);
    this.length += 8;
  }

  /** Writes an unsigned or 32-bit integer in as few bytes as possible. */
  integer(type: number, value: number): void {
    if (value < 0) {
      this.control(type, 4);
      this.unsigned(value >>> 0, 4);
      return;
    }
    let size = 0;
    while (size < 8 && value >= 256 ** size) size++;
    this.control(type, size);
    this.unsigned(value, size);
  }

  pointer(offset: number): void {
    this.reserve(5);
    if (offset < POINTER_BASES[3]) {
      this.byte(0x20 | (offset >>> 8));
      this.byte(offset & 255);
    } else if (offset < POINTER_BASES[4]) {
      const value = offset - POINTER_BASES[3];
      this.byte(0x28 | (value >>> 16));
      this.byte((value >>> 8) & 255);
      this.byte(value & 255);
    } else if (offset < POINTER_BASES[5]) {
      const value = offset - POINTER_BASES[4];
      this.byte(0x30 | (value >>> 24));
      this.byte((value >>> 16) & 255);
      this.byte((value >>> 8) & 255);
      this.byte(value & 255);
    } else {
      this.byte(0x38);
      this.unsigned(offset, 4);
    }
  }

  reserve(size: number): void {
    if (this.length + size <= this.bytes.length) return;
    const grown = Buffer.alloc(Math.max(this.bytes.length * 2, this.length + size));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
    this.view = viewOf(grown);
  }

  private byte(value: number): void {
    this.bytes[this.length++] = value;
  }

  private unsigned(value: number, size: number): void {
    this.reserve(size);
    for (let rest = value, at = this.length + size - 1; at >= this.length; at--) {
      this.bytes[at] = rest % 256;
      rest = Math.floor(rest / 256);
    }
    this.length += size;
  }
}

/** Size of the control bytes of a value of one of the first seven types. */
export function controlBytes(size: number): number {
  return size < 29 ? 1 : size < 285 ? 2 : size < 65_821 ? 3 : 4;
}

/** Size of what {@link ByteWriter.ipv4Text} writes. */
export function ipv4TextBytes(word: number): number {
  let bytes = 8;
  for (let shift = 24; shift >= 0; shift -= 8) {
    const octet = (word >>> shift) & 255;
    if (octet >= 10) bytes += octet >= 100 ? 2 : 1;
  }
  return bytes;
}

/** The first offset that needs a pointer of this many bytes. */
const POINTER_BASES = { 3: 2048, 4: 526_336, 5: 134_744_064 } as const;

/** Size of a pointer to this offset. */
export function pointerBytes(offset: number): number {
  return offset < POINTER_BASES[3] ? 2 : offset < POINTER_BASES[4] ? 3 : offset < POINTER_BASES[5] ? 4 : 5;
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
