import { InvalidKeyError } from './password-errors.js';
import { isKeySize, PasswordKey, type PasswordKeys } from './password-key.js';
import { parseJwk } from './parse-jwk.js';

/** How key material is written, where its bytes alone do not tell. */
export type KeyForm = 'hex' | 'base64' | 'raw';

/** Whatever is longer is no key file; a JWK set of many keys stays far below. */
const MAX_KEY_FILE_BYTES = 65_536;

/**
 * Reads a key file: a JWK of type `oct`, a JWK set, hex or base64 text (white space is ignored), or 16, 24 or 32 raw bytes.
 *
 * @param form says how to read it; without it the content must be readable in one way only
 * @throws {InvalidKeyError}
 */
export function parseKeyFile(content: Uint8Array, form?: KeyForm): PasswordKeys {
  if (content.length === 0) throw new InvalidKeyError('empty', 'the key is empty');
  if (content.length > MAX_KEY_FILE_BYTES) {
    throw new InvalidKeyError(
      'size',
      `the key has ${content.length} bytes; a key file has at most ${MAX_KEY_FILE_BYTES}`,
    );
  }
  if (form) return [new PasswordKey(READERS[form](content) ?? malformed(form))];
  return parseJwk(content) ?? [parseUnambiguous(content)];
}

const READERS: Readonly<Record<KeyForm, (content: Uint8Array) => Uint8Array | undefined>> = {
  hex: (content) => {
    const digits = textOf(content);
    return /^(?:[0-9a-f]{2})+$/i.test(digits) ? Buffer.from(digits, 'hex') : undefined;
  },
  base64: (content) => {
    const digits = textOf(content).replaceAll('+', '-').replaceAll('/', '_');
    const bytes = Buffer.from(digits, 'base64url');
    // Buffer skips what is no base64, so only text that it writes back alike was base64.
    return digits !== '' && bytes.toString('base64url') === digits.replace(/={1,2}$/, '') ? bytes : undefined;
  },
  raw: (content) => content,
};

function parseUnambiguous(content: Uint8Array): PasswordKey {
  const readings = Object.entries(READERS)
    .map(([form, read]) => ({ form, bytes: read(content) }))
    .filter(({ bytes }) => bytes !== undefined && isKeySize(bytes.length));
  if (readings.length > 1) {
    const forms = readings.map(({ form, bytes }) => `${form} of ${bytes!.length} bytes`).join(' or ');
    throw new InvalidKeyError(
      'ambiguous',
      `the key can be read as ${forms}; say which: write hex:, base64: or raw: before the name of the file`,
    );
  }
  const [reading] = readings;
  if (!reading) throw unreadable(content);
  return new PasswordKey(reading.bytes!);
}

function unreadable(content: Uint8Array): InvalidKeyError {
  const sizes = Object.entries(READERS)
    .map(([form, read]) => ({ form, bytes: read(content)?.length }))
    .filter(({ bytes }) => bytes !== undefined)
    .map(({ form, bytes }) => `${bytes} bytes as ${form}`);
  const wanted = 'a key has 16, 24 or 32 bytes, as a JWK, hex, base64 or raw';
  return new InvalidKeyError('size', `the key has ${sizes.join(', ')}; ${wanted}`);
}

function malformed(form: KeyForm): never {
  throw new InvalidKeyError('malformed', `the key is not ${form} text`);
}

/** The content as ASCII text without white space; bytes beyond ASCII become characters that no form knows. */
function textOf(content: Uint8Array): string {
  return Buffer.from(content)
    .toString('latin1')
    .replace(/[ \t\r\n]/g, '');
}
