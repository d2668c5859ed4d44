import type { KeyID, LiteralDataPacket, PublicKey, SignaturePacket } from 'openpgp';
import { type SignedText, type Signer, SignatureRefusal } from './signed-text.js';

/** openpgp would require a module that it does not bring along. */
const UNSUPPORTED_CURVE = /^(?:brainpool|secp256k1)/i;

/**
 * Verifies a signature as gpg does for git: the key must be valid now, and have existed when it signed. Whether it was valid then
 * cannot be seen: a key that was prolonged only says so from that day on.
 *
 * @param file name of the list of keys, for messages
 * @throws {SignatureRefusal}
 */
export async function verifyOpenpgp(
  { payload, signature = '' }: SignedText,
  keys: readonly PublicKey[],
  file: string,
  now: Date,
): Promise<Signer> {
  const { packet, id } = await readSignaturePacket(signature);
  const key = keys.find((one) => one.getKeys(id).length > 0);
  if (!key) {
    throw new SignatureRefusal(
      `is signed by a key that ${file} does not list, ${id.toHex()}; add the key, or have a listed signer sign it`,
    );
  }
  const name = await nameOf(key);
  const fingerprint = key.getFingerprint().toUpperCase();
  try {
    await assertValid(packet, payload, key, now);
  } catch (error) {
    const reason = (error as Error).message;
    throw new SignatureRefusal(
      `has no valid signature by ${name} (${fingerprint}): ${reason}; have it signed again, unchanged, with a valid key`,
      { cause: error },
    );
  }
  return { name, key: fingerprint };
}

/** @throws {SignatureRefusal} */
async function readSignaturePacket(armored: string): Promise<{ packet: SignaturePacket; id: KeyID }> {
  const { enums, readSignature } = await import('openpgp');
  const made = await readSignature({ armoredSignature: armored }).catch((error: Error) => {
    throw new SignatureRefusal(`has a signature that cannot be used: ${error.message}; sign it again`);
  });
  const [packet, ...others] = made.packets;
  // Like git, which cannot say which of them counts.
  if (!packet || others.length > 0)
    throw new SignatureRefusal(`has ${packet ? 'several signatures' : 'no signature'}; sign it with one key`);
  // Some of the other types do not cover the content.
  if (packet.signatureType !== enums.signature.binary && packet.signatureType !== enums.signature.text)
    throw new SignatureRefusal('has a signature that is not for a file; sign it with git');
  return { packet, id: made.getSigningKeyIDs()[0]! };
}

async function assertValid(
  packet: SignaturePacket,
  payload: Uint8Array,
  key: PublicKey,
  now: Date,
): Promise<void> {
  const { createMessage } = await import('openpgp');
  const used = [key, ...key.getKeys(packet.issuerKeyID)].map((one) => one.getAlgorithmInfo().curve ?? '');
  const curve = used.find((one) => UNSUPPORTED_CURVE.test(one));
  if (curve !== undefined) throw new Error(`keys of the curve ${curve} are not supported`);
  const { keyPacket } = await key.getSigningKey(packet.issuerKeyID, now);
  const signedAt = packet.created!;
  if (keyPacket.created > signedAt) throw new Error('the key is newer than the signature');
  const { packets } = await createMessage({ binary: payload, format: 'binary' });
  // The signer's clock may be ahead.
  const time = signedAt > now ? signedAt : now;
  await packet.verify(keyPacket, packet.signatureType!, packets[0] as LiteralDataPacket, time, true);
}

async function nameOf(key: PublicKey): Promise<string> {
  const found = await key.getPrimaryUser().catch(() => undefined);
  return found?.user.userID?.userID ?? key.users[0]?.userID?.userID ?? key.getFingerprint().toUpperCase();
}
