import { randomBytes } from 'node:crypto';
import { PasswordKey } from '@svc/password-format';

/** Sizes of AES keys in bits, as the command line takes them. */
export const KEY_BITS = ['128', '192', '256'] as const;

/** A new random key. */
export function makeKey(bits: (typeof KEY_BITS)[number]): PasswordKey {
  return new PasswordKey(randomBytes(Number(bits) / 8));
}
