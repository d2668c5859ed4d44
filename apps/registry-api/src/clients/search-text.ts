import {
  type ClientMetadata,
  foldText,
  hostAndPath,
  searchWords,
  SHORT_WORD,
  WORD_START,
} from '@svc/client-metadata';

/** Precedes each start of a word. It occurs neither in a Client's texts nor in a search word. */
const MARK = '\t';

const URI_FIELDS = [
  'client_uri',
  'cookie_webhook_uri',
  'cookie_entry_uri',
  'authorize_uri',
  'login_uri',
] as const satisfies readonly (keyof ClientMetadata)[];

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
  const words = searchWords(q).map((word) =>
    substringPattern([...word].length < SHORT_WORD ? MARK + word : word),
  );
  return [...new Set(words)];
}

/** A LIKE pattern for texts that contain this one. */
export function substringPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
}

function wordStartsIn(text: string): Set<string> {
  const starts = Array.from(text.matchAll(WORD_START), ({ index }) => {
    const [word = ''] = text.slice(index, index + 2 * SHORT_WORD).split(/\s/u, 1);
    return [...word].slice(0, SHORT_WORD - 1).join('');
  });
  return new Set(starts);
}
