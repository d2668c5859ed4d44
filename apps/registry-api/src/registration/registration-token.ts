import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Identifies a leaked value to users and secret scanners. */
const PREFIX = 'svcreg_';

/** A new registration access token (RFC 7592 section 3): 256 random bits behind a prefix. */
export function newRegistrationToken(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

/** What is stored of a registration access token. */
export function hashRegistrationToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Compares in constant time, also for a Client that does not exist. @param stored `undefined` for such a Client */
export function isRegistrationToken(token: string, stored: Buffer | undefined): boolean {
  const presented = hashRegistrationToken(token);
  return timingSafeEqual(presented, stored ?? NO_HASH) && stored !== undefined;
}

const NO_HASH = Buffer.alloc(32);
