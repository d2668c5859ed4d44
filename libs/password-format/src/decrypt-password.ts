import { JWEDecryptionFailed } from 'jose/errors';
import { compactDecrypt } from 'jose/jwe/compact/decrypt';
import { DecryptionError } from './password-errors.js';
import type { PasswordKey, PasswordKeys } from './password-key.js';
import { type EncryptedHeader, readEncrypted } from './read-encrypted.js';

/**
 * Decrypts what {@link encryptPassword} made, with whichever key it was made. Without a `kid` each key of the right size
 * is tried. `alg` must be dir and `enc` that of the key; `zip` and `crit` are refused.
 *
 * @throws {DecryptionError}
 */
export async function decryptPassword(encrypted: string, keys: PasswordKeys): Promise<string> {
  const header = readEncrypted(encrypted);
  for (const key of candidatesFor(header, keys)) {
    const bytes = await tryKey(encrypted, key);
    if (bytes) return decodeText(bytes);
  }
  const otherKey = header.kid === undefined ? ', or was made with another key' : '';
  throw new DecryptionError(
    'tampered',
    `the encrypted password was changed${otherKey}: copy it again from where it was made, or encrypt the password anew`,
  );
}

/** The id of the key that an encrypted password was made with; undefined when it names none. */
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
      `the encrypted password is refused: its "enc" is not that of the key ${kid}`,
    );
  }
  const which = kid === undefined ? `a key for ${enc}` : `the key ${kid.slice(0, 40)}`;
  throw new DecryptionError(
    'unknown_key',
    `made with ${which}, which is not here; give the key file that it was made with`,
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
    throw new DecryptionError('malformed', 'not an encrypted password: its parts are not those of a JWE');
  }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new DecryptionError(
      'unsupported',
      'what is encrypted is not UTF-8 text; encrypt the password anew',
    );
  }
}
