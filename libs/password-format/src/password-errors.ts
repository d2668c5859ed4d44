/** The key is unusable. The message names sizes and forms, never key material. */
export class InvalidKeyError extends Error {
  override readonly name = 'InvalidKeyError';

  /**
   * @param code `empty`; `size`: not the size of an AES key; `ambiguous`: valid in more than one form;
   *   `malformed`: not valid JWK, hex or base64; `constant`: one byte repeated
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

/** The password cannot be decrypted. The message never contains the password or the key. */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';

  /**
   * @param code `malformed`: not a JWE in compact serialization; `unsupported`: an algorithm or header we reject;
   *   `unknown_key`: none of our keys; `tampered`: the authentication tag does not match
   */
  constructor(
    readonly code: 'malformed' | 'unsupported' | 'unknown_key' | 'tampered',
    message: string,
  ) {
    super(message);
  }
}
