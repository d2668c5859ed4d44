const MAX_CHARACTERS = 80;

/** All but letters, marks, digits, punctuation, symbols and the space. */
const UNSHOWN = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** A caller's own text for an answer: cut to 80 characters, what is unprintable or misleading replaced. */
export function shortened(text: string): string {
  const characters = [...text.slice(0, 2 * (MAX_CHARACTERS + 1))];
  const shown = characters.slice(0, MAX_CHARACTERS).join('').replace(UNSHOWN, '\ufffd');
  return characters.length > MAX_CHARACTERS ? `${shown}...` : shown;
}
