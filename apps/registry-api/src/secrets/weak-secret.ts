/** `VSCHAR` of RFC 6749 appendix A.2, up to the length that a Client may send. */
const SECRET = /^[\x20-\x7e]{1,255}$/;

/**
 * The least entropy, in bits, of a secret that cannot be guessed; 22 random characters of base64url, or 32 of hexadecimal, have
 * about 90, hardly ever below 70.
 */
const MIN_BITS = 64;

/**
 * Why a secret generated elsewhere must not be used, as far as the secret alone shows: characters that repeat or continue what
 * precedes them do not count.
 *
 * @returns undefined if it may be used
 */
export function weaknessOf(secret: string): string | undefined {
  if (!SECRET.test(secret)) return 'must be 1 to 255 printable ASCII characters (RFC 6749 appendix A.2)';
  const counted = [...secret].filter((_, index) => !isExpected(secret, index));
  const bits = counted.length * Math.log2(Math.max(1, new Set(counted).size));
  if (bits >= MIN_BITS) return undefined;
  return 'is too easy to guess; let the registry generate a new one, or import one of at least 22 random characters';
}

/** Whether a character continues a sequence such as `aaa`, `abc` or `321`, or ends three that have already occurred. */
function isExpected(secret: string, index: number): boolean {
  const step = stepTo(secret, index);
  if (index >= 2 && Math.abs(step) <= 1 && step === stepTo(secret, index - 1)) return true;
  return index >= 5 && secret.slice(0, index - 2).includes(secret.slice(index - 2, index + 1));
}

function stepTo(secret: string, index: number): number {
  return secret.charCodeAt(index) - secret.charCodeAt(index - 1);
}
