import type { ParsedDocument } from './document-scalar.js';
import { readIni } from './read-ini.js';
import { readJson } from './read-json.js';
import { readYaml } from './read-yaml.js';

export type DocumentFormat = 'yaml' | 'json' | 'ini';

const EXTENSIONS: Readonly<Record<string, DocumentFormat>> = {
  yaml: 'yaml',
  yml: 'yaml',
  json: 'json',
  ini: 'ini',
  conf: 'ini',
  cfg: 'ini',
  env: 'ini',
  properties: 'ini',
};

/** The format of a file by its extension; undefined for any other. */
export function documentFormat(file: string): DocumentFormat | undefined {
  const [, extension = ''] = /\.([^./]+)$/.exec(file) ?? [];
  const name = extension.toLowerCase();
  return Object.hasOwn(EXTENSIONS, name) ? EXTENSIONS[name] : undefined;
}

/** Finds every scalar of a text, with its place and what replaces it. */
export async function readDocument(text: string, format: DocumentFormat): Promise<ParsedDocument> {
  if (format === 'yaml') return readYaml(text);
  return format === 'json' ? readJson(text) : readIni(text);
}
