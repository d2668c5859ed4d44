import { isMixed, isPath } from './path-shape.js';
import { wordsOf } from './secret-names.js';

/** Words of key names whose values look random and are no secrets. */
const HARMLESS = new Set(
  `hash digest sha sha1 sha256 sha512 md5 checksum sum commit revision rev ref etag fingerprint thumbprint id uuid guid version
  integrity signature sig cert certificate certificates public pubkey pub ca image icon logo picture regex pattern expression
  publishable kid x5t jwks modulus nonce salt iv caption data-uri path url uri template selector query schema trace span challenge`.split(
    /\s+/,
  ),
);

/** Shannon's entropy of a text, in bits per character. */
export function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

const MIN_LENGTH = 20;
const MAX_LENGTH = 512;

/** Hex has at most 4 bits per character, base64 6; English words have fewer than 3.5 of distinct letters at this length. */
const MIN_BITS_HEX = 3;
const MIN_BITS = 3.7;

/**
 * True for a value that a program seems to have drawn at random: long, without spaces, of several kinds of characters in
 * short runs.
 *
 * @param path keys from the root
 */
export function looksRandom(text: string, path: readonly string[]): boolean {
  const [, name, rest] = /^-{0,2}([A-Za-z_][\w.-]{0,63})=(?!=?$)(.*)$/s.exec(text) ?? [];
  if (name !== undefined) return looksRandom(rest!, [...path, name]);
  const value = text.replace(/^(base64|hex):/i, '');
  if (value.length < MIN_LENGTH || value.length > MAX_LENGTH) return false;
  if (path.some(isHarmless)) return false;
  if (/^[0-9a-f]+$/i.test(value)) return isRandomHex(value);
  if (!/^[A-Za-z0-9+/_.~!@#$%^&*=-]+$/.test(value) || isKnownShape(value)) return false;
  return bitsPerCharacter(value) >= MIN_BITS && isMixed(value);
}

/** `sha256` is one word here; x and y are coordinates of a public key. */
const isHarmless = (key: string): boolean =>
  /^[xyn]$/.test(key) || HARMLESS.has(key.toLowerCase()) || wordsOf(key).some((word) => HARMLESS.has(word));

/** Not of digits alone, and not of a UUID or a common digest's length: those are seldom secrets. */
function isRandomHex(value: string): boolean {
  const isDigest = [40, 56, 96, 128].includes(value.length);
  return !isDigest && /\d/.test(value) && /[a-f]/i.test(value) && bitsPerCharacter(value) >= MIN_BITS_HEX;
}

const SHAPES: readonly RegExp[] = [
  /^[a-z][a-z0-9+.-]*:\/\//i,
  /^[\w-]+(\.[\w-]+){2,}$/,
  /^[\w.+-]+@[\w.-]+$/,
  /^sha\d+-|^(ssh|ecdsa)-|^AAAA[BCE]3|^data:|^MII/,
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  /^\d{4}-\d\d-\d\dT/,
];

/** Addresses, paths, dotted names, digests, public keys, UUIDs and times. */
function isKnownShape(value: string): boolean {
  if (isPath(value) || SHAPES.some((shape) => shape.test(value))) return true;
  // Words with separators: some-Service-2024-Name.
  const parts = value.split(/[-_.:/+=@]/).filter((part) => part !== '');
  return parts.every((part) => /^([A-Z]?[a-z]+|[A-Z]+|\d+|v\d+|[A-Z]?[a-z]+\d{1,4})$/.test(part));
}
