import { dirname, join } from 'node:path/posix';
import {
  type Document,
  isCollection,
  isMap,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  parseAllDocuments,
  visit,
} from 'yaml';
import type { LibraryFinding } from '../ports/library-finding.js';
import { type DeclarationRules, keyPattern, type TagKind } from './declaration-rules.js';
import { LookupChecks } from './lookup-checks.js';
import { SchemaChecks } from './schema-checks.js';

type Finding = Omit<LibraryFinding, 'severity' | 'path'>;

/** Maximum findings per file; more may appear once these are fixed. */
const MAX_FINDINGS = 10;

/** Maximum aliases expanded for a schema; without a limit, a document could expand to billions of values. */
const MAX_ALIASES = 100;

/** Checks declarations against an operator's rules, file by file and then together. */
export class DeclarationChecks {
  private readonly schemas: SchemaChecks;
  private readonly sealed: readonly RegExp[];
  private readonly lookups: LookupChecks;
  /** Included paths, with the places of the includes. */
  private readonly included: { readonly target: string; readonly finding: LibraryFinding }[] = [];

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

  /** References to missing files and lookups, once all files have been checked. @param files of the library, by path */
  missing(files: ReadonlyMap<string, unknown>): LibraryFinding[] {
    const includes = this.included.filter(({ target }) => !files.has(target));
    return [...includes.map(({ finding }) => finding), ...this.lookups.missing(files.keys())];
  }

  private checkJson(path: string, data: Uint8Array): Finding[] {
    if (!this.schemas.appliesTo(path)) return [];
    let value: unknown;
    try {
      value = JSON.parse(Buffer.from(data).toString());
    } catch {
      // The parser's message would quote values.
      return [{ code: 'json-syntax', message: 'is not JSON' }];
    }
    return this.schemas.check(path, value).map(({ message }) => ({ code: 'schema', message }));
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
        if (includes.includes(tag) && isScalar(node)) this.include(path, String(node.value), place);
      },
    });
    return findings;
  }

  private include(path: string, target: string, place: Place): void {
    const from = target.startsWith('/') ? target : join('/', dirname(path), target);
    this.included.push({
      target: join('/', from).slice(1),
      finding: {
        severity: 'error',
        path,
        code: 'include',
        message: `includes ${JSON.stringify(target)}, which is not in the library`,
        ...place,
      },
    });
  }

  /** Findings never show values. */
  private checkSealed(document: Document.Parsed, at: Locate): Finding[] {
    const findings: Finding[] = [];
    if (this.sealed.length === 0) return findings;
    visit(document, {
      Scalar: (key, node, ancestors) => {
        if (key === 'key' || node.value === null || node.value === '' || isSealed(node)) return;
        const keys = ancestors.flatMap((one) =>
          isPair(one) && isScalar(one.key) ? [String(one.key.value)] : [],
        );
        const secret = keys.find((name) => this.sealed.some((pattern) => pattern.test(name)));
        if (secret === undefined) return;
        const message = `has an unencrypted value at ${JSON.stringify(secret)}: encrypt it (svccmd encpwd)`;
        findings.push({ code: 'not-sealed', message, ...at(node.range?.[0] ?? 0) });
      },
    });
    return findings;
  }

  private checkSchemas(path: string, document: Document.Parsed, at: Locate): Finding[] {
    if (!this.schemas.appliesTo(path)) return [];
    let value: unknown;
    try {
      value = document.toJS({ maxAliasCount: MAX_ALIASES });
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

/** A tag of the application's own, without `!`. */
function tagOf({ tag }: Node): string | undefined {
  return tag?.startsWith('!') && tag.length > 1 ? tag.slice(1) : undefined;
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

/** `password: !encpwd "…"`, as a tag or as text, with or without quotes. */
const isSealed = ({ tag, value }: { readonly tag?: string; readonly value: unknown }): boolean =>
  tag === '!encpwd' ||
  (typeof value === 'string' && /^!encpwd\s+(?:"[^"]*"|'[^']*'|\{.*\}|[\w.-]+)$/.test(value.trim()));

/** Offset of the innermost existing node on the path to a place. */
function offsetOf(document: Document.Parsed, place: readonly string[]): number {
  for (let depth = place.length; depth > 0; depth -= 1) {
    const node = document.getIn(place.slice(0, depth), true) as Node | undefined;
    if (node?.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}
