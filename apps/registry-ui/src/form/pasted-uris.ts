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
  return readPasted(text, (visible) =>
    visible.split(/[\s"',;]+(?=[a-z][a-z0-9+.-]*:|$)|\s+/i).map((entry) =>
      entry
        .trim()
        .replace(/^["'[]+/, '')
        .replace(LIST_END, ''),
    ),
  );
}

/** Not the bracket that closes an IPv6 address, as in `http://[::1]`. */
const LIST_END = /(?<!\[[^\]]*)["'\],;]+$/;

/** Commas belong to the entry if they are in quotes at its beginning: `"Doe, Jane" <jane@example.com>`. */
const ENTRIES = /[^\S\n\r]*"[^"\n\r]*"[^\n\r\t,;]*|[^\n\r\t,;]+/g;

/** Finds entries of other lists, which may contain spaces: separated by line breaks, tabs or commas, quoted or not. */
export function readPastedEntries(text: string): Pasted {
  return readPasted(text, (visible) => {
    // Of a list in JSON, which may be pasted in part.
    const list = visible.trim().replace(/^\[/, '').replace(/\],?$/, '');
    return (list.match(ENTRIES) ?? []).map(unquoted);
  });
}

/** Quotes around a part of an entry stay. */
function unquoted(entry: string): string {
  const trimmed = entry.trim();
  const inner = trimmed.slice(1, -1);
  return [`"${inner}"`, `'${inner}'`].includes(trimmed) && !inner.includes(trimmed.charAt(0))
    ? inner
    : trimmed;
}

function readPasted(text: string, split: (visible: string) => readonly string[]): Pasted {
  const invisible = text.match(INVISIBLE)?.length ?? 0;
  const entries = split(text.replace(INVISIBLE, '')).filter((entry) => entry !== '');
  return { entries, invisible };
}
