import { setImmediate } from 'node:timers/promises';
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
  YAMLParseError,
} from 'yaml';
import { compactMappings, MAX_YAML_DEPTH } from '@svc/foundation';
import type { LibraryFinding } from '../ports/library-finding.js';

/** Characters not allowed in YAML (YAML 1.2 section 5.1). */
const CONTROL_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

export type YamlFinding = Pick<LibraryFinding, 'code' | 'message' | 'line' | 'column'>;

/** The parser's message. */
const COMPACT_MAPPING = 'Nested mappings are not allowed in compact mappings';

/** More findings may appear once these are fixed. */
const MAX_FINDINGS = 10;

/** Supports all of YAML, but is about a hundred times slower than `isPlainYaml`, which most files pass. */
export async function parseYaml(text: string, signal?: AbortSignal): Promise<YamlFinding[]> {
  const lines = new LineCounter();
  const findings: Required<YamlFinding>[] = [];
  const report: Report = (offset, code, message) => {
    // The parser may catch this error and report once more.
    if (findings.length === MAX_FINDINGS) throw new EnoughFindings();
    const { line, col } = lines.linePos(offset);
    findings.push({ code, message, line, column: col });
  };
  try {
    const tokens = await readTokens(text, lines, report, signal);
    if (tokens) composeDocuments(tokens, report);
    const control = CONTROL_CHARACTER.exec(text);
    if (tokens && control) report(control.index, 'yaml-control', 'has a control character');
  } catch (error) {
    if (!(error instanceof EnoughFindings)) throw error;
  }
  return findings.sort((a, b) => a.line - b.line || a.column - b.column);
}

type Report = (offset: number, code: string, message: string) => void;

/** Stops parsing a file full of errors, which could take seconds. */
class EnoughFindings extends Error {
  override readonly name = 'EnoughFindings';
}

/** Composing that many tokens blocks the event loop for about half a second. */
const MAX_TOKENS = 300_000;
const TOKENS_BEFORE_PAUSE = 5_000;

/**
 * Tokenizes the text without recursion, and rejects deep nesting before composing, which is recursive. Like
 * `yamlTooDeepAt`, but yields to the event loop.
 *
 * @returns undefined if a limit was exceeded, which has been reported
 */
async function readTokens(
  text: string,
  lines: LineCounter,
  report: Report,
  signal: AbortSignal | undefined,
): Promise<CST.Token[] | undefined> {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let count = 0;
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    count += 1;
    if (parser.stack.length > MAX_YAML_DEPTH) {
      const compact = compactMappings(parser.stack);
      for (const offset of compact) report(offset, 'yaml-syntax', COMPACT_MAPPING);
      if (compact.length === 0)
        report(parser.offset, 'yaml-depth', `is nested more than ${MAX_YAML_DEPTH} levels deep`);
      return undefined;
    }
    if (count > MAX_TOKENS) {
      report(parser.offset, 'yaml-size', `has more than ${MAX_TOKENS} words and marks; split the file`);
      return undefined;
    }
    if (count % TOKENS_BEFORE_PAUSE === 0) {
      await setImmediate();
      signal?.throwIfAborted();
    }
  }
  tokens.push(...parser.end());
  return tokens;
}

function composeDocuments(tokens: readonly CST.Token[], report: Report): void {
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false });
  const onError = (source: ErrorSource, _code: string, message: string, isWarning?: boolean) => {
    if (isWarning) return;
    report(offsetOfError(source), 'yaml-syntax', oneLine(message));
    collected(composer).push(REPORTED);
  };
  // The composer itself returns errors only at the end, each with a stack trace.
  Object.assign(composer, { onError });
  for (const document of composer.compose(tokens)) {
    for (const error of document.errors) {
      if (error !== REPORTED) report(error.pos[0], 'yaml-syntax', oneLine(error.message));
    }
    if (document.errors.length === 0) checkDocument(document, report);
  }
}

/** Stands in for errors that have been reported. */
const REPORTED = new YAMLParseError([0, 0], 'IMPOSSIBLE', '');

/** The composer's errors for the current document. */
function collected(composer: Composer): YAMLParseError[] {
  return (composer as unknown as { readonly errors: YAMLParseError[] }).errors;
}

/** The composer's formats for an error's position. */
type ErrorSource = number | readonly [number, number] | { readonly offset: number };

function offsetOfError(source: ErrorSource): number {
  if (typeof source === 'number') return source;
  return 'offset' in source ? source.offset : source[0];
}

function checkDocument(document: Document.Parsed, report: Report): void {
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
          report(offsetOf(key), 'yaml-duplicate-key', `the key ${shown(key.value)} occurs twice`);
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
