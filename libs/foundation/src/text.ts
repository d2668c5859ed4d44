/** The value that a file consists of, without a byte order mark and one final line break, which editors add. */
export function fileValue(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r?\n$/, '');
}

/** An error message as a sentence: `the body is empty` → `The body is empty.` */
export function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

/**
 * Characters that could move the cursor, change colors or reorder text on a terminal, or end a line of a log: C0 and C1 controls
 * except tab and line feed, DEL, line and paragraph separators, and bidirectional formatting characters (Unicode UAX #9, table 1).
 */
const UNSAFE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Makes text safe to print: each unsafe character becomes `\uXXXX`, which JSON can read back. */
export function escapeControls(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Like {@link escapeControls}, but also escapes line feeds and tabs, so that the text stays on one line. */
export function escapeLine(text: string): string {
  return escapeControls(text.replaceAll('\n', '\\n').replaceAll('\t', '\\t'));
}

/** Joins lines, of which each stays one. */
export function escapeLines(lines: readonly string[]): string {
  return lines.map(escapeLine).join('\n');
}

const MAX_CHARACTERS = 80;

/** Everything but letters, marks, digits, punctuation, symbols and the space. */
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** A caller's own text, to be quoted in an answer: cut to 80 characters, with unprintable ones replaced. */
export function shortened(text: string): string {
  const characters = [...text.slice(0, 2 * (MAX_CHARACTERS + 1))];
  const shown = characters.slice(0, MAX_CHARACTERS).join('').replace(UNPRINTABLE, '\ufffd');
  return characters.length > MAX_CHARACTERS ? `${shown}...` : shown;
}

/** What wildcards stand for in a regular expression. */
const WILDCARDS = { '*': '.*', '?': '.' } as const;

/**
 * A pattern that matches a whole text.
 *
 * @param wildcards those that have a meaning: `*` for any characters, `?` for exactly one
 */
export function wildcardExpression(
  pattern: string,
  wildcards: readonly (keyof typeof WILDCARDS)[],
  { ignoresCase = false } = {},
): RegExp {
  const source = pattern.replace(/\*+|[.+?^${}()|[\]\\]/g, (found) => {
    const wildcard = wildcards.find((one) => found.startsWith(one));
    return wildcard ? WILDCARDS[wildcard] : `\\${found}`;
  });
  return new RegExp(`^${source}$`, ignoresCase ? 'is' : 's');
}
