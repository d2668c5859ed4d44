/** How a scalar is marked: encrypted, to be encrypted, or not at all. */
export type Mark = 'encpwd' | 'encpwd-plain';

/** A scalar of a document, with what replaces it. */
export interface DocumentScalar {
  /** Keys and indexes from the root. */
  readonly path: readonly string[];
  /** Its text, without the mark. */
  readonly value: string;
  readonly mark: Mark | undefined;
  /** True unless it is a number, a truth value or null. */
  readonly isText: boolean;
  readonly offset: number;
  /** 1-based. */
  readonly line: number;
  /** Lines of the aliases that repeat it, in YAML. */
  readonly aliases?: readonly number[];
  /** True for an alias: what it repeats has to be changed instead. */
  readonly isAlias?: boolean;
  /**
   * The edit that puts an encrypted password in its place, with the mark. Comments, and quotes where they suffice, stay.
   * Undefined where there is no place for a value.
   *
   * @param keepsSpaces true if white space around an encrypted value stays in YAML, too: by default, readers get the value alone
   */
  readonly replaceBy: (encrypted: string, keepsSpaces?: boolean) => Edit | undefined;
}

/** Replaces the text from `start` to `end`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What makes a document unreadable; never quotes it. */
export interface DocumentError {
  readonly line: number;
  readonly message: string;
}

export interface ParsedDocument {
  /** In the order of the text. */
  readonly scalars: readonly DocumentScalar[];
  /** Unless empty, `scalars` may be incomplete. */
  readonly errors: readonly DocumentError[];
}

/** Applies edits that do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    parts.push(text.slice(end, edit.start), edit.text);
    end = edit.end;
  }
  return parts.join('') + text.slice(end);
}

/** Finds the line of an offset, for offsets in any order. */
export class LineIndex {
  private readonly starts: readonly number[];

  constructor(text: string) {
    this.starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  }

  /** 1-based. */
  lineOf(offset: number): number {
    let [low, high] = [0, this.starts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.starts[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * In text without tags, in JSON and INI: `!encpwd eyJ...`, with or without quotes. In double quotes, a backslash precedes quotes
 * and backslashes of the value; single quotes are doubled. Text that merely begins with a quote stays as it is.
 *
 * @param keepsSpaces true where the text has quotes of its own, so that spaces at its ends are meant
 */
export function readMark(
  text: string,
  keepsSpaces = false,
): { readonly mark: Mark | undefined; readonly value: string } {
  const [, mark, rest = ''] = /^!(encpwd-plain|encpwd)\s(.*)$/s.exec(text) ?? [];
  if (mark === undefined) return { mark: undefined, value: text };
  return { mark: mark as Mark, value: unquoted(keepsSpaces ? rest : rest.trim()) };
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  const [, double] = /^"((?:[^"\\]|\\.)*)"$/s.exec(trimmed) ?? [];
  if (double !== undefined) return double.replace(/\\(["\\])/g, '$1');
  const [, single] = /^'((?:[^']|'')*)'$/.exec(trimmed) ?? [];
  if (single !== undefined) return single.replaceAll("''", "'");
  return text;
}

/** The text that marks an encrypted password in JSON and INI. */
export const markedText = (encrypted: string): string => `!encpwd ${encrypted}`;
