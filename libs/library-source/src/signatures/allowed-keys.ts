import { readFile, stat } from 'node:fs/promises';
import { parseAllowedSigners } from './allowed-signers.js';
import { type SignedText, type Signer, SignatureRefusal } from './signed-text.js';
import { verifySsh } from './verify-ssh.js';

export type SignatureFormat = 'ssh' | 'gpg';

/** The keys that a file lists. */
export interface AllowedKeys {
  /**
   * @param now OpenPGP keys must still be valid then
   * @throws {SignatureRefusal}
   */
  verify(text: SignedText, now: Date): Promise<Signer>;
}

const MAX_BYTES = 1 << 20;

const ARMORS = { ssh: '-----BEGIN SSH SIGNATURE-----', gpg: '-----BEGIN PGP SIGNATURE-----' } as const;
const NAMES = { ssh: 'SSH', gpg: 'OpenPGP' } as const;

/**
 * @param file `ssh`: in the format of ssh-keygen(1) ALLOWED SIGNERS; `gpg`: armored public keys
 * @throws {RangeError} naming the file and what is wrong with it
 */
export async function readAllowedKeys(format: SignatureFormat, file: string): Promise<AllowedKeys> {
  const verify = await verifierOf(format, file).catch((error: NodeJS.ErrnoException) => {
    throw new RangeError(`cannot use the allowed signers in ${file}: ${error.code ?? error.message}`, {
      cause: error,
    });
  });
  return {
    verify: async (text, now) => {
      assertFormat(text, format, file);
      return verify(text, now);
    },
  };
}

async function verifierOf(format: SignatureFormat, file: string): Promise<AllowedKeys['verify']> {
  const { size } = await stat(file);
  if (size > MAX_BYTES) throw new RangeError(`it has more than ${MAX_BYTES} bytes`);
  const text = await readFile(file, 'utf8');
  if (format === 'ssh') {
    const signers = parseAllowedSigners(text);
    return async (signed) => verifySsh(signed, signers, file);
  }
  // OpenPGP takes long to load.
  const [{ parseOpenpgpKeys }, { verifyOpenpgp }] = await Promise.all([
    import('./openpgp-keys.js'),
    import('./verify-openpgp.js'),
  ]);
  const keys = await parseOpenpgpKeys(text);
  return async (signed, now) => verifyOpenpgp(signed, keys, file, now);
}

function assertFormat({ signature }: SignedText, format: SignatureFormat, file: string): void {
  if (signature === undefined) {
    throw new SignatureRefusal(`is not signed; sign it (git commit -S) with a key that ${file} lists`);
  }
  if (signature.startsWith(ARMORS[format])) return;
  const other = (['ssh', 'gpg'] as const).find((one) => signature.startsWith(ARMORS[one]));
  const kind = other ? `an ${NAMES[other]}` : 'another kind of';
  throw new SignatureRefusal(
    `has ${kind} signature, and source.verify is ${format}; sign it with an ${NAMES[format]} key that ${file} lists`,
  );
}
