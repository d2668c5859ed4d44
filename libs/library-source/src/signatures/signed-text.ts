/** What was signed, and what is claimed about it. */
export interface SignedText {
  /** The bytes that the signature covers. */
  readonly payload: Uint8Array;
  /** Armored; undefined if it is not signed. */
  readonly signature: string | undefined;
  /** When it was signed according to the signer, in seconds since 1970. */
  readonly seconds: number;
}

/** Whose signature it is. */
export interface Signer {
  /** SSH: the principals of the key; OpenPGP: the key's user ID. */
  readonly name: string;
  /** The key's fingerprint. */
  readonly key: string;
}

/** The signature does not prove that a listed signer made it. */
export class SignatureRefusal extends Error {
  override readonly name = 'SignatureRefusal';

  /** @param message completes "the commit …": the reason, and the remedy after a semicolon */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
  }
}
