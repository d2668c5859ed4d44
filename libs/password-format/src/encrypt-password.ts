import { CompactEncrypt } from 'jose/jwe/compact/encrypt';
import { InvalidPasswordError } from './password-errors.js';
import type { PasswordKey } from './password-key.js';

/** Longest password, in bytes of UTF-8. */
export const MAX_PASSWORD_BYTES = 65_536;

/**
 * Encrypts a password into the service's password format: a JWE in compact serialization (RFC 7516 section 3.1) with `alg`
 * dir, `enc` by the key's size, and `kid`. Two encryptions of one password differ: the initialization vector is random.
 *
 * @throws {InvalidPasswordError} when it is empty, over 64 KiB or not well-formed Unicode
 */
export async function encryptPassword(password: string, key: PasswordKey): Promise<string> {
  return new CompactEncrypt(toPasswordBytes(password))
    .setProtectedHeader({ alg: 'dir', enc: key.enc, kid: key.kid })
    .encrypt(key.bytes());
}

/**
 * Reads bytes as a password.
 *
 * @throws {InvalidPasswordError} when they are none, too many, or no UTF-8
 */
export function decodePassword(bytes: Uint8Array): string {
  assertSize(bytes.length);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new InvalidPasswordError('not_text', 'the password is not UTF-8 text');
  }
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
