/**
 * Tokenizer of the fast path. Each function takes the text and a position, and returns the position after the token,
 * or `UNSURE` for anything not certain to be valid. Texts are UTF-8: bytes from
 * 0x80 up have no meaning in YAML's syntax.
 */
export const UNSURE = -1;

export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const HASH = 0x23;
export const APOSTROPHE = 0x27;
export const COMMA = 0x2c;
export const DASH = 0x2d;
export const COLON = 0x3a;
export const BACKSLASH = 0x5c;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const EXCLAMATION = 0x21;
const DELETE = 0x7f;

/**
 * Characters allowed after a backslash in a double-quoted scalar, except hexadecimal escapes (left to the full
 * parser).
 */
const ESCAPES = new Set([...'0abtnvfre "/\\N_LP'].map((character) => character.charCodeAt(0)));

const CONTROL = 1;
/** Ends a plain scalar, or may do so: space, `:`, `#`. */
const WATCHED = 2;
const FLOW = 4;
/** Must not start a plain scalar. (`-` may, unless followed by a space.) */
const NO_START = 8;
const WORD = 16;
/** Ends a quoted scalar, or is special inside one. */
const QUOTING = 32;

/** Character classes by byte, so that a single lookup handles ordinary characters. */
const CLASSES = makeClasses();

function makeClasses(): Uint8Array {
  const classes = new Uint8Array(256);
  const add = (characters: string, flag: number) => {
    for (const character of characters) classes[character.charCodeAt(0)]! |= flag;
  };
  for (let code = 0; code < SPACE; code += 1) classes[code] = CONTROL;
  classes[DELETE] = CONTROL;
  add(' :#', WATCHED);
  add(',[]{}', FLOW);
  add('?:,[]{}#&*!|>\'"%@`', NO_START);
  add('"\\\'', QUOTING);
  add('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./', WORD);
  return classes;
}

/** Beyond the end of the text, returns `CONTROL`. */
const classAt = (text: Uint8Array, pos: number): number =>
  pos < text.length ? CLASSES[text[pos]!]! : CONTROL;

export function skipSpaces(text: Uint8Array, start: number): number {
  let pos = start;
  while (text[pos] === SPACE) pos += 1;
  return pos;
}

/** True at a line break or the end of the text. */
export function isLineEnd(text: Uint8Array, pos: number): boolean {
  const code = text[pos];
  return code === LF || pos >= text.length || (code === CR && text[pos + 1] === LF);
}

/** Returns the position after the line break at `pos`. */
export function skipLineEnd(text: Uint8Array, pos: number): number {
  return text[pos] === CR ? pos + 2 : pos + 1;
}

/** Skips the rest of a line after a token, which must be blank or a comment. */
export function skipRestOfLine(text: Uint8Array, start: number): number {
  const pos = skipSpaces(text, start);
  if (isLineEnd(text, pos)) return skipLineEnd(text, pos);
  if (text[pos] !== HASH || pos === start) return UNSURE;
  return skipPrintableLine(text, pos);
}

/** Skips a comment, or a line of a block scalar, with its line break. */
export function skipPrintableLine(text: Uint8Array, start: number): number {
  let pos = start;
  while ((classAt(text, pos) & CONTROL) === 0 || text[pos] === TAB) pos += 1;
  return isLineEnd(text, pos) ? skipLineEnd(text, pos) : UNSURE;
}

/** `"…"` on one line. */
export function skipDoubleQuoted(text: Uint8Array, start: number): number {
  for (let pos = start + 1; ; pos += 1) {
    while ((classAt(text, pos) & (CONTROL | QUOTING)) === 0) pos += 1;
    const code = text[pos];
    if (code === QUOTE) return pos + 1;
    if (code === BACKSLASH) {
      pos += 1;
      if (!ESCAPES.has(text[pos]!)) return UNSURE;
    } else if (code !== APOSTROPHE) return UNSURE;
  }
}

/** `'…'` on one line. */
export function skipSingleQuoted(text: Uint8Array, start: number): number {
  for (let pos = start + 1; ; pos += 1) {
    while ((classAt(text, pos) & (CONTROL | QUOTING)) === 0) pos += 1;
    const code = text[pos];
    if (code === APOSTROPHE) {
      if (text[pos + 1] !== APOSTROPHE) return pos + 1;
      pos += 1;
    } else if (code !== QUOTE && code !== BACKSLASH) return UNSURE;
  }
}

/** `!tag` of letters, digits and `_-./`. */
export function skipTag(text: Uint8Array, start: number): number {
  let pos = start + 1;
  while ((classAt(text, pos) & WORD) !== 0) pos += 1;
  return pos;
}

/**
 * Skips a plain scalar on one line, up to a line end, `: `, a comment or, with `inFlow`, one of `,[]{}`. Trailing
 * spaces are excluded.
 */
export function skipPlain(text: Uint8Array, start: number, inFlow: boolean): number {
  if ((classAt(text, start) & (NO_START | CONTROL)) !== 0) return UNSURE;
  if (text[start] === DASH && !isPlainDash(text, start, inFlow)) return UNSURE;
  const stops = inFlow ? CONTROL | WATCHED | FLOW : CONTROL | WATCHED;
  let end = start;
  for (let pos = start; ; pos += 1) {
    while ((classAt(text, pos) & stops) === 0) pos += 1;
    const code = text[pos];
    // Everything since the last stop was ordinary; trailing spaces are excluded.
    if (text[pos - 1] !== SPACE) end = pos;
    if (code === SPACE) continue;
    if (code === COLON) {
      if (endsKey(text, pos + 1, inFlow)) return end;
    } else if (code === HASH) {
      if (text[pos - 1] === SPACE) return end;
    } else if (inFlow && isFlowIndicator(code)) return end;
    else return isLineEnd(text, pos) ? end : UNSURE;
  }
}

/** A `:` before this position ends a key. */
export function endsKey(text: Uint8Array, pos: number, inFlow: boolean): boolean {
  const code = text[pos];
  return code === SPACE || code === TAB || isLineEnd(text, pos) || (inFlow && isFlowIndicator(code));
}

function isPlainDash(text: Uint8Array, pos: number, inFlow: boolean): boolean {
  const next = classAt(text, pos + 1);
  return (next & CONTROL) === 0 && text[pos + 1] !== SPACE && !(inFlow && (next & FLOW) !== 0);
}

export function isFlowIndicator(code: number | undefined): boolean {
  return (
    code === COMMA ||
    code === OPEN_BRACKET ||
    code === CLOSE_BRACKET ||
    code === OPEN_BRACE ||
    code === CLOSE_BRACE
  );
}
