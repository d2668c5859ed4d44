import {
  type DocumentError,
  type DocumentScalar,
  LineIndex,
  markedText,
  type ParsedDocument,
  readMark,
} from './document-scalar.js';

interface Level {
  /** Undefined in an array. */
  key: string | undefined;
  readonly isArray: boolean;
  index: number;
}

/** Reads JSON (RFC 8259) without recursion. */
export function readJson(text: string): ParsedDocument {
  const lines = new LineIndex(text);
  const error = syntaxError(text, lines);
  if (error) return { scalars: [], errors: [error] };
  const scalars: DocumentScalar[] = [];
  const levels: Level[] = [];
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs)) {
    const level = levels.at(-1);
    if (token === '{' || token === '[') levels.push({ key: undefined, isArray: token === '[', index: 0 });
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ',') advance(level);
    else if (token !== ':' && level && !level.isArray && level.key === undefined)
      level.key = JSON.parse(token) as string;
    else if (token !== ':') scalars.push(scalarOf(token, index, pathOf(levels), lines));
  }
  return { scalars, errors: [] };
}

function advance(level: Level | undefined): void {
  if (!level) return;
  level.index += 1;
  level.key = undefined;
}

const pathOf = (levels: readonly Level[]): string[] => levels.map(({ key, index }) => key ?? String(index));

function scalarOf(token: string, start: number, path: string[], lines: LineIndex): DocumentScalar {
  const value: unknown = JSON.parse(token);
  const isText = typeof value === 'string';
  return {
    path,
    ...(isText ? readMark(value, true) : { mark: undefined, value: value === null ? '' : token }),
    isText,
    offset: start,
    line: lines.lineOf(start),
    replaceBy: (encrypted) => ({
      start,
      end: start + token.length,
      text: JSON.stringify(markedText(encrypted)),
    }),
  };
}

/** The parser's message is dropped because it would quote values. */
function syntaxError(text: string, lines: LineIndex): DocumentError | undefined {
  try {
    JSON.parse(text.replace(/^\ufeff/, ' '));
    return undefined;
  } catch (error) {
    const [, position] = /position (\d+)/.exec((error as Error).message) ?? [];
    return { line: lines.lineOf(Number(position ?? text.length)), message: 'not valid JSON' };
  }
}
