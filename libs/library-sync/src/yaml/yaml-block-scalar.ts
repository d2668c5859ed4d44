import {
  isLineEnd,
  skipLineEnd,
  skipPrintableLine,
  skipRestOfLine,
  skipSpaces,
  UNSURE,
} from './yaml-tokens.js';

const PLUS = 0x2b;
const MINUS = 0x2d;

/**
 * Skips a literal or folded scalar, from its `|` or `>` to the start of the line after it. Indentation indicators are
 * left to the full parser.
 *
 * @param parent indentation of the enclosing collection
 */
export function skipBlockScalar(text: Uint8Array, start: number, parent: number): number {
  const chomping = text[start + 1];
  const header = chomping === PLUS || chomping === MINUS ? start + 2 : start + 1;
  let line = skipRestOfLine(text, header);
  let indent = -1;
  let widestBlank = 0;
  while (line !== UNSURE && line < text.length) {
    const pos = skipSpaces(text, line);
    const spaces = pos - line;
    if (isLineEnd(text, pos)) {
      if (indent < 0 && spaces > widestBlank) widestBlank = spaces;
      line = skipLineEnd(text, pos);
      continue;
    }
    if (indent < 0) {
      if (spaces <= parent) return line;
      if (widestBlank > spaces) return UNSURE;
      indent = spaces;
    }
    if (spaces < indent) return spaces <= parent ? line : UNSURE;
    line = skipPrintableLine(text, pos);
  }
  return line;
}
