/** A value in the text: what to read, and what to replace. */
export interface IniValue {
  /** Without quotes, its lines joined. */
  readonly written: string;
  readonly start: number;
  /** Before white space and a comment that follow. */
  readonly end: number;
  readonly quote: '"' | "'" | undefined;
  /** Where the next setting may begin. */
  readonly next: number;
}

/** A quoted value over more lines, such as a PEM key in `.env`, is found up to this length. */
const MAX_QUOTED = 16_384;

/** Reads the value that begins at `start`, in INI. A line that is indented deeper and has no separator continues it. */
export function readIniValue(text: string, start: number, indent: number): IniValue {
  const end = lineEnd(text, start);
  const line = text.slice(start, end);
  const quoted = quotedValue(text, start, line);
  if (quoted) return quoted;
  const first = withoutComment(line);
  let whole: IniValue = {
    written: first,
    start,
    end: start + first.length,
    quote: undefined,
    next: end,
  };
  // A comment ends a value.
  if (first.length < line.trimEnd().length) return whole;
  for (let from = nextLine(text, end); from < text.length; from = nextLine(text, whole.next)) {
    const to = lineEnd(text, from);
    const more = text.slice(from, to);
    const isJoined = whole.written.endsWith('\\');
    if (!continues(more, isJoined ? -1 : indent)) break;
    const part = withoutComment(more.trimStart());
    whole = {
      ...whole,
      written: isJoined ? `${whole.written.slice(0, -1)}${part}` : `${whole.written}\n${part}`,
      end: from + more.length - more.trimStart().length + part.length,
      next: to,
    };
  }
  return whole;
}

/** Reads the value that begins at `start`, in a Java properties file: without comments and quotes. */
export function readPropertiesValue(text: string, start: number): IniValue {
  let end = lineEnd(text, start);
  let written = text.slice(start, end);
  while (/(?<!\\)(?:\\\\)*\\$/.test(written) && end < text.length) {
    const from = nextLine(text, end);
    end = lineEnd(text, from);
    written = `${written.slice(0, -1)}${text.slice(from, end).trimStart()}`;
  }
  const last = text.slice(start, end);
  return {
    written: unescape(written.trimEnd()),
    start,
    end: start + last.trimEnd().length,
    quote: undefined,
    next: end,
  };
}

/** Resolves escapes in keys and values of a properties file. */
export function unescape(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|(.))/gi, (_all, code: string | undefined, one: string) =>
    code === undefined ? (ESCAPES[one] ?? one) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f' };

/** In quotes, on one line, or up to a line that ends with the quote; a comment may follow. */
function quotedValue(text: string, start: number, line: string): IniValue | undefined {
  const [quote] = line;
  if (quote !== '"' && quote !== "'") return undefined;
  const close = closingQuote(text.slice(start, start + MAX_QUOTED), quote);
  if (close < 0) return undefined;
  const end = start + close + 1;
  const after = text.slice(end, lineEnd(text, end));
  if (!/^\s*(?:[#;].*)?$/.test(after)) return undefined;
  return { written: text.slice(start + 1, end - 1), start, end, quote, next: end + after.length };
}

function closingQuote(text: string, quote: string): number {
  for (let at = text.indexOf(quote, 1); at > 0; at = text.indexOf(quote, at + 1)) {
    const before = /\\*$/.exec(text.slice(Math.max(0, at - 64), at))![0];
    // In front of the line's end, a backslash is that of a Windows path.
    if (before.length % 2 === 0 || /^.\s*(?:[\r\n]|$)/.test(text.slice(at, at + 16))) return at;
  }
  return -1;
}

/** A comment follows white space, and white space follows its sign: both signs occur in values. */
function withoutComment(line: string): string {
  // `!encpwd-plain "a # b"`: the quotes are not around the whole value.
  const [mark = ''] = /^!encpwd(?:-plain)?\s+(?=["'])/.exec(line) ?? [];
  const quotes = mark === '' ? -1 : closingQuote(line.slice(mark.length), line[mark.length]!);
  const kept = mark.length + quotes + 1;
  return (line.slice(0, kept) + line.slice(kept).replace(/\s[#;](?:\s.*)?$/, '')).trimEnd();
}

/** @param indent of the setting; any will do below it */
function continues(line: string, indent: number): boolean {
  const content = line.trim();
  if (content === '' || /^[#;[]/.test(content)) return false;
  // Base64 padding is not a separator.
  return indentOf(line) > indent && !/^[^\s=:]+(?:\s+[=:]|[=:](?!=?$))/.test(content);
}

/** The length of white space at the start of a line. */
export const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Where the line break, or the text, ends the line. */
export function lineEnd(text: string, from: number): number {
  const breaks = /[\r\n]/g;
  breaks.lastIndex = from;
  return breaks.exec(text)?.index ?? text.length;
}

/** @param end of a line */
export const nextLine = (text: string, end: number): number => end + (text.startsWith('\r\n', end) ? 2 : 1);
