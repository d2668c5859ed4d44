import { CompactEncrypt } from 'jose/jwe/compact/encrypt';
import { ENCRYPTIONS } from './key-form.js';
import { InvalidPasswordError } from './password-errors.js';
import { isPlace } from './password-header.js';
import { PasswordKey } from './password-key.js';
import { type KeyPair, type Recipient, SEALING } from './sealing-keys.js';

/** In bytes of UTF-8. */
export const MAX_PASSWORD_BYTES = 65_536;

/** Recipients of one password. */
export const MAX_RECIPIENTS = 32;

/** What a password is encrypted to: a symmetric key, the public key of a pair, or public keys, each of which decrypts it. */
export type EncryptionTarget = PasswordKey | KeyPair | readonly [Recipient, ...Recipient[]];

/** Ids of the keys that decrypt what is encrypted to the target. */
export function kidsOf(target: EncryptionTarget): [string, ...string[]] {
  if (target instanceof PasswordKey) return [target.kid];
  const [first, ...others] = recipientsOf(target);
  return [first.kid, ...others.map(({ kid }) => kid)];
}

/**
 * Encrypts a password into the service's password format: a JWE with `enc` by the key's size, and `kid`. To one key, it is in
 * compact serialization (RFC 7516 section 3.1), to several in general JSON serialization (section 7.2.1). `alg` is dir for a
 * symmetric key, else ECDH-ES+A256KW. Encrypting twice gives different results: the initialization vector is random.
 *
 * @param place where the password belongs; goes into the protected header as `for`
 * @throws {InvalidPasswordError} if the password is empty, over 64 KiB or not well-formed Unicode, or the place invalid
 * @throws {InvalidKeyError} see `PasswordKey.assertEncrypts`
 */
export async function encryptPassword(
  password: string,
  target: EncryptionTarget,
  place?: string,
): Promise<string> {
  if (place !== undefined && !isPlace(place)) {
    const message =
      'a place to bind a password to is one line of at most 512 bytes, such as db.yaml/password';
    throw new InvalidPasswordError('invalid_place', message);
  }
  const bytes = toPasswordBytes(password);
  const bound = place === undefined ? {} : { for: place };
  if (!(target instanceof PasswordKey)) return seal(bytes, recipientsOf(target), bound);
  target.assertEncrypts();
  return new CompactEncrypt(bytes)
    .setProtectedHeader({ alg: 'dir', enc: target.enc, kid: target.kid, ...bound })
    .encrypt(target.bytes());
}

function recipientsOf(target: Exclude<EncryptionTarget, PasswordKey>): readonly [Recipient, ...Recipient[]] {
  return 'recipient' in target ? [target.recipient] : target;
}

async function seal(
  bytes: Uint8Array,
  [first, ...others]: readonly [Recipient, ...Recipient[]],
  bound: { readonly for?: string },
): Promise<string> {
  const enc = ENCRYPTIONS[32];
  if (others.length === 0) {
    return new CompactEncrypt(bytes)
      .setProtectedHeader({ alg: SEALING, enc, kid: first.kid, ...bound })
      .encrypt(first.key);
  }
  // Loaded lazily: most passwords have one recipient.
  const { GeneralEncrypt } = await import('jose/jwe/general/encrypt');
  const jwe = new GeneralEncrypt(bytes).setProtectedHeader({ enc, ...bound });
  for (const { key, kid } of [first, ...others])
    jwe.addRecipient(key).setUnprotectedHeader({ alg: SEALING, kid });
  return JSON.stringify(await jwe.encrypt());
}

/**
 * Decodes a password from a file, pipe or request. A byte order mark and one trailing LF or CRLF are
 * dropped, since editors and shells add them.
 *
 * @throws {InvalidPasswordError} when the password is empty, over 64 KiB or not UTF-8
 */
export function decodePassword(bytes: Uint8Array): string {
  const password = withoutMarkAndLineBreak(bytes);
  assertSize(password.length);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(password);
  } catch {
    throw new InvalidPasswordError('not_text', 'the password is not UTF-8 text');
  }
}

function withoutMarkAndLineBreak(bytes: Uint8Array): Uint8Array {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  if (bytes.at(-1) !== 0x0a) return bytes.subarray(start);
  return bytes.subarray(start, bytes.at(-2) === 0x0d ? -2 : -1);
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
