import { MAX_PASSWORD_BYTES } from './encrypt-password.js';
import { ENCRYPTIONS } from './key-form.js';
import { DecryptionError } from './password-errors.js';

/** base64url expands the password by 4/3; header, vector and tag take less than the remainder. */
const MAX_ENCRYPTED_LENGTH = Math.ceil((MAX_PASSWORD_BYTES * 4) / 3) + 1_024;

const PARTS = 5;

/** In base64url without padding: a 12-byte vector and a 16-byte authentication tag. */
const VECTOR_LENGTH = 16;
const TAG_LENGTH = 22;

/** The protected header of an encrypted password. */
export interface EncryptedHeader {
  readonly enc: string;
  readonly kid: string | undefined;
}

/** Strips surrounding white space and YAML's tag and quotes. */
export function bareValue(text: string): string {
  return text
    .trim()
    .replace(/^!encpwd\s+/, '')
    .replace(/^(["'])(.*)\1$/s, '$2');
}

/**
 * Reads the header of an encrypted password and checks that the value is complete.
 *
 * @throws {DecryptionError} `malformed` or `unsupported`
 */
export function readEncrypted(encrypted: string): EncryptedHeader {
  assertOneValue(encrypted);
  const parts = encrypted.split('.');
  const header = checkHeader(parseHeader(parts[0]!, parts.length));
  assertWhole(parts);
  return header;
}

/** Detects copy-and-paste mistakes: too much text, or the wrong text. */
function assertOneValue(encrypted: string): void {
  if (encrypted.trim() === '') throw malformed('there is no encrypted password: the value is empty');
  if (encrypted.length > MAX_ENCRYPTED_LENGTH) {
    throw malformed(
      `longer than any encrypted password, which has at most ${MAX_ENCRYPTED_LENGTH} characters`,
    );
  }
  if (encrypted.includes('!encpwd')) {
    throw malformed('more than an encrypted password: pass only the text between the quotes after !encpwd');
  }
  const words = encrypted.trim().split(/\s+/);
  if (words.length > 1 && words.every((word) => word.split('.').length === PARTS)) {
    throw malformed(`${words.length} encrypted passwords: pass one at a time`);
  }
  if (words.length > 1)
    throw malformed('not one encrypted password: it contains white space; copy it as one line');
}

function parseHeader(segment: string, parts: number): Record<string, unknown> {
  try {
    const header: unknown = JSON.parse(Buffer.from(segment, 'base64url').toString('utf8'));
    if (typeof header === 'object' && header !== null && !Array.isArray(header))
      return header as Record<string, unknown>;
  } catch {
    // The parser's message would quote the header, which may hold anything.
  }
  // Every header starts with {" which is eyJ in base64url.
  if (parts === 1 && segment.startsWith('eyJ')) throw cutOff(parts);
  throw malformed(
    'not an encrypted password: expected five parts separated by dots, the first starting with eyJ',
  );
}

function checkHeader(header: Record<string, unknown>): EncryptedHeader {
  if (header['alg'] !== 'dir') throw unsupported('its "alg" is not dir');
  if ('zip' in header) throw unsupported('it is compressed ("zip")');
  if ('crit' in header) throw unsupported('it has critical extensions ("crit")');
  const { enc, kid } = header;
  if (!Object.values<unknown>(ENCRYPTIONS).includes(enc)) {
    throw unsupported('its "enc" is none of A128GCM, A192GCM, A256GCM');
  }
  if (kid !== undefined && typeof kid !== 'string') throw unsupported('its "kid" is not a string');
  return { enc: String(enc), kid };
}

function assertWhole(parts: readonly string[]): void {
  if (parts.length < PARTS) throw cutOff(parts.length);
  if (parts.length > PARTS) {
    throw malformed(`more than one encrypted password: it has ${parts.length} parts instead of ${PARTS}`);
  }
  if (!parts.every((part) => /^[\w-]*$/.test(part))) {
    throw malformed(
      'not just an encrypted password: it has characters that are never part of one; pass it without the surrounding text',
    );
  }
  const [, encryptedKey = '', vector = '', ciphertext = '', tag = ''] = parts;
  if (encryptedKey !== '')
    throw malformed('damaged: its second part is not empty, as it must be where "alg" is dir');
  if (vector.length !== VECTOR_LENGTH) {
    throw malformed(
      `damaged: its third part has ${vector.length} characters instead of ${VECTOR_LENGTH}; copy all of it again`,
    );
  }
  if (ciphertext === '')
    throw malformed('damaged: its fourth part, the password, is missing; copy all of it again');
  if (tag.length < TAG_LENGTH) {
    throw malformed(
      `cut off: its last part has ${tag.length} of ${TAG_LENGTH} characters; copy all of it again`,
    );
  }
  if (tag.length > TAG_LENGTH) {
    throw malformed(
      `more than an encrypted password: its last part has ${tag.length} characters instead of ${TAG_LENGTH}`,
    );
  }
}

function cutOff(parts: number): DecryptionError {
  return malformed(`cut off: it has ${parts} of ${PARTS} parts; copy all of it again`);
}

function malformed(message: string): DecryptionError {
  return new DecryptionError('malformed', message);
}

function unsupported(reason: string): DecryptionError {
  return new DecryptionError('unsupported', `the encrypted password is rejected: ${reason}`);
}
