import { hash as digestOf } from 'node:crypto';

export interface ShaCryptOptions {
  readonly algorithm: 'sha256' | 'sha512';
  readonly rounds: number;
  /** Up to 16 bytes. */
  readonly salt: Buffer;
}

/** The base-64 digits of crypt(3). */
const DIGITS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * The digest of crypt(3) with SHA-256 (`$5$`) or SHA-512 (`$6$`), as text. It blocks for up to seconds.
 *
 * @see Ulrich Drepper, Unix crypt using SHA-256 and SHA-512, whose steps the comments number
 */
export function shaCrypt(secret: string, { algorithm, rounds, salt }: ShaCryptOptions): string {
  const key = Buffer.from(secret);
  const digest = (...parts: readonly Uint8Array[]) => digestOf(algorithm, Buffer.concat(parts), 'buffer');
  // 1 to 12
  const other = digest(key, salt, key);
  const bits: Buffer[] = [];
  for (let rest = key.length; rest > 0; rest >>>= 1) bits.push(rest % 2 === 1 ? other : key);
  const first = digest(key, salt, stretched(other, key.length), ...bits);
  // 13 to 20
  const keys = stretched(digest(...Array.from({ length: key.length }, () => key)), key.length);
  const salts = stretched(digest(...Array.from({ length: 16 + first[0]! }, () => salt)), salt.length);
  // 21
  let last = first;
  for (let round = 0; round < rounds; round += 1) {
    const isOdd = round % 2 === 1;
    const parts = [isOdd ? keys : last];
    if (round % 3 !== 0) parts.push(salts);
    if (round % 7 !== 0) parts.push(keys);
    parts.push(isOdd ? last : keys);
    last = digest(...parts);
  }
  return algorithm === 'sha256' ? encodeSha256(last) : encodeSha512(last);
}

/** The bytes repeated, up to a length. */
function stretched(bytes: Buffer, length: number): Buffer {
  return Buffer.alloc(length, bytes);
}

/** 22 e, for SHA-256: three bytes of each third, in turns. */
function encodeSha256(digest: Buffer): string {
  let [text, a, b, c] = ['', 0, 10, 20];
  for (let group = 0; group < 10; group += 1) {
    text += digits(digest[a]!, digest[b]!, digest[c]!, 4);
    [a, b, c] = [c + 1, a + 1, b + 1];
  }
  return text + digits(0, digest[31]!, digest[30]!, 3);
}

/** 22 e, for SHA-512. */
function encodeSha512(digest: Buffer): string {
  let [text, a, b, c] = ['', 0, 21, 42];
  for (let group = 0; group < 21; group += 1) {
    text += digits(digest[a]!, digest[b]!, digest[c]!, 4);
    [a, b, c] = [b + 1, c + 1, a + 1];
  }
  return text + digits(0, 0, digest[63]!, 2);
}

/** Three bytes as digits, the lowest first. */
function digits(high: number, middle: number, low: number, count: number): string {
  const value = (high << 16) | (middle << 8) | low;
  return Array.from({ length: count }, (_, at) => DIGITS[(value >>> (6 * at)) & 63]).join('');
}
