/** 256 bits: what nobody guesses, and no two draws share. */
const RANDOM_BYTES = 32;

/** Bytes as base64url without padding (RFC 4648 section 5). */
export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** 43 characters that nobody can guess; also on pages that came over plain http, where `crypto.randomUUID` is missing. */
export function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
}
