import type { Key } from 'openpgp';
import { type SignedText, type Signer, SignatureRefusal } from './signed-text.js';

const BLOCK = /-----BEGIN PGP PUBLIC KEY BLOCK-----[^]*?-----END PGP PUBLIC KEY BLOCK-----/g;

/**
 * @param text armored public keys, one or more blocks
 * @throws {RangeError} if it has no key, or one that cannot be read
 */
export async function parseOpenpgpKeys(text: string): Promise<Key[]> {
  const { readKeys } = await import('openpgp');
  const blocks = text.match(BLOCK) ?? [];
  if (blocks.length === 0) throw new RangeError('it has no armored public keys (gpg --armor --export)');
  try {
    const keys = await Promise.all(blocks.map(async (armoredKeys) => readKeys({ armoredKeys })));
    return keys.flat();
  } catch (error) {
    throw new RangeError(`a public key cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Verifies a signature as gpg does for git: the key must have been valid at the time of the signature, and still be.
 *
 * @param file name of the list of keys, for messages
 * @throws {SignatureRefusal}
 */
export async function verifyOpenpgp(
  { payload, signature = '' }: SignedText,
  keys: readonly Key[],
  file: string,
  now: Date,
): Promise<Signer> {
  const { createMessage, readSignature, verify } = await import('openpgp');
  const made = await readSignature({ armoredSignature: signature }).catch((error: Error) => {
    throw new SignatureRefusal(`has a signature that cannot be used: ${error.message}; sign it again`);
  });
  const [id, ...others] = made.getSigningKeyIDs();
  // Like git, which cannot say which of them counts.
  if (!id || others.length > 0)
    throw new SignatureRefusal(`has ${id ? 'several signatures' : 'no signature'}; sign it with one key`);
  const key = keys.find((one) => one.getKeys(id).length > 0);
  if (!key) {
    throw new SignatureRefusal(
      `is signed by a key that ${file} does not list, ${id.toHex()}; add the key, or let a listed signer sign`,
    );
  }
  const name = await nameOf(key);
  const fingerprint = key.getFingerprint().toUpperCase();
  try {
    const message = await createMessage({ binary: payload });
    const options = { message, signature: made, verificationKeys: key, date: now, format: 'binary' } as const;
    const { signatures } = await verify(options);
    await signatures[0]!.verified;
    await key.getSigningKey(id, now);
  } catch (error) {
    const reason = (error as Error).message;
    throw new SignatureRefusal(
      `has no valid signature by ${name} (${fingerprint}): ${reason}; let it be signed, unchanged, with a valid key`,
      { cause: error },
    );
  }
  return { name, key: fingerprint };
}

async function nameOf(key: Key): Promise<string> {
  const found = await key.getPrimaryUser().catch(() => undefined);
  return found?.user.userID?.userID ?? key.users[0]?.userID?.userID ?? key.getFingerprint().toUpperCase();
}
