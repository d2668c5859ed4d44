/** The key material is not usable. The message names sizes and forms, never the material. */
export class InvalidKeyError extends Error {
  override readonly name = 'InvalidKeyError';

  /**
   * @param code `empty`, `size`: the number of bytes fits no AES key; `ambiguous`: it can be read in two ways;
   *   `malformed`: it is not what it claims to be (a JWK, hex, base64); `constant`: it is one byte repeated
   */
  constructor(
    readonly code: 'empty' | 'size' | 'ambiguous' | 'malformed' | 'constant',
    message: string,
  ) {
    super(message);
  }
}

/** The password cannot be encrypted. */
export class InvalidPasswordError extends Error {
  override readonly name = 'InvalidPasswordError';

  constructor(
    readonly code: 'empty' | 'too_long' | 'not_text',
    message: string,
  ) {
    super(message);
  }
}

/** An encrypted password cannot be decrypted. The message says why, and nothing of the password or the key. */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';

  /**
   * @param code `malformed`: no JWE in compact serialization; `unsupported`: made in a way we refuse; `unknown_key`: made
   *   with a key that we do not have; `tampered`: the authentication tag does not fit
   */
  constructor(
    readonly code: 'malformed' | 'unsupported' | 'unknown_key' | 'tampered',
    message: string,
  ) {
    super(message);
  }
}
