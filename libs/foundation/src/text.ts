/** An error message as a sentence: `the body is empty` → `The body is empty.` */
export function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
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
