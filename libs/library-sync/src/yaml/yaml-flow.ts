import { KeyList } from './yaml-keys.js';
import {
  APOSTROPHE,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  endsKey,
  EXCLAMATION,
  isFlowIndicator,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipDoubleQuoted,
  skipPlain,
  skipSingleQuoted,
  skipSpaces,
  skipTag,
  SPACE,
  UNSURE,
} from './yaml-tokens.js';

/** Deeper nesting is left to the full parser. */
const MAX_DEPTH = 32;

/** Skips `[…]` or `{…}` on one line, with tags; anchors, pairs in sequences and keys without values are unsupported. */
export function skipFlow(text: Uint8Array, start: number, depth = 0): number {
  if (depth > MAX_DEPTH) return UNSURE;
  const isMap = text[start] === OPEN_BRACE;
  const close = isMap ? CLOSE_BRACE : CLOSE_BRACKET;
  const keys = isMap ? new KeyList(text) : undefined;
  let pos = skipSpaces(text, start + 1);
  while (text[pos] !== close) {
    if (keys) pos = skipKey(text, pos, keys);
    if (pos !== UNSURE) pos = skipNode(text, pos, depth);
    if (pos === UNSURE) return UNSURE;
    pos = skipSpaces(text, pos);
    if (text[pos] === COMMA) pos = skipSpaces(text, pos + 1);
    else if (text[pos] !== close) return UNSURE;
  }
  return pos + 1;
}

/** Skips a key with its colon and the spaces after it. */
function skipKey(text: Uint8Array, start: number, keys: KeyList): number {
  const end = skipScalar(text, start);
  if (end === UNSURE || text[end] !== COLON || text[end + 1] !== SPACE) return UNSURE;
  return keys.add(start, end) ? skipSpaces(text, end + 1) : UNSURE;
}

function skipNode(text: Uint8Array, start: number, depth: number): number {
  let pos = start;
  if (text[pos] === EXCLAMATION) {
    const end = skipTag(text, pos);
    const next = text[end];
    if (next === COMMA || next === CLOSE_BRACKET || next === CLOSE_BRACE) return end;
    if (next !== SPACE) return UNSURE;
    pos = skipSpaces(text, end);
    if (text[pos] === EXCLAMATION) return UNSURE;
    if (isFlowIndicator(text[pos]) && !opens(text, pos)) return pos;
  }
  if (opens(text, pos)) return skipFlow(text, pos, depth + 1);
  const end = skipScalar(text, pos);
  if (end === UNSURE) return UNSURE;
  const after = skipSpaces(text, end);
  return text[after] === COLON && endsKey(text, after + 1, true) ? UNSURE : end;
}

function opens(text: Uint8Array, pos: number): boolean {
  const code = text[pos];
  return code === OPEN_BRACKET || code === OPEN_BRACE;
}

function skipScalar(text: Uint8Array, pos: number): number {
  const code = text[pos];
  if (code === QUOTE) return skipDoubleQuoted(text, pos);
  if (code === APOSTROPHE) return skipSingleQuoted(text, pos);
  return skipPlain(text, pos, true);
}
