import { isKeySize, KEY_READERS, type KeyForm, MAX_KEY_FILE_BYTES } from './key-form.js';
import { InvalidKeyError } from './password-errors.js';
import { PasswordKey, type PasswordKeys } from './password-key.js';
import { parseJwk } from './parse-jwk.js';

/**
 * Reads a key file: a JWK of type `oct`, a JWK set, hex or base64 text (white space is ignored), or 16, 24 or 32 raw bytes.
 *
 * @param form the encoding; if absent, the content must be valid in exactly one form
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
  if (form) return [new PasswordKey(KEY_READERS[form](content) ?? malformed(content, form))];
  return parseJwk(content) ?? [parseUnambiguous(content)];
}

function parseUnambiguous(content: Uint8Array): PasswordKey {
  const readings = Object.entries(KEY_READERS)
    .map(([form, read]) => ({ form, bytes: read(content) }))
    .filter(({ bytes }) => bytes !== undefined && isKeySize(bytes.length));
  if (readings.length > 1) {
    const forms = readings.map(({ form, bytes }) => `${form} of ${bytes!.length} bytes`).join(' or ');
    throw new InvalidKeyError(
      'ambiguous',
      `the key can be read as ${forms}; specify which: prefix the file name with hex:, base64: or raw:`,
    );
  }
  const [reading] = readings;
  if (!reading) throw unreadable(content);
  return new PasswordKey(reading.bytes!);
}

function unreadable(content: Uint8Array): InvalidKeyError {
  if (hasByteOrderMark(content)) return marked();
  const sizes = Object.entries(KEY_READERS)
    .map(([form, read]) => ({ form, bytes: read(content)?.length }))
    .filter(({ bytes }) => bytes !== undefined)
    .map(({ form, bytes }) => `${bytes} bytes as ${form}`);
  const wanted = 'a key has 16, 24 or 32 bytes, as a JWK, hex, base64 or raw';
  return new InvalidKeyError('size', `the key has ${sizes.join(', ')}; ${wanted}`);
}

function malformed(content: Uint8Array, form: KeyForm): never {
  if (hasByteOrderMark(content)) throw marked();
  throw new InvalidKeyError('malformed', `the key is not ${form} text`);
}

/** Some editors add one, in UTF-8 or UTF-16. */
function hasByteOrderMark(content: Uint8Array): boolean {
  return /^(efbbbf|fffe|feff)/.test(Buffer.from(content.subarray(0, 3)).toString('hex'));
}

function marked(): InvalidKeyError {
  const remedy = 'save it as ASCII or as UTF-8 without one';
  return new InvalidKeyError('malformed', `the key begins with a byte order mark: ${remedy}`);
}
