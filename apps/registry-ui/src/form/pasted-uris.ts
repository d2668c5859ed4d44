/** Text of a clipboard as the URIs in it. */
export interface PastedUris {
  readonly uris: readonly string[];
  /** How many characters nobody can see were left out. */
  readonly invisible: number;
}

/** Characters that come along unseen when text is copied from documents and web pages. */
const INVISIBLE = /[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g;

/** Finds the URIs in pasted text: one a line, or apart by spaces or commas, in quotes or not. */
export function readPastedUris(text: string): PastedUris {
  const invisible = text.match(INVISIBLE)?.length ?? 0;
  const uris = text
    .replace(INVISIBLE, '')
    .split(/[\s"',;]+(?=[a-z][a-z0-9+.-]*:|$)|\s+/i)
    .map((uri) => uri.replace(/^["'[]+|["'\],;]+$/g, ''))
    .filter((uri) => uri !== '');
  return { uris, invisible };
}
