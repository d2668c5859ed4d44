/** Letters that Unicode does not decompose into a base letter and a mark. */
const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map([
  ...([
    ['ß', 'ss'],
    ['æ', 'ae'],
    ['œ', 'oe'],
    ['þ', 'th'],
    ['ð', 'd'],
    ['đ', 'd'],
  ] as const),
  ...([
    ['ø', 'o'],
    ['ł', 'l'],
    ['ħ', 'h'],
    ['ŧ', 't'],
    ['ı', 'i'],
    ['ς', 'σ'],
  ] as const),
]);

/** Shorter words match only at the start of words: nearly every text contains them somewhere. */
export const SHORT_WORD = 3;

/** Where a word starts: a letter or digit after another character, or any character after a space. */
export const WORD_START = /(?<![\p{L}\p{N}])[\p{L}\p{N}]|(?<!\S)\S/gu;

/** Needs no folding of accents, as most texts do not. */
const ASCII = /^[\0-\x7f]*$/;

/** Removes case and accents. Done here, not in the database, so that its locale has no effect. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return withoutMarks(withoutMarks(text).toLowerCase())
    .replace(/[ßæœþðđøłħŧıς]/g, (letter) => PLAIN_LETTERS.get(letter) ?? letter)
    .normalize('NFC');
}

/** The words of a search. A pasted URL is searched for as it is stored: without its scheme and query. */
export function searchWords(q: string): string[] {
  return q
    .split(/\s+/u)
    .map((word) => foldText(hostAndPath(word)))
    .filter((word) => word !== '');
}

/** A URI as searches see it. Private-use schemes are kept: they identify the application. */
export function hostAndPath(uri: string): string {
  const [, rest] = /^https?:\/{0,2}(.*)$/isu.exec(uri) ?? [];
  if (rest === undefined) return uri.includes('/') ? uri.replace(/[?#].*$/su, '') : uri;
  return rest.replace(/[?#].*$/su, '');
}

function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}+/gu, '');
}
