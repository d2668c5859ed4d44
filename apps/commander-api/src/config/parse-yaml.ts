import { yamlTooDeepAt } from '@svc/foundation';
import * as Yaml from 'yaml';
import type { ParsedSource, SectionPlace, Setting } from './config-key.js';
import { NOT_ENCRYPTED } from './encrypted-value.js';
import { maskName } from './mask-value.js';

/**
 * Reads a mapping of sections to mappings of keys. A value is a scalar, read as written (`ref: 1.10` stays
 * `1.10`), or a sequence of scalars; null means not set. Errors never quote the file: it may contain secrets.
 *
 * @param name the file name to use in errors
 */
export function parseYaml(text: string, name: string): ParsedSource {
  const { LineCounter, parseDocument } = Yaml;
  const tooDeep = yamlTooDeepAt(Yaml, text);
  if (tooDeep !== undefined) {
    const place = (offset: number) => `${name}:${text.slice(0, offset).split('\n').length}`;
    const compact = tooDeep.compact.map(
      (offset) => `${place(offset)}: not valid YAML (BLOCK_AS_IMPLICIT_KEY)`,
    );
    const deep = `${place(tooDeep.offset)}: nested too deeply; a section contains only keys`;
    return { sections: [], settings: [], errors: compact.length > 0 ? compact : [deep] };
  }
  const lines = new LineCounter();
  // Duplicate keys are reported later, with both places.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const originOf = (offset: number | undefined): string => `${name}:${lines.linePos(offset ?? 0).line}`;
  if (document.errors.length > 0) {
    return {
      sections: [],
      settings: [],
      errors: document.errors.map(({ pos, code }) => `${originOf(pos[0])}: not valid YAML (${code})`),
    };
  }
  const tagged = document.warnings
    .filter(({ code }) => code === 'TAG_RESOLVE_FAILED')
    .map(({ pos }) => `${originOf(pos[0])}: ${NOT_ENCRYPTED}`);
  const { errors, ...read } = readSections(document, (node) => originOf(node?.range?.[0]));
  return { ...read, errors: [...tagged, ...errors] };
}

function readSections(document: Yaml.Document.Parsed, originOf: (node?: Yaml.Node) => string): ParsedSource {
  const { isMap, isScalar } = Yaml;
  const isNothing = (node: unknown): boolean => node == null || (isScalar(node) && node.value === null);
  const pairsOf = (node: unknown) => (isMap(node) ? (node.items as Yaml.Pair<Yaml.Node, unknown>[]) : []);
  const aliased = aliasedNodes(document);
  const sections: SectionPlace[] = [];
  const settings: Setting[] = [];
  const errors: string[] = [];
  const places = new Map<string, string>();
  if (!isNothing(document.contents) && !isMap(document.contents))
    errors.push(`${originOf()}: the file must be a mapping of sections`);
  for (const { key: title, value: content } of pairsOf(document.contents)) {
    const [section, origin] = [String(title), originOf(title)];
    sections.push({ section, origin });
    const first = places.get(section);
    places.set(section, first ?? origin);
    if (first !== undefined)
      errors.push(`${origin}: ${maskName(section)} is already defined at ${first}; merge the two`);
    if (!isNothing(content) && !isMap(content)) settings.push({ section, key: '', value: '', origin });
    for (const { key: name, value: node } of pairsOf(content)) {
      const [key, place, value] = [String(name), originOf(name), valueOf(node, aliased)];
      if (value !== undefined) settings.push({ section, key, value, origin: place });
      else
        errors.push(
          `${place}: ${maskName(section)}.${maskName(key)} must be a scalar or a sequence of scalars`,
        );
    }
  }
  return { sections, settings, errors };
}

/** Maps aliases to their nodes. The package's own resolution walks the whole document for each alias. */
function aliasedNodes(document: Yaml.Document.Parsed): ReadonlyMap<unknown, Yaml.Node | undefined> {
  const { isAlias, isNode, visit } = Yaml;
  const anchors = new Map<string, Yaml.Node>();
  const aliased = new Map<unknown, Yaml.Node | undefined>();
  visit(document, (_key, node) => {
    if (isAlias(node)) aliased.set(node, anchors.get(node.source));
    else if (isNode(node) && node.anchor !== undefined) anchors.set(node.anchor, node);
  });
  return aliased;
}

function valueOf(
  node: unknown,
  aliased: ReadonlyMap<unknown, Yaml.Node | undefined>,
): string | string[] | undefined {
  const { isAlias, isScalar, isSeq } = Yaml;
  if (node === null) return '';
  if (isAlias(node)) return valueOf(aliased.get(node), aliased);
  if (isScalar(node)) return textOf(node);
  if (!isSeq(node)) return undefined;
  const items = node.items.map((item) => (isScalar(item) ? valueOf(item, aliased) : undefined));
  return items.every((item) => typeof item === 'string') ? items : undefined;
}

/** As written; the line break at the end of a block (`|` or `>`) is not part of the value. */
function textOf({ value, source, type }: Yaml.Scalar): string {
  if (value === null) return '';
  const text = source ?? String(value);
  return type?.startsWith('BLOCK_') ? text.replace(/\n$/, '') : text;
}
