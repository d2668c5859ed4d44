/** The location of a violation in a file. */
export interface ViolationPlace {
  /** Starts at 1; empty if it concerns no single line. */
  readonly line: string;
  /** Such as `redirect_uris/0`; empty for the entire line. */
  readonly field: string;
}

/** Parses a JSON pointer such as `/lines/3/redirect_uris/0`. */
export function placeOf(pointer: string): ViolationPlace {
  const [, , line = '', ...field] = pointer.split('/');
  return { line, field: field.join('/') };
}
