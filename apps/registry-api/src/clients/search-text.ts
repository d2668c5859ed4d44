import type { ClientMetadata } from '@svc/client-metadata';

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
const SHORT = 3;

/** Precedes each start of a word. It occurs neither in a Client's texts nor in a search word. */
const MARK = '\t';

/** Where a word starts: a letter or digit after another character, or any character after a space. */
const WORD_START = /(?<![\p{L}\p{N}])[\p{L}\p{N}]|(?<!\S)\S/gu;

/** Needs no folding of accents, as most texts do not. */
const ASCII = /^[\0-\x7f]*$/;

const URI_FIELDS = [
  'client_uri',
  'cookie_webhook_uri',
  'cookie_entry_uri',
  'authorize_uri',
  'login_uri',
] as const satisfies readonly (keyof ClientMetadata)[];

/** Removes case and accents. Done here, not in the database, so that its locale has no effect. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return withoutMarks(withoutMarks(text).toLowerCase())
    .replace(/[ßæœþðđøłħŧıς]/g, (letter) => PLAIN_LETTERS.get(letter) ?? letter)
    .normalize('NFC');
}

/**
 * The text that searches match: name, client_id, and host and path of each URI, folded, one per line; then the first
 * characters of each word.
 */
export function searchTextOf(clientId: string, metadata: ClientMetadata): string {
  const uris = [...metadata.redirect_uris, ...URI_FIELDS.flatMap((name) => metadata[name] ?? [])];
  const lines = [metadata.client_name, clientId, ...new Set(uris.map(hostAndPath))].map(foldText);
  const text = lines.join('\n');
  return `${text}\n${[...wordStartsIn(text)].map((start) => MARK + start).join('')}`;
}

/** LIKE patterns for the distinct words of a search, all of which must match a search text. */
export function searchPatterns(q: string): string[] {
  const words = searchWords(q).map((word) => {
    const pattern = word.replace(/[\\%_]/g, String.raw`\$&`);
    return `%${[...word].length < SHORT ? MARK : ''}${pattern}%`;
  });
  return [...new Set(words)];
}

/** The words of a search. A pasted URL is searched for as it is stored: without its scheme and query. */
export function searchWords(q: string): string[] {
  return q
    .split(/\s+/u)
    .map((word) => foldText(hostAndPath(word)))
    .filter((word) => word !== '');
}

/** Private-use schemes are kept: they identify the application. */
function hostAndPath(uri: string): string {
  const [, rest] = /^https?:\/{0,2}(.*)$/isu.exec(uri) ?? [];
  if (rest === undefined) return uri.includes('/') ? uri.replace(/[?#].*$/su, '') : uri;
  return rest.replace(/[?#].*$/su, '');
}

function wordStartsIn(text: string): Set<string> {
  const starts = Array.from(text.matchAll(WORD_START), ({ index }) => {
    const [word = ''] = text.slice(index, index + 2 * SHORT).split(/\s/u, 1);
    return [...word].slice(0, SHORT - 1).join('');
  });
  return new Set(starts);
}

function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}+/gu, '');
}
