import { hash, randomBytes } from 'node:crypto';

const CLIENT_ID_BYTES = 16;
const SECRET_BYTES = 32;
const COOKIE_NAME_BYTES = 10;
const HINT_LENGTH = 4;

/** RFC 4648 section 6. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Every client_id that registration accepts: printable ASCII (VSCHAR, RFC 6749 appendix A.1). */
export const CLIENT_ID = /^[\x20-\x7e]{1,255}$/;

export function isClientId(text: string): boolean {
  return CLIENT_ID.test(text);
}

/** Opaque: 22 characters of base64url. */
export function newClientId(): string {
  return randomBytes(CLIENT_ID_BYTES).toString('base64url');
}

/** 43 characters of base64url. */
export function newClientSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** The last characters of a secret, which may be shown. */
export function hintOf(secret: string): string {
  return secret.slice(-HINT_LENGTH);
}

/**
 * The name of the cookie for a Client's sessions: a cookie token (RFC 6265 section 4.1.1) derived from the client_id,
 * whatever characters that contains.
 */
export function cookieNameOf(prefix: string, clientId: string): string {
  const digest = hash('sha256', clientId, 'buffer');
  return `${prefix}_${toBase32(digest.subarray(0, COOKIE_NAME_BYTES))}`;
}

/** @param bytes a multiple of 5, so that no padding is needed */
function toBase32(bytes: Uint8Array): string {
  let text = '';
  let rest = 0;
  let restBits = 0;
  for (const byte of bytes) {
    rest = (rest << 8) | byte;
    for (restBits += 8; restBits >= 5; restBits -= 5) text += BASE32.charAt((rest >> (restBits - 5)) & 31);
    rest &= (1 << restBits) - 1;
  }
  return text;
}
