import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import type { ParsedSource, Setting } from './config-source.js';

/**
 * Reads a mapping of sections to mappings of keys. A value is a scalar, taken as it is written (`ref: 1.10` stays
 * `1.10`), or a sequence of scalars; null means not set. Faults quote nothing of the file: it may hold secrets.
 *
 * @param name the file, as faults shall name it
 */
export function parseYaml(text: string, name: string): ParsedSource {
  const { isMap, isScalar, LineCounter, parseDocument } = loadYaml();
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const originOf = (offset: number | undefined): string => `${name}:${lines.linePos(offset ?? 0).line}`;
  if (document.errors.length > 0) {
    return {
      settings: [],
      faults: document.errors.map(({ pos, code }) => `${originOf(pos[0])}: not valid YAML (${code})`),
    };
  }
  const settings: Setting[] = [];
  const faults: string[] = [];
  for (const [section, content, origin] of entriesOf(
    document.contents,
    'the file must be a mapping of sections',
  )) {
    for (const [key, node, keyOrigin] of entriesOf(content, `${section} must be a mapping of keys`, origin)) {
      const value = valueOf(node, document);
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

function valueOf(node: unknown, document: Yaml.Document.Parsed): string | string[] | undefined {
  const { isAlias, isScalar, isSeq } = loadYaml();
  if (node === null) return '';
  if (isAlias(node)) return valueOf(node.resolve(document), document);
  if (isScalar(node)) return node.value === null ? '' : (node.source ?? String(node.value));
  if (!isSeq(node)) return undefined;
  const items = node.items.map((item) => (isScalar(item) ? valueOf(item, document) : undefined));
  return items.every((item) => typeof item === 'string') ? items : undefined;
}

/** Loads the YAML parser only when a file needs it, at once: most runs of svccmd do without. */
function loadYaml(): typeof Yaml {
  return createRequire(import.meta.url)('yaml') as typeof Yaml;
}
