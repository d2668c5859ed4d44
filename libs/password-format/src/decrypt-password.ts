import { JWEDecryptionFailed } from 'jose/errors';
import { flattenedDecrypt } from 'jose/jwe/flattened/decrypt';
import { DecryptionError } from './password-errors.js';
import { malformed, unsupported } from './password-header.js';
import { type OpeningKey, PasswordKey, type PasswordKeys } from './password-key.js';
import { type EncryptedParts, type ForKey, readEncrypted } from './read-encrypted.js';
import { SEALING } from './sealing-keys.js';

interface DecryptOptions {
  /** Where the password was found: it must be bound to this place. By default, where it is bound to does not matter. */
  readonly place?: string | undefined;
}

/**
 * Decrypts the output of {@link encryptPassword} with the key that its `kid` names; without a `kid`, tries each key that fits.
 * `alg` must be `dir` or `ECDH-ES+A256KW`, `enc` must match the key; `zip` and `crit` are rejected.
 *
 * @throws {DecryptionError}
 */
export async function decryptPassword(
  encrypted: string,
  keys: PasswordKeys,
  { place }: DecryptOptions = {},
): Promise<string> {
  const parts = readEncrypted(encrypted);
  for (const [forKey, key] of candidatesFor(parts, keys)) {
    const bytes = await tryKey(forKey, key);
    if (!bytes) continue;
    if (place !== undefined) assertPlace(parts.place, place);
    return decodeText(bytes);
  }
  const otherKey = parts.keys.some(({ kid }) => kid === undefined) ? ', or encrypted with another key' : '';
  throw new DecryptionError(
    'tampered',
    `the encrypted password was modified${otherKey}: copy it again from its source, or encrypt the password again`,
  );
}

/** The ids of the keys that decrypt the password; undefined for one that its header does not name. */
export function keyIdsOf(encrypted: string): readonly (string | undefined)[] {
  return readEncrypted(encrypted).keys.map(({ kid }) => kid);
}

/** The place that the password is bound to, if any. It is verified only by decryption. */
export function boundPlace(encrypted: string): string | undefined {
  return readEncrypted(encrypted).place;
}

/** True if the password is sealed to public keys. */
export function isSealed(encrypted: string): boolean {
  return readEncrypted(encrypted).keys[0].alg === SEALING;
}

function assertPlace(bound: string | undefined, place: string): void {
  if (bound === place) return;
  const which = bound === undefined ? 'not bound to a place' : `bound to ${JSON.stringify(bound)}`;
  throw new DecryptionError(
    'misplaced',
    `the encrypted password is ${which}, so it does not belong to ${JSON.stringify(place)}; encrypt the password for this place`,
  );
}

function candidatesFor(
  { keys: wanted }: EncryptedParts,
  keys: PasswordKeys,
): readonly (readonly [ForKey, OpeningKey])[] {
  const named = wanted.flatMap((forKey) =>
    keys
      .filter((key) => forKey.kid === undefined || key.kid === forKey.kid)
      .map((key) => [forKey, key] as const),
  );
  const candidates = named.filter(([forKey, key]) => fits(forKey, key));
  if (candidates.length > 0) return candidates;
  const misfit = named.find(([{ kid }]) => kid !== undefined);
  if (misfit) {
    const [{ alg, kid }] = misfit;
    throw unsupported(`its "${alg === 'dir' ? 'enc' : 'epk'}" does not match key ${kid}`);
  }
  throw new DecryptionError('unknown_key', unknownKey(wanted));
}

function fits(forKey: ForKey, key: OpeningKey): boolean {
  if (key instanceof PasswordKey) return forKey.alg === 'dir' && key.enc === forKey.enc;
  return forKey.alg !== 'dir' && key.recipient.crv === forKey.crv;
}

/** A kid in a message: it may be as long as an attacker likes. */
const shown = (kid: string): string => kid.slice(0, 43);

const MAX_SHOWN = 5;

function unknownKey(wanted: EncryptedParts['keys']): string {
  const [first] = wanted;
  if (first.alg === 'dir') {
    const which = first.kid === undefined ? `a key for ${first.enc}` : `key ${shown(first.kid)}`;
    return `encrypted with ${which}, which is not among the keys given; pass the key file it was encrypted with`;
  }
  const kids = wanted.map(({ kid }) => (kid === undefined ? 'one without an id' : shown(kid)));
  const more = kids.length > MAX_SHOWN ? ` and ${kids.length - MAX_SHOWN} more` : '';
  return `sealed to key ${kids.slice(0, MAX_SHOWN).join(', ')}${more}, whose private key is not among the keys given`;
}

async function tryKey({ alg, jwe }: ForKey, key: OpeningKey): Promise<Uint8Array | undefined> {
  const material = key instanceof PasswordKey ? key.bytes() : key.privateKey();
  try {
    const { plaintext } = await flattenedDecrypt(jwe, material, {
      keyManagementAlgorithms: [alg],
      contentEncryptionAlgorithms: [key.enc],
    });
    return plaintext;
  } catch (error) {
    if (error instanceof JWEDecryptionFailed) return undefined;
    throw malformed('not an encrypted password: its parts are not valid for a JWE');
  }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new DecryptionError('unsupported', 'the decrypted text is not UTF-8; encrypt the password again');
  }
}
