import type { FlattenedJWE } from 'jose';
import { MAX_PASSWORD_BYTES, MAX_RECIPIENTS } from './encrypt-password.js';
import {
  asObject,
  checkKeyHeader,
  type KeyHeader,
  malformed,
  parseHeader,
  placeIn,
  unsupported,
} from './password-header.js';

/** base64url expands the password by 4/3; header, vector and tag take less than the remainder. */
const MAX_COMPACT_LENGTH = Math.ceil((MAX_PASSWORD_BYTES * 4) / 3) + 2_048;

/** Each has an encrypted key and a header of less than this. */
const MAX_RECIPIENT_LENGTH = 1_024;

const MAX_ENCRYPTED_LENGTH = MAX_COMPACT_LENGTH + MAX_RECIPIENTS * MAX_RECIPIENT_LENGTH;

const PARTS = 5;

/** In base64url without padding: a 12-byte vector, a 16-byte authentication tag, a wrapped 32-byte key (RFC 3394). */
const VECTOR_LENGTH = 16;
const TAG_LENGTH = 22;
const WRAPPED_LENGTH = 54;

/** An encrypted password for one of the keys that decrypt it. */
export type ForKey = KeyHeader & { readonly jwe: FlattenedJWE };

/** An encrypted password, complete but not yet verified. */
export interface EncryptedParts {
  /** One for each key. */
  readonly keys: readonly [ForKey, ...ForKey[]];
  /** Where it belongs, if it is bound to a place. */
  readonly place: string | undefined;
}

/** Strips surrounding white space and YAML's tag and quotes. */
export function bareValue(text: string): string {
  return text
    .trim()
    .replace(/^!encpwd\s+/, '')
    .replace(/^(["'])(.*)\1$/s, '$2');
}

/**
 * Reads the headers of an encrypted password and checks that the value is complete.
 *
 * @throws {DecryptionError} `malformed` or `unsupported`
 */
export function readEncrypted(encrypted: string): EncryptedParts {
  if (encrypted.trim() === '') throw malformed('there is no encrypted password: the value is empty');
  if (encrypted.length > MAX_ENCRYPTED_LENGTH) {
    throw malformed(
      `longer than any encrypted password, which has at most ${MAX_ENCRYPTED_LENGTH} characters`,
    );
  }
  if (encrypted.trimStart().startsWith('{')) return readGeneral(encrypted);
  assertOneValue(encrypted);
  const parts = encrypted.split('.');
  const [protectedHeader = '', encryptedKey = '', iv = '', ciphertext = '', tag = ''] = parts;
  const header = parseHeader(protectedHeader);
  if (!header) throw notEncrypted(protectedHeader, parts.length);
  const forKey = checkKeyHeader(header);
  assertWhole(parts, forKey.alg);
  const jwe = { protected: protectedHeader, iv, ciphertext, tag };
  const whole = encryptedKey === '' ? jwe : { ...jwe, encrypted_key: encryptedKey };
  return { keys: [{ ...forKey, jwe: whole }], place: placeIn(header) };
}

/** Several recipients: a JWE in general JSON serialization (RFC 7516 section 7.2.1). */
function readGeneral(encrypted: string): EncryptedParts {
  const value = asObject(() => JSON.parse(encrypted));
  if (!value) throw malformed('damaged: it begins like a JWE in JSON but is not JSON; copy all of it again');
  const { protected: protectedHeader, iv, ciphertext, tag, recipients } = value;
  const parts = {
    protected: text(protectedHeader),
    iv: text(iv),
    ciphertext: text(ciphertext),
    tag: text(tag),
  };
  const header = parseHeader(parts.protected);
  if (!header || !Array.isArray(recipients)) {
    throw malformed('not an encrypted password: the JSON is not a JWE in general serialization');
  }
  if ('unprotected' in value || 'aad' in value) throw unsupported('it has "unprotected" or "aad"');
  if (recipients.length > MAX_RECIPIENTS) throw unsupported(`it has more than ${MAX_RECIPIENTS} recipients`);
  const [first, ...others] = recipients.map((recipient: unknown): ForKey => {
    const { header: own, encrypted_key: key } = asObject(() => recipient) ?? {};
    const ownHeader = asObject(() => own);
    if (!ownHeader) throw malformed('damaged: one of its recipients has no header');
    // The protected header wins: nothing in it may be changed by a recipient's.
    const forKey = checkKeyHeader({ ...ownHeader, ...header });
    if (forKey.alg === 'dir') throw unsupported('its "alg" is dir, which has no recipients');
    const encryptedKey = text(key);
    assertWhole([parts.protected, encryptedKey, parts.iv, parts.ciphertext, parts.tag], forKey.alg);
    return { ...forKey, jwe: { ...parts, encrypted_key: encryptedKey, header: ownHeader } };
  });
  if (!first) throw malformed('damaged: it has no recipients');
  return { keys: [first, ...others], place: placeIn(header) };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Detects copy-and-paste mistakes: too much text, or the wrong text. */
function assertOneValue(encrypted: string): void {
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

function notEncrypted(segment: string, parts: number): Error {
  // Every header starts with {" which is eyJ in base64url.
  if (parts === 1 && segment.startsWith('eyJ')) return cutOff(parts);
  return malformed(
    'not an encrypted password: expected five parts separated by dots, the first starting with eyJ',
  );
}

function assertWhole(parts: readonly string[], alg: KeyHeader['alg']): void {
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
  if (alg === 'dir' && encryptedKey !== '')
    throw malformed('damaged: its second part is not empty, as it must be where "alg" is dir');
  if (alg !== 'dir') assertLength('second', encryptedKey, WRAPPED_LENGTH);
  assertLength('third', vector, VECTOR_LENGTH);
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

function assertLength(which: string, { length }: string, expected: number): void {
  if (length === expected) return;
  throw malformed(
    `damaged: its ${which} part has ${length} characters instead of ${expected}; copy all of it again`,
  );
}

function cutOff(parts: number): Error {
  return malformed(`cut off: it has ${parts} of ${PARTS} parts; copy all of it again`);
}
