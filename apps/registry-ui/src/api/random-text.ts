/** 256 bits: unguessable and unique. */
const RANDOM_BYTES = 32;

/** Base64url without padding (RFC 4648 section 5). */
export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** 43 unguessable characters; works on plain-http pages too, which lack `crypto.randomUUID`. */
export function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
}
