import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import { yamlTooDeepAt } from '../files/yaml-depth.js';
import type { ParsedSource, Setting } from './config-source.js';

/**
 * Reads a mapping of sections to mappings of keys. A value is a scalar, taken as it is written (`ref: 1.10` stays
 * `1.10`), or a sequence of scalars; null means not set. Faults quote nothing of the file: it may hold secrets.
 *
 * @param name the file, as faults shall name it
 */
export function parseYaml(text: string, name: string): ParsedSource {
  const yaml = loadYaml();
  const { isMap, isScalar, LineCounter, parseDocument } = yaml;
  const tooDeep = yamlTooDeepAt(yaml, text);
  if (tooDeep !== undefined) {
    const line = text.slice(0, tooDeep).split('\n').length;
    return {
      settings: [],
      faults: [`${name}:${line}: nested too deeply; sections hold keys, and nothing more`],
    };
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const originOf = (offset: number | undefined): string => `${name}:${lines.linePos(offset ?? 0).line}`;
  if (document.errors.length > 0) {
    return {
      settings: [],
      faults: document.errors.map(({ pos, code }) => `${originOf(pos[0])}: not valid YAML (${code})`),
    };
  }
  const aliased = aliasedNodes(document);
  const settings: Setting[] = [];
  const faults: string[] = [];
  for (const [section, content, origin] of entriesOf(
    document.contents,
    'the file must be a mapping of sections',
  )) {
    for (const [key, node, keyOrigin] of entriesOf(content, `${section} must be a mapping of keys`, origin)) {
      const value = valueOf(node, aliased);
      if (value === undefined)
        faults.push(`${keyOrigin}: ${section}.${key} must be a scalar or a sequence of scalars`);
      else settings.push({ section, key, value, origin: keyOrigin });
    }
  }
  return { settings, faults };

  function* entriesOf(
    node: unknown,
    complaint: string,
    origin = `${name}:1`,
  ): Generator<[string, unknown, string]> {
    if (node == null || (isScalar(node) && node.value === null)) return;
    if (!isMap(node)) return void faults.push(`${origin}: ${complaint}`);
    for (const { key, value } of node.items as Yaml.Pair<Yaml.Node, unknown>[])
      yield [String(key), value, originOf(key.range?.[0])];
  }
}

/** What aliases stand for. The package's own way to tell goes through the whole document for each of them. */
function aliasedNodes(document: Yaml.Document.Parsed): ReadonlyMap<unknown, Yaml.Node | undefined> {
  const { isAlias, isNode, visit } = loadYaml();
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
  const { isAlias, isScalar, isSeq } = loadYaml();
  if (node === null) return '';
  if (isAlias(node)) return valueOf(aliased.get(node), aliased);
  if (isScalar(node)) return node.value === null ? '' : (node.source ?? String(node.value));
  if (!isSeq(node)) return undefined;
  const items = node.items.map((item) => (isScalar(item) ? valueOf(item, aliased) : undefined));
  return items.every((item) => typeof item === 'string') ? items : undefined;
}

/** Loads the YAML parser only when a file needs it, at once: most runs of svccmd do without. */
function loadYaml(): typeof Yaml {
  return createRequire(import.meta.url)('yaml') as typeof Yaml;
}
