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

/** The password cannot be encrypted, or not for this place. */
export class InvalidPasswordError extends Error {
  override readonly name = 'InvalidPasswordError';

  constructor(
    readonly code: 'empty' | 'too_long' | 'not_text' | 'invalid_place',
    message: string,
  ) {
    super(message);
  }
}

/** The password cannot be decrypted. The message never contains the password or the key. */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';

  /**
   * @param code `malformed`: not a JWE; `unsupported`: an algorithm or header we reject;
   *   `unknown_key`: none of our keys; `tampered`: the authentication tag does not match; `misplaced`: bound to another place
   */
  constructor(
    readonly code: 'malformed' | 'unsupported' | 'unknown_key' | 'tampered' | 'misplaced',
    message: string,
  ) {
    super(message);
  }
}
