import { createHmac } from 'node:crypto';
import { InvalidKeyError } from './password-errors.js';

/** Content encryption by key size in bytes (RFC 7518 section 5.3). */
export const ENCRYPTIONS = { 16: 'A128GCM', 24: 'A192GCM', 32: 'A256GCM' } as const;

export type Encryption = (typeof ENCRYPTIONS)[keyof typeof ENCRYPTIONS];

/** What the key id is computed over. A plain hash of a key would let anyone test guesses of it (RFC 7638 section 7). */
const KEY_ID_LABEL = 'encpwd kid';

const KEY_ID_BYTES = 8;

/** An AES key. Its bytes appear in no log and no JSON: they are handed out only by {@link PasswordKey.bytes}. */
export class PasswordKey {
  readonly enc: Encryption;
  /** The first 8 bytes of HMAC-SHA-256(key, "encpwd kid"), base64url: 11 characters. */
  readonly kid: string;
  readonly #bytes: Uint8Array;

  /**
   * @param bytes 16, 24 or 32 bytes; copied
   * @throws {InvalidKeyError} for another size
   */
  constructor(bytes: Uint8Array) {
    if (!isKeySize(bytes.length)) {
      throw new InvalidKeyError('size', `a key has 16, 24 or 32 bytes, not ${bytes.length}`);
    }
    this.enc = ENCRYPTIONS[bytes.length];
    this.#bytes = Uint8Array.from(bytes);
    this.kid = createHmac('sha256', this.#bytes)
      .update(KEY_ID_LABEL)
      .digest()
      .subarray(0, KEY_ID_BYTES)
      .toString('base64url');
  }

  bytes(): Uint8Array {
    return this.#bytes;
  }
}

export function isKeySize(length: number): length is keyof typeof ENCRYPTIONS {
  return length in ENCRYPTIONS;
}

/** Keys in the order in which they stand: the first encrypts, all decrypt. */
export type PasswordKeys = readonly [PasswordKey, ...PasswordKey[]];
