import { MAX_YAML_DEPTH, yamlTooDeepAt } from '@svc/foundation';
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
} from 'yaml';
import { parseJsonLine } from './parse-json-line.js';

/** One declared Client, and where its parts stand in the file. */
export interface Declaration {
  readonly value: unknown;
  /**
   * The line, from 1, of what a JSON pointer names; of the nearest part around it when it is not there.
   */
  readonly lineOf: (pointer: string) => number;
}

/** A line of a file that cannot be read as YAML, JSON or NDJSON. */
export interface SyntaxFault {
  readonly line: number;
  readonly message: string;
}

export interface ParsedDeclarations {
  readonly declarations: readonly Declaration[];
  readonly faults: readonly SyntaxFault[];
}

/** As the parser puts it. */
const COMPACT_MAPPING = 'Nested mappings are not allowed in compact mappings';

/** Aliases may repeat a part, but not blow a small file up. */
const MAX_ALIASES = 100;

/**
 * Reads declarations: one Client, a list of Clients, or several documents of either. JSON is read as the YAML that it
 * is, so that its lines are known too.
 */
export function parseDeclarations(text: string): ParsedDeclarations {
  const tooDeep = yamlTooDeepAt(yaml, text);
  if (tooDeep !== undefined) {
    const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
    const compact = tooDeep.compact.map((offset) => ({ line: lineOf(offset), message: COMPACT_MAPPING }));
    const deep = { line: lineOf(tooDeep.offset), message: `nested more than ${MAX_YAML_DEPTH} levels deep` };
    return { declarations: [], faults: compact.length > 0 ? compact : [deep] };
  }
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  const declarations: Declaration[] = [];
  const faults: SyntaxFault[] = [];
  for (const document of 'empty' in documents ? [] : documents) {
    const broken = [...document.errors, ...document.warnings];
    faults.push(...broken.map(({ pos, message }) => ({ line: lines.linePos(pos[0]).line, message })));
    if (broken.length === 0 && !isEmpty(document)) collect(document, lines, declarations, faults);
  }
  return { declarations, faults };
}

/** Reads NDJSON: one Client a line, blank lines apart. */
export function parseNdjson(text: string): ParsedDeclarations {
  const parsed = text.split(/\r?\n/).map((line, index) => {
    const value = parseJsonLine(line);
    if (value !== undefined) return { declarations: [{ value, lineOf: () => index + 1 }], faults: [] };
    const { declarations, faults } = parseDeclarations(line);
    return {
      declarations: declarations.map(({ value }) => ({ value, lineOf: () => index + 1 })),
      faults: faults.map(({ message }) => ({ line: index + 1, message })),
    };
  });
  return {
    declarations: parsed.flatMap(({ declarations }) => declarations),
    faults: parsed.flatMap(({ faults }) => faults),
  };
}

function collect(
  document: Document,
  lines: LineCounter,
  declarations: Declaration[],
  faults: SyntaxFault[],
): void {
  const nodes: unknown[] = isSeq(document.contents) ? document.contents.items : [document.contents];
  for (const node of nodes) {
    if (!isNode(node)) continue;
    try {
      const value: unknown = node.toJS(document, { maxAliasCount: MAX_ALIASES });
      declarations.push({ value, lineOf: (pointer) => lines.linePos(offsetOf(node, stepsOf(pointer))).line });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      faults.push({ line: lines.linePos(startOf(node)).line, message });
    }
  }
}

/** Nothing but a marker or comments. */
function isEmpty({ contents }: Document): boolean {
  return contents === null || (isScalar(contents) && contents.value === null);
}

/** Where the path leads: to a member's name, a list's element, or as near as the file has it. */
function offsetOf(node: Node, [step, ...rest]: readonly string[]): number {
  if (step === undefined || isAlias(node)) return startOf(node);
  if (isSeq(node)) {
    const item = node.items[Number(step)];
    return isNode(item) ? offsetOf(item, rest) : startOf(node);
  }
  const pair = isMap(node) ? node.items.find(({ key }) => isNode(key) && String(key) === step) : undefined;
  if (!pair || !isNode(pair.key)) return startOf(node);
  return rest.length > 0 && isSeq(pair.value) ? offsetOf(pair.value, rest) : startOf(pair.key);
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/** The steps of a JSON pointer (RFC 6901 section 4). */
function stepsOf(pointer: string): string[] {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
