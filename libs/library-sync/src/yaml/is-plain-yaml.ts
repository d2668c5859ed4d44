import { skipBlockScalar } from './yaml-block-scalar.js';
import { skipFlow } from './yaml-flow.js';
import { KeyList } from './yaml-keys.js';
import {
  APOSTROPHE,
  COLON,
  DASH,
  endsKey,
  EXCLAMATION,
  HASH,
  isLineEnd,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipDoubleQuoted,
  skipLineEnd,
  skipPlain,
  skipPrintableLine,
  skipRestOfLine,
  skipSingleQuoted,
  skipSpaces,
  skipTag,
  SPACE,
  UNSURE,
} from './yaml-tokens.js';

/** The first byte of a UTF-8 byte order mark (and of other characters that rarely start a file). */
const BYTE_ORDER_MARK = 0xef;

const PIPE = 0x7c;
const GREATER = 0x3e;
const PERCENT = 0x25;
const DOT = 0x2e;

const MAP = 0;
const SEQUENCE = 1;
/** Deeper nesting is left to the full parser. */
const MAX_DEPTH = 64;

/**
 * Recognizes well-formed YAML 1.2 without duplicate keys at several hundred megabytes per second, for typical YAML:
 * block mappings and sequences, one-line scalars and flow collections, literal blocks, tags, comments.
 *
 * @param text valid UTF-8
 * @returns false if it is invalid or undecided, in which case the full parser decides
 */
export function isPlainYaml(text: Uint8Array): boolean {
  return text[0] !== BYTE_ORDER_MARK && new PlainYamlScanner(text).scan();
}

interface Level {
  kind: typeof MAP | typeof SEQUENCE;
  indent: number;
  readonly keys: KeyList;
}

class PlainYamlScanner {
  /** Open collections, outermost first; closed ones are reused. */
  private readonly levels: Level[] = [];
  private depth = 0;
  /** The innermost collection, or the document, still expects a value. */
  private pending = true;
  private tagged = false;

  constructor(private readonly text: Uint8Array) {}

  scan(): boolean {
    const { text } = this;
    let line = 0;
    while (line < text.length) {
      const pos = skipSpaces(text, line);
      if (isLineEnd(text, pos)) line = skipLineEnd(text, pos);
      else if (text[pos] === HASH) line = skipPrintableLine(text, pos);
      else line = this.scanLine(line, pos);
      if (line === UNSURE) return false;
    }
    return true;
  }

  /** Scans a line with content; its indentation decides which collection it belongs to. */
  private scanLine(line: number, pos: number): number {
    const indent = pos - line;
    if (indent === 0 && this.isMarker(pos)) return this.scanMarker(pos);
    while (this.indent > indent) this.close();
    const isItem = this.isItem(pos);
    if (this.indent === indent) {
      const top = this.levels[this.depth - 1]!;
      if (top.kind === SEQUENCE) {
        if (isItem) return this.scanItem(pos, indent);
        this.close();
        if (this.indent !== indent || this.levels[this.depth - 1]!.kind !== MAP) return UNSURE;
      } else if (isItem) {
        // A sequence may have the same indentation as its key.
        return this.pending && this.open(SEQUENCE, indent) ? this.scanItem(pos, indent) : UNSURE;
      }
      const end = this.skipScalar(pos);
      return end !== UNSURE && this.isKeyEnd(end) ? this.scanEntry(pos, end) : UNSURE;
    }
    return this.pending ? this.scanNode(pos, indent) : UNSURE;
  }

  /** A node that may open a collection at its column. */
  private scanNode(start: number, column: number): number {
    if (this.isItem(start)) return this.open(SEQUENCE, column) ? this.scanItem(start, column) : UNSURE;
    const code = this.text[start];
    if (
      code !== EXCLAMATION &&
      code !== OPEN_BRACKET &&
      code !== OPEN_BRACE &&
      code !== PIPE &&
      code !== GREATER
    ) {
      const end = this.skipScalar(start);
      if (end === UNSURE) return UNSURE;
      if (this.isKeyEnd(end)) return this.open(MAP, column) ? this.scanEntry(start, end) : UNSURE;
      return this.finish(end);
    }
    return this.scanValue(start);
  }

