/** A piece of a text, and whether it matches a search. */
export interface Piece {
  readonly text: string;
  readonly matches: boolean;
}

/** Splits a text where the words of a search occur in it, ignoring case and accents as the registry does. */
export function piecesOf(text: string, searched: string): Piece[] {
  const letters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(
    ({ segment }) => segment,
  );
  const folded = letters.map(fold);
  const marked = letters.map(() => false);
  for (const word of searched.split(/\s+/).map(fold)) {
    if (word !== '') mark(folded, word, marked);
  }
  const pieces: { text: string; matches: boolean }[] = [];
  letters.forEach((letter, at) => {
    const last = pieces.at(-1);
    const matches = marked[at] === true;
    if (last?.matches === matches) last.text += letter;
    else pieces.push({ text: letter, matches });
  });
  return pieces;
}

/** Marks the letters that occurrences of a word consist of. A folded letter may be several characters, such as `ss`. */
function mark(folded: readonly string[], word: string, marked: boolean[]): void {
  const places = folded.flatMap((letter, at) => letter.split('').map(() => at));
  const chars = folded.join('');
  for (let from = chars.indexOf(word); from !== -1; from = chars.indexOf(word, from + 1)) {
    for (const at of places.slice(from, from + word.length)) marked[at] = true;
  }
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss');
}
