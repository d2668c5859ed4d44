import type { PublicKey } from 'openpgp';

const BLOCK = /-----BEGIN PGP PUBLIC KEY BLOCK-----[^]*?-----END PGP PUBLIC KEY BLOCK-----/g;

/**
 * Reads keys as `gpg --import` does: all blocks about a key apply, so that a later one can prolong or revoke it.
 *
 * @param text one or more armored public keys, and certificates that revoke them
 * @throws {RangeError} if it has no key, or a block that cannot be read
 */
export async function parseOpenpgpKeys(text: string): Promise<PublicKey[]> {
  const { readKeys } = await import('openpgp');
  const blocks = text.match(BLOCK) ?? [];
  if (blocks.length === 0) throw new RangeError('it has no armored public keys (gpg --armor --export)');
  const keys = new Map<string, PublicKey>();
  const unread: { readonly block: string; readonly error: Error }[] = [];
  for (const block of blocks) {
    const read = await readKeys({ armoredKeys: block }).catch((error: Error) => {
      unread.push({ block, error });
      return [];
    });
    for (const key of read) {
      const former = keys.get(key.getFingerprint());
      keys.set(key.getFingerprint(), former ? await former.update(key) : key);
    }
  }
  for (const { block, error } of unread) {
    if (await revoke(keys, block)) continue;
    const message = `a block is neither a public key nor a revocation certificate of a listed key: ${error.message}`;
    throw new RangeError(message, { cause: error });
  }
  return [...keys.values()];
}

/** @returns whether it is the revocation certificate of one of the keys */
async function revoke(keys: Map<string, PublicKey>, revocationCertificate: string): Promise<boolean> {
  const { revokeKey } = await import('openpgp');
  for (const [fingerprint, key] of keys) {
    const revoking = revokeKey({ key, revocationCertificate, format: 'object' });
    const revoked = await revoking.catch(() => undefined);
    if (!revoked) continue;
    keys.set(fingerprint, revoked.publicKey);
    return true;
  }
  return false;
}
