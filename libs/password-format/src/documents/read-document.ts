import type { ParsedDocument } from './document-scalar.js';
import { readIni, readProperties } from './read-ini.js';
import { readJson } from './read-json.js';
import { readYaml } from './read-yaml.js';

export type DocumentFormat = 'yaml' | 'json' | 'ini' | 'properties';

const EXTENSIONS: Readonly<Record<string, DocumentFormat>> = {
  yaml: 'yaml',
  yml: 'yaml',
  json: 'json',
  ini: 'ini',
  conf: 'ini',
  cfg: 'ini',
  cnf: 'ini',
  env: 'ini',
  properties: 'properties',
};

/** The format of a file by its extension, or its name `.env.*`; undefined for any other. */
export function documentFormat(file: string): DocumentFormat | undefined {
  const [, extension = ''] = /\.([^./\\]+)$/.exec(file) ?? [];
  const name = extension.toLowerCase();
  if (Object.hasOwn(EXTENSIONS, name)) return EXTENSIONS[name];
  return /(^|\/)\.env\.[^/]+$/.test(file) ? 'ini' : undefined;
}

const READERS: Readonly<Record<DocumentFormat, (text: string) => ParsedDocument | Promise<ParsedDocument>>> =
  { yaml: readYaml, json: readJson, ini: readIni, properties: readProperties };

/** Finds every scalar of a text, with its place and what replaces it. */
export async function readDocument(text: string, format: DocumentFormat): Promise<ParsedDocument> {
  return READERS[format](text);
}
