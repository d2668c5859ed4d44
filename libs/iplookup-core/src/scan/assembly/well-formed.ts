const QUOTE: u8 = 34;
const CR: u8 = 13;

/**
 * True if the text, which extends to the end of its line, consists of whole fields, each after a separator: no quote is
 * left open, so that the record ends with the line, and nothing follows a closing one.
 *
 * @param start of the text
 * @param lineEnd where the line's LF is
 */
export function isWellFormed(start: usize, lineEnd: usize, separator: u8): bool {
  const end = lineEnd > start && load<u8>(lineEnd - 1) == CR ? lineEnd - 1 : lineEnd;
  let p = start;
  while (p < end) {
    if (load<u8>(p++) != separator) return false;
    if (p < end && load<u8>(p) == QUOTE) {
      p = closingQuote(p + 1, end);
      if (p++ == end) return false;
    } else while (p < end && load<u8>(p) != separator) p++;
  }
  return true;
}

/** Where the quoted field that starts at `p` ends, after doubled quotes; `end` if it does not. */
function closingQuote(p: usize, end: usize): usize {
  for (; p < end; p++) {
    if (load<u8>(p) != QUOTE) continue;
    if (p + 1 == end || load<u8>(p + 1) != QUOTE) return p;
    p++;
  }
  return end;
}
