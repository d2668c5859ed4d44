import { foldText, searchWords, SHORT_WORD, WORD_START } from '@svc/client-metadata';

/** A piece of a text, and whether it matches a search. */
export interface Piece {
  readonly text: string;
  readonly matches: boolean;
}

const LETTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Splits a text where the words of a search occur in it, as the registry finds them. */
export function piecesOf(text: string, searched: string): Piece[] {
  const words = searchWords(searched);
  if (words.length === 0) return text === '' ? [] : [{ text, matches: false }];
  const letters = Array.from(LETTERS.segment(text), ({ segment }) => segment);
  const folded = letters.map(foldText);
  const marked = letters.map(() => false);
  for (const word of words) mark(folded, word, marked);
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
  for (const from of occurrences(chars, word)) {
    for (const at of places.slice(from, from + word.length)) marked[at] = true;
  }
}

function occurrences(chars: string, word: string): number[] {
  const found: number[] = [];
  for (let from = chars.indexOf(word); from !== -1; from = chars.indexOf(word, from + 1)) found.push(from);
  if ([...word].length >= SHORT_WORD) return found;
  const starts = new Set(Array.from(chars.matchAll(WORD_START), ({ index }) => index));
  return found.filter((from) => starts.has(from));
}
