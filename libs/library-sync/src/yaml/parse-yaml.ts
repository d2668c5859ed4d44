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

/** YAML 1.2 section 5.1: characters that a text must not hold. */
const CONTROL_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

export type YamlFinding = Pick<LibraryFinding, 'code' | 'message' | 'line' | 'column'>;

/** As the parser puts it. */
const COMPACT_MAPPING = 'Nested mappings are not allowed in compact mappings';

/** The rest is not listed: more appear once these are fixed. */
const MAX_FINDINGS = 10;

/** The full parser: it knows all of YAML, and is some hundred times slower than the look that most files pass. */
export async function parseYaml(text: string, signal?: AbortSignal): Promise<YamlFinding[]> {
  const lines = new LineCounter();
  const findings: Required<YamlFinding>[] = [];
  const report: Report = (offset, code, message) => {
    // Where the parser catches that, it reports once more.
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

/** Ends the look at a file that is wrong throughout: the parser goes on for seconds. */
class EnoughFindings extends Error {
  override readonly name = 'EnoughFindings';
}

/** Words, marks, spaces and line ends: what is composed in one go, in half a second. */
const MAX_TOKENS = 300_000;
const TOKENS_BEFORE_PAUSE = 5_000;

/**
 * The syntax of the text, which is read without recursion. Deeper nesting is refused before it is composed, which
 * recurses: see `yamlTooDeepAt`, which has no turns for others.
 *
 * @returns undefined when a limit is passed, which was reported
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
    collected(composer).push(TOLD);
  };
  // Its own way gives errors only once it has all of them, each with a stack.
  Object.assign(composer, { onError });
  for (const document of composer.compose(tokens)) {
    for (const error of document.errors) {
      if (error !== TOLD) report(error.pos[0], 'yaml-syntax', oneLine(error.message));
    }
    if (document.errors.length === 0) checkDocument(document, report);
  }
}

/** Replaces an error in a document that has been reported. */
const TOLD = new YAMLParseError([0, 0], 'IMPOSSIBLE', '');

/** What the composer hands to the document that it is at. */
function collected(composer: Composer): YAMLParseError[] {
  return (composer as unknown as { readonly errors: YAMLParseError[] }).errors;
}

/** Where the composer says that an error is. */
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
