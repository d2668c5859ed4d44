import {
  type Document,
  isCollection,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  parseAllDocuments,
  parseDocument,
  visit,
} from 'yaml';
import { MAX_YAML_ALIASES } from '@svc/foundation';
import type { LibraryFinding } from '../ports/library-finding.js';
import { type DeclarationRules, keyPattern, type TagKind } from './declaration-rules.js';
import { findUnsealed } from './find-unsealed.js';
import { IncludeChecks } from './include-checks.js';
import { LookupChecks } from './lookup-checks.js';
import { SchemaChecks } from './schema-checks.js';

type Finding = Omit<LibraryFinding, 'severity' | 'path'>;

/** Maximum findings per file; more may appear once these are fixed. */
const MAX_FINDINGS = 10;

/** Checks declarations against an operator's rules, file by file and then together. */
export class DeclarationChecks {
  private readonly schemas: SchemaChecks;
  private readonly sealed: readonly RegExp[];
  private readonly lookups: LookupChecks;
  private readonly includes = new IncludeChecks();

  /** @throws {RangeError} if a schema is invalid */
  constructor(private readonly rules: DeclarationRules) {
    this.schemas = new SchemaChecks(rules.schemas);
    this.sealed = rules.sealed.map(keyPattern);
    this.lookups = new LookupChecks(rules.lookups);
  }

  /** @param data of a file that is well-formed, if it is YAML */
  check(path: string, data: Uint8Array): LibraryFinding[] {
    const found = /\.json$/i.test(path) ? this.checkJson(path, data) : this.checkYaml(path, data);
    return found.slice(0, MAX_FINDINGS).map((finding) => ({ severity: 'error', path, ...finding }));
  }

  /** What only all files together show, once each has been checked. @param files of the library, by path */
  findings(files: ReadonlyMap<string, unknown>): LibraryFinding[] {
    return [
      ...this.includes.findings(files),
      ...this.lookups.missing(files.keys()),
      ...this.schemas.unused(files.keys()),
    ];
  }

  private checkJson(path: string, data: Uint8Array): Finding[] {
    if (!this.schemas.appliesTo(path)) return [];
    const text = Buffer.from(data).toString();
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // The parser's message would quote values.
      return [{ code: 'json-syntax', message: 'is not JSON' }];
    }
    const misfits = this.schemas.check(path, value);
    const locate = misfits.length > 0 ? locatorOf(text) : undefined;
    return misfits.map(({ place, message }) => ({ code: 'schema', message, ...locate?.(place) }));
  }

  private checkYaml(path: string, data: Uint8Array): Finding[] {
    if (!/\.ya?ml$/i.test(path)) return [];
    const lines = new LineCounter();
    const documents = parseAllDocuments(Buffer.from(data).toString(), {
      lineCounter: lines,
      logLevel: 'silent',
      uniqueKeys: false,
    });
    const at = (offset: number) => {
      const { line, col } = lines.linePos(offset);
      return { line, column: col };
    };
    return (Array.isArray(documents) ? documents : []).flatMap((document: Document.Parsed) => {
      this.lookups.collect(path, document, at);
      const findings = [
        ...this.checkTags(path, document, at),
        ...this.checkSealed(document, at),
        ...this.checkSchemas(path, document, at),
      ];
      return findings.slice(0, MAX_FINDINGS);
    });
  }

  private checkTags(path: string, document: Document.Parsed, at: Locate): Finding[] {
    const { tags, includes } = this.rules;
    const findings: Finding[] = [];
    visit(document, {
      Node: (_key, node) => {
        const tag = tagOf(node);
        if (tag === undefined) return;
        const place = at(node.range?.[0] ?? 0);
        const message = tags && misuseOf(tag, kindOf(node), tags);
        if (message !== undefined) findings.push({ code: 'yaml-tag', message, ...place });
        if (!includes.includes(tag)) return;
        if (isScalar(node)) this.includes.collect(path, String(node.value), place);
        else if (message === undefined)
          findings.push({ code: 'include', message: `has no path of a file after !${tag}`, ...place });
      },
    });
    return findings;
  }

  /** Findings never show values. */
  private checkSealed(document: Document.Parsed, at: Locate): Finding[] {
    if (this.sealed.length === 0) return [];
    return findUnsealed(document, this.sealed).map(({ key, offset }) => ({
      code: 'not-sealed',
      message: `has an unencrypted value at ${JSON.stringify(key)}: encrypt it (svccmd encpwd)`,
      ...at(offset),
    }));
  }

  private checkSchemas(path: string, document: Document.Parsed, at: Locate): Finding[] {
    if (!this.schemas.appliesTo(path)) return [];
    let value: unknown;
    try {
      value = document.toJS({ maxAliasCount: MAX_YAML_ALIASES });
    } catch (error) {
      return [{ code: 'schema', message: `cannot be checked against a schema: ${(error as Error).message}` }];
    }
    return this.schemas
      .check(path, value)
      .map(({ place, message }) => ({ code: 'schema', message, ...at(offsetOf(document, place)) }));
  }
}

interface Place {
  readonly line: number;
  readonly column: number;
}

type Locate = (offset: number) => Place;

const YAML_TAGS = 'tag:yaml.org,2002:';
const PLAIN_TAGS = ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => YAML_TAGS + name);

/** A tag other than those of plain values, as it is written after its first `!`. */
function tagOf({ tag }: Node): string | undefined {
  if (tag === undefined || tag === '!' || PLAIN_TAGS.includes(tag)) return undefined;
  if (tag.startsWith(YAML_TAGS)) return `!${tag.slice(YAML_TAGS.length)}`;
  return tag.startsWith('!') ? tag.slice(1) : `<${tag}>`;
}

function kindOf(node: Node): TagKind {
  if (isMap(node)) return 'mapping';
  return isCollection(node) ? 'sequence' : 'scalar';
}

function misuseOf(tag: string, kind: TagKind, tags: Readonly<Record<string, TagKind>>): string | undefined {
  const expected = Object.hasOwn(tags, tag) ? tags[tag] : undefined;
  if (expected === undefined) return `has the unknown tag !${tag}`;
  return expected === kind ? undefined : `has the tag !${tag} on a ${kind}; it takes a ${expected}`;
}

/** Finds places in JSON, which is YAML as well. */
function locatorOf(text: string): ((place: readonly string[]) => Place) | undefined {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent', uniqueKeys: false });
    return (place) => {
      const { line, col } = lines.linePos(offsetOf(document, place));
      return { line, column: col };
    };
  } catch (error) {
    // Nested too deeply for this parser: the finding has no place.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Offset of the innermost existing node on the path to a place. */
function offsetOf(document: Document.Parsed, place: readonly string[]): number {
  for (let depth = place.length; depth > 0; depth -= 1) {
    const node = document.getIn(place.slice(0, depth), true) as Node | undefined;
    if (node?.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}
