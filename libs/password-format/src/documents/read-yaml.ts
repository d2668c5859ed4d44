import { MAX_YAML_DEPTH, yamlTooDeepAt } from '@svc/foundation';
import type * as Yaml from 'yaml';
import {
  type DocumentError,
  type DocumentScalar,
  LineIndex,
  type Mark,
  type ParsedDocument,
} from './document-scalar.js';
import { replaceYamlScalar, type TagToken } from './replace-yaml-scalar.js';

const MARKS: Readonly<Record<string, Mark>> = { '!encpwd': 'encpwd', '!encpwd-plain': 'encpwd-plain' };

/** Reads YAML; the scalars of all its documents. */
export async function readYaml(text: string): Promise<ParsedDocument> {
  // Loaded lazily: encrypting or decrypting a single password, the common case, does not need it.
  const yaml = await import('yaml');
  const lines = new LineIndex(text);
  const tooDeep = yamlTooDeepAt(yaml, text);
  if (tooDeep !== undefined) {
    const message = 'not valid YAML (BLOCK_AS_IMPLICIT_KEY)';
    const compact = tooDeep.compact.map((offset) => ({ line: lines.lineOf(offset), message }));
    const deep = {
      line: lines.lineOf(tooDeep.offset),
      message: `nested more than ${MAX_YAML_DEPTH} levels deep`,
    };
    return { scalars: [], errors: compact.length > 0 ? compact : [deep] };
  }
  const documents = [
    ...yaml.parseAllDocuments(text, { prettyErrors: false, uniqueKeys: false, logLevel: 'silent' }),
  ];
  const errors = documents.flatMap((document) =>
    document.errors.map(({ pos, code }) => ({
      line: lines.lineOf(pos[0]),
      message: `not valid YAML (${code})`,
    })),
  );
  if (errors.length > 0) return { scalars: [], errors };
  const reader = new YamlReader(yaml, text, lines);
  for (const { contents } of documents) reader.readDocument(contents);
  return { scalars: reader.scalars, errors: reader.errors };
}

class YamlReader {
  readonly scalars: DocumentScalar[] = [];
  readonly errors: DocumentError[] = [];
  private readonly tags: readonly TagToken[];
  /** Scalars of the document by anchor, with the lines of their aliases. */
  private readonly anchors = new Map<
    string,
    { readonly scalar: DocumentScalar; readonly aliases: number[] }
  >();

  constructor(
    private readonly yaml: typeof Yaml,
    private readonly text: string,
    private readonly lines: LineIndex,
  ) {
    this.tags = text.includes('!') ? tagTokens(yaml, text) : [];
  }

  readDocument(contents: unknown): void {
    this.anchors.clear();
    this.read(contents, []);
  }

  /** Recursive, but not deeper than `MAX_YAML_DEPTH`. */
  private read(node: unknown, path: readonly string[]): void {
    const { isMap, isSeq, isScalar, isCollection, isAlias } = this.yaml;
    if (isScalar(node)) return this.addScalar(node, path);
    if (isAlias(node)) return this.addAlias(node, path);
    if (isCollection(node) && node.anchor !== undefined) this.anchors.delete(node.anchor);
    if (isCollection(node) && node.tag !== undefined && node.tag in MARKS) {
      const message = `${node.tag} is on a map or list; it must tag a single ${MARKS[node.tag] === 'encpwd' ? 'encrypted ' : ''}password`;
      this.errors.push({ line: this.lines.lineOf(node.range![0]), message });
    } else if (isMap(node)) {
      for (const { key, value } of node.items)
        this.read(value, [...path, isScalar(key) ? String(key.value) : '?']);
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries())
        this.read(this.yaml.isPair(item) ? item.value : item, [...path, String(index)]);
    }
  }

  private addScalar(node: Yaml.Scalar, path: readonly string[]): void {
    const aliases: number[] = [];
    const scalar = { ...this.scalarOf(node, path), aliases };
    this.scalars.push(scalar);
    if (node.anchor !== undefined) this.anchors.set(node.anchor, { scalar, aliases });
  }

  /** An alias of a map or list is that of other values, which have keys of their own. */
  private addAlias({ source, range }: Yaml.Alias, path: readonly string[]): void {
    const anchor = this.anchors.get(source);
    if (!anchor) return;
    const [offset] = range!;
    const line = this.lines.lineOf(offset);
    anchor.aliases.push(line);
    const { scalar } = anchor;
    this.scalars.push({
      ...scalar,
      path,
      offset,
      line,
      isAlias: true,
      aliases: [],
      replaceBy: () => undefined,
    });
  }

  private scalarOf(node: Yaml.Scalar, path: readonly string[]): DocumentScalar {
    const [start, end] = node.range!;
    const { value, tag } = node;
    const mark = tag === undefined ? undefined : MARKS[tag];
    return {
      path,
      value: textOf(node),
      mark,
      isText: typeof value === 'string',
      offset: start,
      line: this.lines.lineOf(start),
      replaceBy: (encrypted, keepsSpaces = false) => {
        const trimmed = String(value ?? '').trim();
        const keepsForm = mark === 'encpwd' && trimmed !== '' && (keepsSpaces || trimmed === value);
        const place = { start, end, value: trimmed, keepsForm, tag: this.tagBefore(node) };
        return replaceYamlScalar(this.text, place, encrypted);
      },
    };
  }

  /** The tag's own text, since the parsed node has only its name. */
  private tagBefore({ tag, range }: Yaml.Scalar): TagToken | undefined {
    if (tag === undefined) return undefined;
    const found = this.tags.findLast(({ end }) => end <= range![0]);
    const between = found && this.text.slice(found.end, range![0]);
    return between !== undefined && /^(?:\s|&\S+|#[^\n]*\n)*$/.test(between) ? found : undefined;
  }
}

function textOf({ value, source }: Yaml.Scalar): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  return source ?? String(value);
}

/** Marks of the lexer without length in the text. */
const MARKERS = ['\u0002', '\u0018', '\u001f'];

function tagTokens({ Lexer, CST }: typeof Yaml, text: string): TagToken[] {
  const tags: TagToken[] = [];
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (CST.tokenType(lexeme) === 'tag') tags.push({ start: offset, end: offset + lexeme.length });
    if (!MARKERS.includes(lexeme)) offset += lexeme.length;
  }
  return tags;
}
