import type { ClientMetadata } from '@svc/client-metadata';

/** Letters with a mark of their own kind, which Unicode does not take apart. */
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

/** Shorter words are looked for at the beginnings of words only: they stand in the middle of nearly all texts. */
const SHORT = 3;

/** Stands before each beginning of a word. No text of a Client and no word of a search has it. */
const MARK = '\t';

/** Where a word begins: a letter or digit after something else, or whatever follows a space. */
const BEGINNING = /(?<![\p{L}\p{N}])[\p{L}\p{N}]|(?<!\S)\S/gu;

/** Has no accents; most texts are such. */
const ASCII = /^[\0-\x7f]*$/;

const URI_FIELDS = [
  'client_uri',
  'cookie_webhook_uri',
  'cookie_entry_uri',
  'authorize_uri',
  'login_uri',
] as const satisfies readonly (keyof ClientMetadata)[];

/** A text without regard to case and accents. The database has no part in it, so that its locale has none either. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return withoutMarks(withoutMarks(text).toLowerCase())
    .replace(/[ßæœþðđøłħŧıς]/g, (letter) => PLAIN_LETTERS.get(letter) ?? letter)
    .normalize('NFC');
}

/**
 * What searches look at: name, client_id, and host and path of each URI, folded, each on a line of its own; then how
 * each word in them begins.
 */
export function searchTextOf(clientId: string, metadata: ClientMetadata): string {
  const uris = [...metadata.redirect_uris, ...URI_FIELDS.flatMap((name) => metadata[name] ?? [])];
  const lines = [metadata.client_name, clientId, ...new Set(uris.map(hostAndPath))].map(foldText);
  const text = lines.join('\n');
  return `${text}\n${[...beginningsIn(text)].map((beginning) => MARK + beginning).join('')}`;
}

/** The words of a search, each once, as patterns that LIKE finds in a search text. All of them must be found. */
export function searchPatterns(q: string): string[] {
  const words = searchWords(q).map((word) => {
    const pattern = word.replace(/[\\%_]/g, String.raw`\$&`);
    return `%${[...word].length < SHORT ? MARK : ''}${pattern}%`;
  });
  return [...new Set(words)];
}

/** The words of a search. A URL that was pasted into it is looked for as it is stored: without its scheme and query. */
export function searchWords(q: string): string[] {
  return q
    .split(/\s+/u)
    .map((word) => foldText(hostAndPath(word)))
    .filter((word) => word !== '');
}

/** Private-use schemes stay: they name the application. */
function hostAndPath(uri: string): string {
  const [, rest] = /^https?:\/{0,2}(.*)$/isu.exec(uri) ?? [];
  if (rest === undefined) return uri.includes('/') ? uri.replace(/[?#].*$/su, '') : uri;
  return rest.replace(/[?#].*$/su, '');
}

function beginningsIn(text: string): Set<string> {
  const beginnings = Array.from(text.matchAll(BEGINNING), ({ index }) => {
    const [word = ''] = text.slice(index, index + 2 * SHORT).split(/\s/u, 1);
    return [...word].slice(0, SHORT - 1).join('');
  });
  return new Set(beginnings);
}

function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}+/gu, '');
}
