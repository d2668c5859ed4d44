import { createHmac } from 'node:crypto';
import { ENCRYPTIONS, isKeySize } from './key-form.js';
import { InvalidKeyError } from './password-errors.js';
import type { KeyPair } from './sealing-keys.js';

export type Encryption = (typeof ENCRYPTIONS)[keyof typeof ENCRYPTIONS];

/** HMAC input for the key id: a plain hash of the key would let anyone test guesses (RFC 7638 section 7). */
const KEY_ID_LABEL = 'encpwd kid';

const KEY_ID_BYTES = 8;

/** An AES key. Its bytes are private so that they cannot end up in logs or JSON; only {@link PasswordKey.bytes} returns them. */
export class PasswordKey {
  readonly enc: Encryption;
  /** The first 8 bytes of HMAC-SHA-256(key, "encpwd kid"), base64url: 11 characters. */
  readonly kid: string;
  readonly #bytes: Uint8Array;

  /**
   * @param bytes 16, 24 or 32 bytes; copied
   * @throws {InvalidKeyError} for any other size
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

  /** True for one byte repeated, such as all zeros: the first keys that an attacker tries. */
  get isConstant(): boolean {
    return this.#bytes.every((byte) => byte === this.#bytes[0]);
  }

  /** @throws {InvalidKeyError} `constant`; such a key can still decrypt, so that passwords can be rotated away from it */
  assertEncrypts(): void {
    if (!this.isConstant) return;
    throw new InvalidKeyError(
      'constant',
      `key ${this.kid} is one byte repeated, which is easily guessed; generate a new one with "svccmd keygen"`,
    );
  }

  bytes(): Uint8Array {
    return this.#bytes;
  }
}

/** A key that decrypts. */
export type OpeningKey = PasswordKey | KeyPair;

/** In file order: the first encrypts, all decrypt. */
export type PasswordKeys = readonly [OpeningKey, ...OpeningKey[]];
