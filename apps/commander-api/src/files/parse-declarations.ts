import { MAX_YAML_ALIASES, MAX_YAML_DEPTH, yamlTooDeepAt } from '@svc/foundation';
import * as yaml from 'yaml';
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  type Document,
  type Node,
  type ScalarTag,
} from 'yaml';

/** What is declared, such as a Client, and the lines of its parts. */
export interface Declaration {
  readonly value: unknown;
  /**
   * The line, from 1, of what a JSON pointer names, or of its nearest existing parent.
   */
  readonly lineOf: (pointer: string) => number;
}

/** A line of a file that cannot be read as YAML, JSON or NDJSON. */
export interface SyntaxFinding {
  readonly line: number;
  readonly message: string;
}

export interface ParsedDeclarations {
  readonly declarations: readonly Declaration[];
  readonly errors: readonly SyntaxFinding[];
}

/** The parser's own message. */
const COMPACT_MAPPING = 'Nested mappings are not allowed in compact mappings';

/** Parsed YAML (and JSON, read as YAML) takes a hundred times its size in memory. */
export const MAX_YAML_BYTES = 16 * 1024 * 1024;

/**
 * Reads declarations: one, a list, or several documents of either. JSON is parsed as YAML, so that its lines are known,
 * too.
 *
 * @param customTags of values, such as `encpwdTag`
 */
export function parseDeclarations(text: string, customTags: readonly ScalarTag[] = []): ParsedDeclarations {
  const tooDeep = yamlTooDeepAt(yaml, text);
  if (tooDeep !== undefined) {
    const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
    const compact = tooDeep.compact.map((offset) => ({ line: lineOf(offset), message: COMPACT_MAPPING }));
    const deep = { line: lineOf(tooDeep.offset), message: `nested more than ${MAX_YAML_DEPTH} levels deep` };
    return { declarations: [], errors: compact.length > 0 ? compact : [deep] };
  }
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
    customTags: [...customTags],
  });
  const declarations: Declaration[] = [];
  const errors: SyntaxFinding[] = [];
  for (const document of 'empty' in documents ? [] : documents) {
    const broken = [...document.errors, ...document.warnings];
    errors.push(...broken.map(({ pos, message }) => ({ line: lines.linePos(pos[0]).line, message })));
    if (broken.length === 0 && !isEmpty(document)) collect(document, lines, declarations, errors);
  }
  return { declarations, errors };
}

/** Reads NDJSON: one declaration per line, skipping blank lines. */
export function parseNdjson(text: string): ParsedDeclarations {
  const parsed = text.split(/\r?\n/).map((line, index) => {
    const value = parseJsonLine(line);
    if (value !== undefined) return { declarations: [{ value, lineOf: () => index + 1 }], errors: [] };
    const { declarations, errors } = parseDeclarations(line);
    return {
      declarations: declarations.map(({ value }) => ({ value, lineOf: () => index + 1 })),
      errors: errors.map(({ message }) => ({ line: index + 1, message })),
    };
  });
  return {
    declarations: parsed.flatMap(({ declarations }) => declarations),
    errors: parsed.flatMap(({ errors }) => errors),
  };
}

function collect(
  document: Document,
  lines: LineCounter,
  declarations: Declaration[],
  errors: SyntaxFinding[],
): void {
  const nodes: unknown[] = isSeq(document.contents) ? document.contents.items : [document.contents];
  for (const node of nodes) {
    if (!isNode(node)) continue;
    try {
      const value: unknown = node.toJS(document, { maxAliasCount: MAX_YAML_ALIASES });
      declarations.push({ value, lineOf: (pointer) => lines.linePos(offsetOf(node, stepsOf(pointer))).line });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      errors.push({ line: lines.linePos(startOf(node)).line, message });
    }
  }
}

/** True for a document with only a marker or comments. */
function isEmpty({ contents }: Document): boolean {
  return contents === null || (isScalar(contents) && contents.value === null);
}

/** The offset of a member's name or a list's element, or of its nearest existing parent. */
function offsetOf(node: Node, [step, ...rest]: readonly string[]): number {
  if (step === undefined || isAlias(node)) return startOf(node);
  if (isSeq(node)) {
    const item = node.items[Number(step)];
    return isNode(item) ? offsetOf(item, rest) : startOf(node);
  }
  const pair = isMap(node) ? node.items.find(({ key }) => isNode(key) && String(key) === step) : undefined;
  if (!pair || !isNode(pair.key)) return startOf(node);
  const leadsOn = isSeq(pair.value) || (isMap(pair.value) && pair.value.has(rest[0]));
  return rest.length > 0 && leadsOn ? offsetOf(pair.value as Node, rest) : startOf(pair.key);
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/** The steps of a JSON pointer (RFC 6901 section 4). */
function stepsOf(pointer: string): string[] {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * Parses a line that is one JSON object, about fifty times as fast as the YAML parser.
 *
 * @returns undefined for anything else, and for an object with duplicate names at any depth: the YAML parser reports why
 */
export function parseJsonLine(line: string): object | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  // `JSON.parse` keeps the last of equal names only; each member has one colon outside of strings.
  return membersIn(value, 0) === colonsIn(line) ? value : undefined;
}

/** The number of members of all objects in a value; NaN if nested too deeply. */
function membersIn(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > MAX_YAML_DEPTH) return NaN;
  const inner: unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : inner.length;
  return inner.reduce<number>((sum, each) => sum + membersIn(each, depth + 1), own);
}

/** Not a regular expression, which would exhaust the stack on a string of megabytes. */
function colonsIn(json: string): number {
  let count = 0;
  let inString = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (inString && character === '\\') index += 1;
    else if (character === '"') inString = !inString;
    else if (character === ':' && !inString) count += 1;
  }
  return count;
}
