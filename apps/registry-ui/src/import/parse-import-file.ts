import { isJsonObject, MAX_YAML_ALIASES, yamlTooDeepAt } from '@svc/foundation';
import { type CsvTable, guessFormat, type ImportFormat, parseCsv } from '@svc/client-metadata/conversion';
import { loadCode } from '../elements/load-code.js';
import { text } from '../texts/import.js';

/** What an import file contains. */
export type ParsedFile =
  /** Clients as the registry exports them, one per line: sent as it is. */
  | { readonly kind: 'ndjson' }
  | { readonly kind: 'csv'; readonly table: CsvTable; readonly format: 'csv' | 'hydra' }
  /** From JSON or YAML. */
  | { readonly kind: 'document'; readonly document: unknown; readonly format: ImportFormat | undefined };

const KIB = 1024;
const MIB = 1024 * KIB;

/** Enough for the first lines, which show the format. */
const HEAD_BYTES = 64 * KIB;

/** Anything but NDJSON is held in memory, as values and as text. */
const MAX_PARSED_MIB = 32;

/** Parsed YAML takes a hundred times its size in memory. */
const MAX_YAML_MIB = 4;

/** Reads a file in whatever format it has. @throws {Error} with a text for the user */
export async function parseImportFile(file: File): Promise<ParsedFile> {
  const lines = firstObjects(await file.slice(0, HEAD_BYTES).text());
  const lineFormat = lines && guessFormat(lines);
  if (lines && (lineFormat === 'declarations' || (lineFormat === undefined && lines.length > 1)))
    return { kind: 'ndjson' };
  if (!lines && /\.(ndjson|jsonl)$/i.test(file.name)) return { kind: 'ndjson' };
  if (file.size > MAX_PARSED_MIB * MIB) throw new Error(text('import.onlyNdjson', { most: MAX_PARSED_MIB }));
  const content = await decodeUtf8(file);
  if (isCsv(file.name, content)) return parseTable(content);
  const document = await parseDocument(file.name, content, lines !== undefined);
  return { kind: 'document', document, format: guessFormat(document) };
}

/** The objects on the first lines, up to the first line that is not an object; undefined if there are none. */
function firstObjects(head: string): readonly unknown[] | undefined {
  const lines = head.replace(/^\uFEFF/, '').split('\n');
  const complete = head.length < HEAD_BYTES ? lines : lines.slice(0, -1);
  const objects = complete.filter((line) => line.trim() !== '').map(toObject);
  const end = objects.indexOf(undefined);
  const leading = end < 0 ? objects : objects.slice(0, end);
  return leading.length > 0 ? leading : undefined;
}

function toObject(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function decodeUtf8(file: File): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch (cause) {
    throw new Error(text(cause instanceof TypeError ? 'import.notUtf8' : 'import.changed'), { cause });
  }
}

function isCsv(name: string, content: string): boolean {
  if (/\.(csv|tsv)$/i.test(name)) return true;
  if (/\.(json|ya?ml|ndjson|jsonl)$/i.test(name) || /^\s*[[{]/.test(content)) return false;
  const [header = ''] = content.split('\n', 1);
  return /[,;\t]/.test(header) && !/:\s|:$/.test(header.trim());
}

function parseTable(content: string): ParsedFile {
  const table = parseCsv(content);
  const rows = table.records.slice(0, 1).map(() => Object.fromEntries(table.names.map((name) => [name, ''])));
  return { kind: 'csv', table, format: guessFormat(rows) === 'hydra' ? 'hydra' : 'csv' };
}

async function parseDocument(name: string, content: string, hasLines: boolean): Promise<unknown> {
  if (hasLines) {
    const values = content.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parseJson(line)]));
    // An export without line breaks is a single document, not a list of one.
    return values.length === 1 ? values[0] : values;
  }
  if (!/\.ya?ml$/i.test(name) && /^\s*[[{]/.test(content)) return parseJson(content);
  return parseYaml(content);
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch (error) {
    throw new Error(text('import.notJson', { reason: error instanceof Error ? error.message : '' }), {
      cause: error,
    });
  }
}

/** Product-specific tags, such as `!Env`, are unknown here. */
async function parseYaml(content: string): Promise<unknown> {
  if (content.length > MAX_YAML_MIB * MIB)
    throw new Error(text('import.yamlTooLarge', { most: MAX_YAML_MIB }));
  const yaml = await loadCode(async () => import('yaml'));
  if (yamlTooDeepAt(yaml, content)) throw new Error(text('import.yamlTooDeep'));
  const lines = new yaml.LineCounter();
  const parsed = yaml.parseAllDocuments(content, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
  });
  const documents = 'empty' in parsed ? [] : parsed;
  const error = documents.flatMap(({ errors }) => errors)[0];
  if (error) {
    const { line } = lines.linePos(error.pos[0]);
    throw new Error(text('import.notYaml', { line, reason: error.message }), { cause: error });
  }
  const values = documents.map((document) => {
    yaml.visit(document, {
      Node: (_, { tag }) => (tag?.startsWith('!') ? new yaml.Scalar(null) : undefined),
    });
    return document.toJS({ maxAliasCount: MAX_YAML_ALIASES }) as unknown;
  });
  return values.length === 1 ? values[0] : values.flat();
}
