import type { RuleViolation } from '@svc/foundation';

/** Characters not allowed in any text, because some system would store, show or send them as something else. */
const FORBIDDEN: readonly { readonly code: string; readonly pattern: RegExp; readonly what: string }[] = [
  { code: 'nul_character', pattern: /\0/u, what: 'a NUL character' },
  { code: 'control_character', pattern: /[\x01-\x1f\x7f-\x9f\u2028\u2029]/u, what: 'a control character' },
  {
    code: 'bidi_character',
    pattern: /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u,
    what: 'a character that overrides the direction of writing (UAX #9)',
  },
  {
    code: 'lone_surrogate',
    pattern: /\p{Surrogate}/u,
    what: 'half of a surrogate pair, so it is not Unicode text',
  },
];

/** Violations for forbidden characters, one per kind. */
export function characterViolations(text: string): RuleViolation[] {
  return FORBIDDEN.flatMap(({ code, pattern, what }) => {
    const at = text.search(pattern);
    return at < 0
      ? []
      : [{ code, message: `contains ${what} at character ${[...text.slice(0, at)].length + 1}` }];
  });
}

/** Length in Unicode code points, as counted by JSON Schema's `maxLength` and PostgreSQL's `varchar`. */
export function lengthOf(text: string): number {
  // A surrogate pair counts as one.
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}
