import { type AllowedSigner, matchesPatterns } from './allowed-signers.js';
import { type SignedText, type Signer, SignatureRefusal } from './signed-text.js';
import { readSshSignature, type SshSignature } from './ssh-signature.js';

/** git's own. */
const NAMESPACE = 'git';

/**
 * Verifies a signature as `ssh-keygen -Y verify` does for git: the key must be valid at the time that the signer claims.
 *
 * @param file name of the list of signers, for messages
 * @throws {SignatureRefusal}
 */
export function verifySsh(
  { payload, signature = '', seconds }: SignedText,
  signers: readonly AllowedSigner[],
  file: string,
): Signer {
  const made = read(signature);
  if (made.namespace !== NAMESPACE) {
    throw new SignatureRefusal(
      `has a signature for ${JSON.stringify(made.namespace)}, not for "${NAMESPACE}"; sign it with git`,
    );
  }
  const { fingerprint } = made.key;
  const listed = signers.filter(({ keyBlob }) => keyBlob.equals(made.keyBlob));
  if (listed.length === 0) {
    throw new SignatureRefusal(
      `is signed by a key that ${file} does not list, ${fingerprint}; add the key, or have a listed signer sign it`,
    );
  }
  if (!isOf(made, payload)) {
    throw new SignatureRefusal(
      `does not match its signature by ${fingerprint}: it was changed after it was signed; sign it again`,
    );
  }
  const refusals = listed.map((signer) => refusalOf(signer, seconds));
  const valid = listed[refusals.indexOf(undefined)];
  if (!valid) {
    const { line, principals } = listed[0]!;
    throw new SignatureRefusal(
      `is signed by ${principals} (${fingerprint}), whose key ${refusals[0]} (${file}, line ${line}); sign it with a valid key`,
    );
  }
  return { name: valid.principals, key: fingerprint };
}

function read(signature: string): SshSignature {
  try {
    return readSshSignature(signature);
  } catch (error) {
    throw damaged(error as Error);
  }
}

function isOf(signature: SshSignature, payload: Uint8Array): boolean {
  try {
    return signature.isOf(payload);
  } catch (error) {
    throw damaged(error as Error);
  }
}

const damaged = (error: Error): SignatureRefusal =>
  new SignatureRefusal(`has a signature that cannot be used: ${error.message}; sign it again`, {
    cause: error,
  });

/** @returns why the key may not sign for git at that time, if it may not */
function refusalOf(
  { validAfter = -Infinity, validBefore = Infinity, namespaces = '*' }: AllowedSigner,
  seconds: number,
): string | undefined {
  if (seconds < validAfter) return `was not valid yet at ${timeOf(seconds)}`;
  if (seconds > validBefore) return `was not valid any more at ${timeOf(seconds)}`;
  return matchesPatterns(NAMESPACE, namespaces) ? undefined : `may not sign for "${NAMESPACE}"`;
}

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString();
