import { APOSTROPHE, BACKSLASH, QUOTE } from './yaml-tokens.js';

/** Above this size, a set is faster than a linear search. */
const LIST_LIMIT = 8;
/** YAML 1.2 section 7.4.2: a key without `?` has at most 1024 characters. */
const LONGEST_KEY = 1_000;

/** Scalars whose value can be written in several ways: null, booleans, and numbers other than plain decimals. */
const AMBIGUOUS = /^(?:[-+.~].*|0\d.*|\d+\D.*|\d{16,}|null|true|false)$/i;

/** The keys of one mapping, as offsets into the text. Reusable: call `clear` before each mapping. */
export class KeyList {
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private count = 0;
  private set: Set<string> | undefined;

  constructor(private readonly text: Uint8Array) {}

  clear(): void {
    this.count = 0;
    this.set = undefined;
  }

  /** @returns false for a duplicate key, or if only the full parser can decide */
  add(start: number, end: number): boolean {
    const { text } = this;
    if (end - start > LONGEST_KEY || end <= start) return false;
    const first = text[start]!;
    if (first === QUOTE || first === APOSTROPHE) {
      return isUnescaped(text, start + 1, end - 1) && this.addContent(start + 1, end - 1);
    }
    return (
      !(mayBeAmbiguous(first, text[start + 1]!, end - start) && AMBIGUOUS.test(decode(text, start, end))) &&
      this.addContent(start, end)
    );
  }

  private addContent(start: number, end: number): boolean {
    if (this.set) {
      const key = decode(this.text, start, end);
      if (this.set.has(key)) return false;
      this.set.add(key);
      return true;
    }
    const { starts, ends } = this;
    for (let index = 0; index < this.count; index += 1) {
      if (equal(this.text, starts[index]!, ends[index]!, start, end)) return false;
    }
    starts[this.count] = start;
    ends[this.count] = end;
    this.count += 1;
    if (this.count > LIST_LIMIT) {
      this.set = new Set(
        starts.slice(0, this.count).map((from, index) => decode(this.text, from, ends[index]!)),
      );
    }
    return true;
  }
}

function equal(text: Uint8Array, startA: number, endA: number, startB: number, endB: number): boolean {
  if (endA - startA !== endB - startB) return false;
  for (let offset = endA - startA - 1; offset >= 0; offset -= 1) {
    if (text[startA + offset] !== text[startB + offset]) return false;
  }
  return true;
}

function isUnescaped(text: Uint8Array, start: number, end: number): boolean {
  for (let pos = start; pos < end; pos += 1) {
    if (text[pos] === BACKSLASH || text[pos] === APOSTROPHE) return false;
  }
  return true;
}

function decode(text: Uint8Array, start: number, end: number): string {
  return Buffer.from(text.buffer, text.byteOffset + start, end - start).toString('latin1');
}

/** A fast pre-check: numbers start with a digit or sign, and the words are recognized by two letters. */
function mayBeAmbiguous(first: number, second: number, length: number): boolean {
  if (first < 0x41 || first === TILDE) return true;
  if (length !== 4 && length !== 5) return false;
  const letters = ((first | 0x20) << 8) | second | 0x20;
  return letters === NU || letters === TR || letters === FA;
}

const TILDE = 0x7e;
const [NU, TR, FA] = ['nu', 'tr', 'fa'].map((letters) => Buffer.from(letters).readUInt16BE());
