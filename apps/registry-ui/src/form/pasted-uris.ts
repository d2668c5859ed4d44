/** The URIs or other entries in pasted text. */
export interface Pasted {
  readonly entries: readonly string[];
  /** The number of invisible characters removed. */
  readonly invisible: number;
}

/** Invisible characters that get copied from documents and web pages. */
const INVISIBLE = /[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g;

/** Finds the URIs in pasted text, separated by line breaks, spaces or commas, quoted or not. */
export function readPastedUris(text: string): Pasted {
  return readPasted(text, /[\s"',;]+(?=[a-z][a-z0-9+.-]*:|$)|\s+/i);
}

/** Finds entries of other lists, which may contain spaces: separated by line breaks, tabs or commas, quoted or not. */
export function readPastedEntries(text: string): Pasted {
  return readPasted(text, /[\n\r\t,;]+/);
}

function readPasted(text: string, separator: RegExp): Pasted {
  const invisible = text.match(INVISIBLE)?.length ?? 0;
  const entries = text
    .replace(INVISIBLE, '')
    .split(separator)
    .map((entry) => entry.trim().replace(/^["'[]+|["'\],;]+$/g, ''))
    .filter((entry) => entry !== '');
  return { entries, invisible };
}
