/** A value that may be a password. */
export interface Candidate {
  readonly path: readonly string[];
  readonly value: string;
  readonly line: number;
  /** See `PlainPassword`. */
  readonly isScalar?: boolean;
  /** Marked as a password that is still to be encrypted. */
  readonly isMarked?: boolean;
  /** Words within a value, which must have a telling name: that they look random is not enough. */
  readonly isPart?: boolean;
}

/** Finds the line of an offset in a text. */
export interface Lines {
  lineOf(offset: number): number;
}

/** A candidate for a value as written, which may have the mark of passwords that are still to be encrypted. */
export function toCandidate(path: readonly string[], written: string, line: number): Candidate[] {
  const [mark = ''] = /^["']?!encpwd-plain\s+/.exec(written) ?? [];
  const value = written.slice(mark.length);
  if (/^["']?!encpwd\b/.test(written) && mark === '') return [];
  return [{ path, value: withoutQuotes(value), line, ...(mark !== '' && { isMarked: true }) }];
}

const withoutQuotes = (text: string): string => text.replace(/^(["'])(.*)\1$/, '$2');
