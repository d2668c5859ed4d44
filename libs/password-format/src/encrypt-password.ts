import { CompactEncrypt } from 'jose/jwe/compact/encrypt';
import { InvalidPasswordError } from './password-errors.js';
import type { PasswordKey } from './password-key.js';

/** In bytes of UTF-8. */
export const MAX_PASSWORD_BYTES = 65_536;

/**
 * Encrypts a password into the service's password format: a JWE in compact serialization (RFC 7516 section 3.1) with `alg`
 * dir, `enc` by the key's size, and `kid`. Encrypting twice gives different results: the initialization vector is random.
 *
 * @throws {InvalidPasswordError} if the password is empty, over 64 KiB or not well-formed Unicode
 * @throws {InvalidKeyError} see `PasswordKey.assertEncrypts`
 */
export async function encryptPassword(password: string, key: PasswordKey): Promise<string> {
  key.assertEncrypts();
  return new CompactEncrypt(toPasswordBytes(password))
    .setProtectedHeader({ alg: 'dir', enc: key.enc, kid: key.kid })
    .encrypt(key.bytes());
}

/**
 * Decodes a password from a file, pipe or request. One trailing LF or CRLF is dropped, since editors add it.
 *
 * @throws {InvalidPasswordError} when the password is empty, over 64 KiB or not UTF-8
 */
export function decodePassword(bytes: Uint8Array): string {
  const password = withoutLineBreak(bytes);
  assertSize(password.length);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(password);
  } catch {
    throw new InvalidPasswordError('not_text', 'the password is not UTF-8 text');
  }
}

function withoutLineBreak(bytes: Uint8Array): Uint8Array {
  if (bytes.at(-1) !== 0x0a) return bytes;
  return bytes.subarray(0, bytes.at(-2) === 0x0d ? -2 : -1);
}

function toPasswordBytes(password: string): Uint8Array {
  if (/\p{Surrogate}/u.test(password)) {
    throw new InvalidPasswordError('not_text', 'the password is not well-formed Unicode text');
  }
  const bytes = new TextEncoder().encode(password);
  assertSize(bytes.length);
  return bytes;
}

function assertSize(bytes: number): void {
  if (bytes === 0) throw new InvalidPasswordError('empty', 'the password is empty');
  if (bytes > MAX_PASSWORD_BYTES) {
    throw new InvalidPasswordError('too_long', `the password is longer than ${MAX_PASSWORD_BYTES} bytes`);
  }
}
