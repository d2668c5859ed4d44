import { JWEDecryptionFailed } from 'jose/errors';
import { compactDecrypt } from 'jose/jwe/compact/decrypt';
import { DecryptionError } from './password-errors.js';
import type { PasswordKey, PasswordKeys } from './password-key.js';
import { type EncryptedHeader, readEncrypted } from './read-encrypted.js';

/**
 * Decrypts the output of {@link encryptPassword} with the key its `kid` names; without a `kid`, tries each key of the
 * right size. `alg` must be `dir` and `enc` must match the key; `zip` and `crit` are rejected.
 *
 * @throws {DecryptionError}
 */
export async function decryptPassword(encrypted: string, keys: PasswordKeys): Promise<string> {
  const header = readEncrypted(encrypted);
  for (const key of candidatesFor(header, keys)) {
    const bytes = await tryKey(encrypted, key);
    if (bytes) return decodeText(bytes);
  }
  const otherKey = header.kid === undefined ? ', or encrypted with another key' : '';
  throw new DecryptionError(
    'tampered',
    `the encrypted password was modified${otherKey}: copy it again from its source, or encrypt the password again`,
  );
}

/** The id of the key that encrypted the password; undefined if the header has none. */
export function keyIdOf(encrypted: string): string | undefined {
  return readEncrypted(encrypted).kid;
}

function candidatesFor({ enc, kid }: EncryptedHeader, keys: PasswordKeys): readonly PasswordKey[] {
  const named = keys.filter((key) => kid === undefined || key.kid === kid);
  const candidates = named.filter((key) => key.enc === enc);
  if (candidates.length > 0) return candidates;
  if (named.length > 0 && kid !== undefined) {
    throw new DecryptionError(
      'unsupported',
      `the encrypted password is rejected: its "enc" does not match key ${kid}`,
    );
  }
  const which = kid === undefined ? `a key for ${enc}` : `key ${kid.slice(0, 40)}`;
  throw new DecryptionError(
    'unknown_key',
    `encrypted with ${which}, which is not among the keys given; pass the key file it was encrypted with`,
  );
}

async function tryKey(encrypted: string, key: PasswordKey): Promise<Uint8Array | undefined> {
  try {
    const { plaintext } = await compactDecrypt(encrypted, key.bytes(), {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: [key.enc],
    });
    return plaintext;
  } catch (error) {
    if (error instanceof JWEDecryptionFailed) return undefined;
    throw new DecryptionError('malformed', 'not an encrypted password: its parts are not valid for a JWE');
  }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new DecryptionError('unsupported', 'the decrypted text is not UTF-8; encrypt the password again');
  }
}
