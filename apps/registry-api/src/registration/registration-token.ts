import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Lets people and secret scanners tell what a found value is. */
const PREFIX = 'svcreg_';

/** A new registration access token (RFC 7592 section 3): 256 random bits behind a prefix. */
export function newRegistrationToken(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

/** What is stored of a registration access token. */
export function hashRegistrationToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Compares in constant time. @param stored nothing where there is no such Client, which takes as long */
export function isRegistrationToken(token: string, stored: Buffer | undefined): boolean {
  const presented = hashRegistrationToken(token);
  return timingSafeEqual(presented, stored ?? NOTHING) && stored !== undefined;
}

const NOTHING = Buffer.alloc(32);
