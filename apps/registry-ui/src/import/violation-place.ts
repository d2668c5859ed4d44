/** Where in a file a fault is. */
export interface ViolationPlace {
  /** Counted from 1; empty when it is not of one line. */
  readonly line: string;
  /** Such as `redirect_uris/0`; empty when it is the whole line. */
  readonly field: string;
}

/** Reads a pointer such as `/lines/3/redirect_uris/0`. */
export function placeOf(pointer: string): ViolationPlace {
  const [, , line = '', ...field] = pointer.split('/');
  return { line, field: field.join('/') };
}
