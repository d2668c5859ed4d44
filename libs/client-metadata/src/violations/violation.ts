import type { RuleViolation, Violation } from '@svc/foundation';

/** Client registration errors caused by metadata (RFC 7591 section 3.2.2). */
export type RegistrationErrorCode = 'invalid_redirect_uri' | 'invalid_client_metadata';

/** `invalid_redirect_uri` if only redirect URIs are invalid, otherwise `invalid_client_metadata`. */
export function errorCodeOf(violations: readonly Violation[]): RegistrationErrorCode {
  const redirectOnly =
    violations.length > 0 && violations.every(({ field }) => /^\/redirect_uris(\/|$)/.test(field));
  return redirectOnly ? 'invalid_redirect_uri' : 'invalid_client_metadata';
}

/**
 * Formats violations as an `error_description`: at most `maxLength` characters, limited to those allowed by RFC 6749
 * section 5.2 (printable ASCII without `"` and `\`).
 */
export function errorDescriptionOf(violations: readonly Violation[], maxLength = 1000): string {
  const text = violations
    .map(({ field, message }) => `${field.replace(/^\//, '') || 'the request'}: ${message}`)
    .join('; ')
    .replaceAll('"', "'")
    .replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?');
  return text.length > maxLength ? `${text.slice(0, maxLength - 3)}...` : text;
}

/** The distinct codes of violations or warnings, in order. */
export function codesOf(violations: readonly RuleViolation[]): string[] {
  return [...new Set(violations.map(({ code }) => code))];
}

/** Characters escaped in messages: everything but letters, marks, digits, punctuation, symbols and the space. */
const UNSHOWN = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

const QUOTED_CHARACTERS = 80;

/** Longer text is cut off before it is looked at. */
const MAX_LOOKED_AT = 8_192;

/** User information in URIs, which may hold a password; also where a slash in it was not escaped. */
const USER_INFO = [
  /(?<=\/\/)[^/?#\s]*@/g,
  /(?<=^[a-z][a-z0-9+.-]{0,30}:\/\/)[^/:]*:(?!\d+(?:[/?#]|$))[^@]*@/i,
];

/**
 * Quotes untrusted text for a message: truncated to 80 characters, without user information of URIs, and with unprintable and
 * misleading characters escaped.
 */
export function quote(text: string): string {
  const masked = USER_INFO.reduce(
    (one, pattern) => one.replace(pattern, '***@'),
    text.slice(0, MAX_LOOKED_AT),
  );
  // Enough code units to detect truncation: a character takes at most two.
  const characters = [...masked.slice(0, 2 * (QUOTED_CHARACTERS + 1))];
  const shown = characters.slice(0, QUOTED_CHARACTERS).join('').replace(UNSHOWN, codePointOf);
  return `'${shown}${characters.length > QUOTED_CHARACTERS ? '...' : ''}'`;
}

/** A character's code point in the form U+200B. */
export function codePointOf(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}