  /** Scans `- ` and the rest of the line. */
  private scanItem(dash: number, indent: number): number {
    const { text } = this;
    const pos = skipSpaces(text, dash + 1);
    this.pending = true;
    this.tagged = false;
    if (isLineEnd(text, pos) || text[pos] === HASH) return skipRestOfLine(text, dash + 1);
    return this.scanNode(pos, indent + pos - dash);
  }

  /** Scans `key:` and the rest of the line. */
  private scanEntry(start: number, end: number): number {
    const { text } = this;
    if (!this.levels[this.depth - 1]!.keys.add(start, end)) return UNSURE;
    this.pending = true;
    this.tagged = false;
    const pos = skipSpaces(text, end + 1);
    if (isLineEnd(text, pos) || text[pos] === HASH) return skipRestOfLine(text, end + 1);
    return this.scanValue(pos);
  }

  /** A node that opens no block collection on its own line. */
  private scanValue(start: number): number {
    const { text } = this;
    let pos = start;
    if (text[pos] === EXCLAMATION) {
      if (this.tagged) return UNSURE;
      this.tagged = true;
      const end = skipTag(text, pos);
      pos = skipSpaces(text, end);
      if (isLineEnd(text, pos) || text[pos] === HASH) return skipRestOfLine(text, end);
      if (pos === end || text[pos] === EXCLAMATION) return UNSURE;
    }
    const code = text[pos];
    if (code === OPEN_BRACKET || code === OPEN_BRACE) return this.finish(skipFlow(text, pos));
    if (code === PIPE || code === GREATER) {
      if (this.depth === 0) return UNSURE;
      this.pending = false;
      return skipBlockScalar(text, pos, this.indent);
    }
    const end = this.skipScalar(pos);
    return end === UNSURE || this.isKeyEnd(end) ? UNSURE : this.finish(end);
  }

  private finish(end: number): number {
    this.pending = false;
    return end === UNSURE ? UNSURE : skipRestOfLine(this.text, end);
  }

  private skipScalar(pos: number): number {
    const code = this.text[pos];
    if (code === QUOTE) return skipDoubleQuoted(this.text, pos);
    if (code === APOSTROPHE) return skipSingleQuoted(this.text, pos);
    return skipPlain(this.text, pos, false);
  }

  private isKeyEnd(end: number): boolean {
    return this.text[end] === COLON && endsKey(this.text, end + 1, false);
  }

  private isItem(pos: number): boolean {
    const { text } = this;
    return text[pos] === DASH && (text[pos + 1] === SPACE || isLineEnd(text, pos + 1));
  }

  /** `---`; also `...` and `%directive`, which are left to the full parser. */
  private isMarker(pos: number): boolean {
    const code = this.text[pos];
    if (code !== DASH && code !== DOT) return code === PERCENT;
    return this.text[pos + 1] === code && this.text[pos + 2] === code;
  }

  private scanMarker(pos: number): number {
    if (this.text[pos] !== DASH) return UNSURE;
    this.depth = 0;
    this.pending = true;
    this.tagged = false;
    return skipRestOfLine(this.text, pos + 3);
  }

  /** Indentation of the innermost collection; -1 at the top level. */
  private get indent(): number {
    return this.depth === 0 ? -1 : this.levels[this.depth - 1]!.indent;
  }

  private open(kind: Level['kind'], indent: number): boolean {
    if (this.depth === MAX_DEPTH) return false;
    const level = (this.levels[this.depth] ??= { kind, indent, keys: new KeyList(this.text) });
    level.kind = kind;
    level.indent = indent;
    level.keys.clear();
    this.depth += 1;
    return true;
  }

  private close(): void {
    this.depth -= 1;
    this.pending = false;
  }
}
