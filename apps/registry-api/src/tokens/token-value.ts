import { hash, randomBytes } from 'node:crypto';

/** Identifies a leaked value to users and secret scanners. */
const PREFIX = 'svcr_';

/** A new token: 256 random bits behind a prefix. */
export function newTokenValue(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

/** What is stored of a token, and what it is found by. */
export function hashTokenValue(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}
