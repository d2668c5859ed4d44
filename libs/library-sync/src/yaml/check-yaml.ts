import { isUtf8 } from 'node:buffer';
import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  visit,
} from 'yaml';
import type { LibraryProblem } from '../library-problem.js';
import { isPlainYaml } from './is-plain-yaml.js';

/** YAML 1.2 section 5.1: characters that a text must not hold. */
const CONTROL_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

type Finding = Pick<LibraryProblem, 'code' | 'message' | 'line' | 'column'>;

/**
 * Checks that a file is well-formed YAML 1.2 with no key twice in a mapping and no alias without its anchor. Tags are
 * left to the consumers, aliases are never expanded, several documents are fine.
 *
 * @returns at most ten findings
 */
export function checkYaml(data: Uint8Array): Finding[] {
  if (!isUtf8(data)) return [{ code: 'yaml-encoding', message: 'is not valid UTF-8' }];
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return isPlainYaml(bytes) ? [] : parseYaml(bytes.toString());
}

/** The full parser: it knows all of YAML, and is some hundred times slower than the look that most files pass. */
export function parseYaml(text: string): Finding[] {
  const lines = new LineCounter();
  const findings: Finding[] = [];
  const report = (offset: number, code: string, message: string) => {
    const { line, col } = lines.linePos(offset);
    findings.push({ code, message, line, column: col });
  };
  const { tokens, tooDeepAt } = readTokens(text, lines);
  if (tooDeepAt !== undefined) {
    report(tooDeepAt, 'yaml-depth', `is nested more than ${MAX_DEPTH} levels deep`);
    return findings;
  }
  for (const document of new Composer({ uniqueKeys: false, prettyErrors: false }).compose(tokens)) {
    for (const error of document.errors) report(error.pos[0], 'yaml-syntax', oneLine(error.message));
    if (document.errors.length === 0) checkDocument(document, report);
  }
  const control = CONTROL_CHARACTER.exec(text);
  if (control) report(control.index, 'yaml-control', 'has a control character');
  return findings.slice(0, 10);
}

/**
 * Deeper nesting is refused before it is composed, which recurses: a text of brackets can use up the stack in a way that
 * ends the process, and no `catch` helps.
 */
const MAX_DEPTH = 200;

/** The syntax of the text, which is read without recursion. */
function readTokens(text: string, lines: LineCounter): { tokens: CST.Token[]; tooDeepAt?: number } {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > MAX_DEPTH) return { tokens, tooDeepAt: parser.offset };
  }
  tokens.push(...parser.end());
  return { tokens };
}

function checkDocument(
  document: Document.Parsed,
  report: (offset: number, code: string, message: string) => void,
): void {
  const anchors = new Set<string>();
  visit(document, {
    Node: (_key, node) => {
      if (isAlias(node)) {
        if (!anchors.has(node.source))
          report(offsetOf(node), 'yaml-alias', `*${node.source} has no anchor before it`);
      } else if (node.anchor) anchors.add(node.anchor);
    },
    Map: (_key, map) => {
      if (map.anchor) anchors.add(map.anchor);
      const keys = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const identity = `${typeof key.value} ${String(key.value)}`;
        if (keys.has(identity))
          report(offsetOf(key), 'yaml-duplicate-key', `the key ${shown(key.value)} is there twice`);
        keys.add(identity);
      }
    },
  });
}

function offsetOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

function shown(value: unknown): string {
  return JSON.stringify(String(value).slice(0, 80));
}

function oneLine(message: string): string {
  return message.replace(/\s+/g, ' ').trim();
}
