/** What is wrong with a value, not yet said where it stands. */
export interface Fault {
  /** Stable, for programs: the rule that was broken. */
  readonly code: string;
  /** For people: one sentence in ASCII-safe form, naming the rule's source where there is one. */
  readonly message: string;
}

/** One fault and its place in the judged document. */
export interface Problem extends Fault {
  /** JSON pointer (RFC 6901), such as `/redirect_uris/1`; empty for the document as a whole. */
  readonly field: string;
}

/** The errors of client registration that metadata can cause (RFC 7591 section 3.2.2). */
export type RegistrationErrorCode = 'invalid_redirect_uri' | 'invalid_client_metadata';

/** The JSON pointer (RFC 6901 section 3) that the names and indexes lead along. */
export function pointerTo(...path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** `invalid_redirect_uri` when the redirect URIs alone are at fault, else `invalid_client_metadata`. */
export function errorCodeOf(problems: readonly Problem[]): RegistrationErrorCode {
  const redirectOnly =
    problems.length > 0 && problems.every(({ field }) => /^\/redirect_uris(\/|$)/.test(field));
  return redirectOnly ? 'invalid_redirect_uri' : 'invalid_client_metadata';
}

/**
 * The problems as one `error_description`: only the characters that RFC 6749 section 5.2 allows there (printable
 * ASCII without `"` and `\`), at most `maxLength` of them.
 */
export function errorDescriptionOf(problems: readonly Problem[], maxLength = 1000): string {
  const text = problems
    .map(({ field, message }) => `${field.replace(/^\//, '') || 'the request'}: ${message}`)
    .join('; ')
    .replaceAll('"', "'")
    .replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?');
  return text.length > maxLength ? `${text.slice(0, maxLength - 3)}...` : text;
}

/** The codes of some problems or warnings, each once, in their order. */
export function codesOf(problems: readonly Fault[]): string[] {
  return [...new Set(problems.map(({ code }) => code))];
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
