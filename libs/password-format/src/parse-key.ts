import { isKeySize, KEY_READERS, type KeyForm, MAX_KEY_FILE_BYTES } from './key-form.js';
import { InvalidKeyError } from './password-errors.js';
import { type OpeningKey, PasswordKey, type PasswordKeys } from './password-key.js';
import { parseKeys } from './parse-jwk.js';
import { Recipient } from './sealing-keys.js';

/**
 * Reads a key file: a JWK of type `oct`, or `EC` or `OKP` with its private key, a JWK set, a private key in PEM, hex or base64
 * text (white space is ignored), or 16, 24 or 32 raw bytes.
 *
 * @param form the encoding; if absent, the content must be valid in exactly one form
 * @throws {InvalidKeyError}
 */
export function parseKeyFile(content: Uint8Array, form?: KeyForm): PasswordKeys {
  assertSize(content);
  if (form) return [new PasswordKey(KEY_READERS[form](content) ?? malformed(content, form))];
  const [first, ...others] = parseKeys(content) ?? [parseUnambiguous(content)];
  return [assertOpens(first), ...others.map(assertOpens)];
}

/**
 * Reads a file of public keys: a JWK or a JWK set, or one key in PEM.
 *
 * @throws {InvalidKeyError} also if one of them is private or symmetric: only its owner should have it
 */
export function parseRecipients(content: Uint8Array): readonly [Recipient, ...Recipient[]] {
  assertSize(content);
  const keys = parseKeys(content);
  if (!keys) throw new InvalidKeyError('malformed', 'not a public key as JWK, JWK set or PEM');
  const [first, ...others] = keys.map(assertPublic);
  return [first!, ...others];
}

function assertSize({ length }: Uint8Array): void {
  if (length === 0) throw new InvalidKeyError('empty', 'the key is empty');
  if (length <= MAX_KEY_FILE_BYTES) return;
  const message = `the key has ${length} bytes; a key file has at most ${MAX_KEY_FILE_BYTES}`;
  throw new InvalidKeyError('size', message);
}

function assertOpens(key: OpeningKey | Recipient): OpeningKey {
  if (!(key instanceof Recipient)) return key;
  const remedy = 'set it in pwdencryptor.recipients, or pass it with --recipient';
  throw new InvalidKeyError('malformed', `key ${key.kid} is public, so it cannot decrypt; ${remedy}`);
}

function assertPublic(key: OpeningKey | Recipient): Recipient {
  if (key instanceof Recipient) return key;
  throw new InvalidKeyError(
    'malformed',
    `key ${key.kid} is not public: anyone who has it can decrypt; pass the .pub file that "svccmd keygen --pair" wrote`,
  );
}

function parseUnambiguous(content: Uint8Array): PasswordKey {
  const readings = Object.entries(KEY_READERS)
    .map(([form, read]) => ({ form, bytes: read(content) }))
    .filter(({ bytes }) => bytes !== undefined && isKeySize(bytes.length));
  if (readings.length > 1) {
    const forms = readings.map(({ form, bytes }) => `${form} of ${bytes!.length} bytes`).join(' or ');
    throw new InvalidKeyError(
      'ambiguous',
      `the key can be read as ${forms}; specify which: put hex:, base64: or raw: before the file name, or before the key that a command prints`,
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
