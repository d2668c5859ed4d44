import type { RuleViolation, Violation } from '@svc/foundation';

/** The errors of client registration that metadata can cause (RFC 7591 section 3.2.2). */
export type RegistrationErrorCode = 'invalid_redirect_uri' | 'invalid_client_metadata';

/** `invalid_redirect_uri` when the redirect URIs alone are at fault, else `invalid_client_metadata`. */
export function errorCodeOf(violations: readonly Violation[]): RegistrationErrorCode {
  const redirectOnly =
    violations.length > 0 && violations.every(({ field }) => /^\/redirect_uris(\/|$)/.test(field));
  return redirectOnly ? 'invalid_redirect_uri' : 'invalid_client_metadata';
}

/**
 * The violations as one `error_description`: only the characters that RFC 6749 section 5.2 allows there (printable
 * ASCII without `"` and `\`), at most `maxLength` of them.
 */
export function errorDescriptionOf(violations: readonly Violation[], maxLength = 1000): string {
  const text = violations
    .map(({ field, message }) => `${field.replace(/^\//, '') || 'the request'}: ${message}`)
    .join('; ')
    .replaceAll('"', "'")
    .replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?');
  return text.length > maxLength ? `${text.slice(0, maxLength - 3)}...` : text;
}

/** The codes of some violations or warnings, each once, in their order. */
export function codesOf(violations: readonly RuleViolation[]): string[] {
  return [...new Set(violations.map(({ code }) => code))];
}

/** What a message does not show as it is: all but letters, marks, digits, punctuation, symbols and the space. */
const UNSHOWN = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

const QUOTED_CHARACTERS = 80;

/** Foreign text for a message: in quotes, cut to 80 characters, everything unprintable or misleading escaped. */
export function quote(text: string): string {
  // Enough of the text to tell whether there are more characters, each of which takes at most two code units.
  const characters = [...text.slice(0, 2 * (QUOTED_CHARACTERS + 1))];
  const shown = characters.slice(0, QUOTED_CHARACTERS).join('').replace(UNSHOWN, codePointOf);
  return `'${shown}${characters.length > QUOTED_CHARACTERS ? '...' : ''}'`;
}

/** A character's code point as people write it, such as U+200B. */
export function codePointOf(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}
