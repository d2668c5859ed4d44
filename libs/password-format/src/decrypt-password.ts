import { JWEDecryptionFailed } from 'jose/errors';
import { compactDecrypt } from 'jose/jwe/compact/decrypt';
import { MAX_PASSWORD_BYTES } from './encrypt-password.js';
import { DecryptionError } from './password-errors.js';
import { ENCRYPTIONS, type PasswordKey, type PasswordKeys } from './password-key.js';

/** The longest password takes 4/3 of its bytes in base64url; header, vector and tag stay below the rest. */
const MAX_ENCRYPTED_LENGTH = Math.ceil((MAX_PASSWORD_BYTES * 4) / 3) + 1_024;

/**
 * Decrypts what {@link encryptPassword} made, with whichever key it was made. Without a `kid` each key of the right size
 * is tried. `alg` must be dir and `enc` that of the key; `zip` and `crit` are refused.
 *
 * @throws {DecryptionError}
 */
export async function decryptPassword(encrypted: string, keys: PasswordKeys): Promise<string> {
  const header = readHeader(encrypted);
  const candidates = candidatesFor(header, keys);
  for (const key of candidates) {
    const bytes = await tryKey(encrypted, key);
    if (bytes) return decodeText(bytes);
  }
  throw new DecryptionError('tampered', 'the encrypted password was changed or was made with another key');
}

/** The id of the key that an encrypted password was made with; undefined when it names none. */
export function keyIdOf(encrypted: string): string | undefined {
  return readHeader(encrypted).kid;
}

interface Header {
  readonly enc: string;
  readonly kid: string | undefined;
}

function readHeader(encrypted: string): Header {
  if (
    encrypted.length > MAX_ENCRYPTED_LENGTH ||
    !/^[\w-]+\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+$/.test(encrypted)
  ) {
    throw new DecryptionError('malformed', 'not an encrypted password (a JWE in compact serialization)');
  }
  const header = parseHeader(encrypted.slice(0, encrypted.indexOf('.')));
  if (header['alg'] !== 'dir') throw unsupported('its "alg" is not dir');
  if ('zip' in header) throw unsupported('it is compressed ("zip")');
  if ('crit' in header) throw unsupported('it has critical extensions ("crit")');
  const { enc, kid } = header;
  if (!Object.values<unknown>(ENCRYPTIONS).includes(enc)) {
    throw unsupported('its "enc" is none of A128GCM, A192GCM, A256GCM');
  }
  if (kid !== undefined && typeof kid !== 'string') throw unsupported('its "kid" is not a string');
  return { enc: String(enc), kid };
}

function parseHeader(segment: string): Record<string, unknown> {
  try {
    const header: unknown = JSON.parse(Buffer.from(segment, 'base64url').toString('utf8'));
    if (typeof header === 'object' && header !== null && !Array.isArray(header))
      return header as Record<string, unknown>;
  } catch {
    // The reason would quote the header, which may be anything.
  }
  throw new DecryptionError('malformed', 'not an encrypted password: its header is not a JSON object');
}

function candidatesFor({ enc, kid }: Header, keys: PasswordKeys): readonly PasswordKey[] {
  const named = keys.filter((key) => kid === undefined || key.kid === kid);
  if (named.length === 0)
    throw new DecryptionError('unknown_key', `made with the key ${kid?.slice(0, 40)}, which is not here`);
  const candidates = named.filter((key) => key.enc === enc);
  if (candidates.length > 0) return candidates;
  if (kid !== undefined) throw unsupported(`its "enc" is not that of the key ${kid}`);
  throw new DecryptionError('unknown_key', `made with a key for ${enc}, which is not here`);
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
    throw new DecryptionError('unsupported', 'what is encrypted is not UTF-8 text');
  }
}

function unsupported(reason: string): DecryptionError {
  return new DecryptionError('unsupported', `the encrypted password is refused: ${reason}`);
}
