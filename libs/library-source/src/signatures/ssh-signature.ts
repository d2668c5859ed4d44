import { createHash } from 'node:crypto';
import { readSshKey, type SshKey } from './ssh-key.js';
import { SshReader, sshString } from './ssh-reader.js';

/** A signature of a file or of other bytes, with the key that made it. */
export interface SshSignature {
  readonly key: SshKey;
  /** The key in SSH's encoding. */
  readonly keyBlob: Buffer;
  /** What it is for: `git` */
  readonly namespace: string;
  /** @throws {RangeError} if the signature itself is malformed */
  isOf(payload: Uint8Array): boolean;
}

const ARMOR = /^-----BEGIN SSH SIGNATURE-----\r?\n([A-Za-z0-9+/=\r\n]+)\r?\n-----END SSH SIGNATURE-----\s*$/;
const MAGIC = 'SSHSIG';
const VERSION = 1;
const DIGESTS: readonly string[] = ['sha256', 'sha512'];

/**
 * @param armored as `ssh-keygen -Y sign` writes it
 * @throws {RangeError} if it is malformed, or of a key that is not supported
 * @see https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.sshsig
 */
export function readSshSignature(armored: string): SshSignature {
  const [, base64] = ARMOR.exec(armored) ?? [];
  if (base64 === undefined) throw new RangeError('it is not in the format of ssh-keygen');
  const reader = new SshReader(Buffer.from(base64, 'base64'));
  if (reader.bytes(MAGIC.length).toString('latin1') !== MAGIC || reader.uint32() !== VERSION)
    throw new RangeError('it is not in the format of ssh-keygen');
  const keyBlob = reader.string();
  const namespace = reader.string();
  const reserved = reader.string();
  const digest = reader.text();
  const signature = reader.string();
  reader.end();
  if (!DIGESTS.includes(digest)) throw new RangeError(`its digest is not one of ${DIGESTS.join(', ')}`);
  const key = readSshKey(keyBlob);
  return {
    key,
    keyBlob,
    namespace: namespace.toString('utf8'),
    isOf: (payload) => {
      const hash = createHash(digest).update(payload).digest();
      const parts = [namespace, reserved, digest, hash].map(sshString);
      return key.verify(Buffer.concat([Buffer.from(MAGIC), ...parts]), signature);
    },
  };
}
