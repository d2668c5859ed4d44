import { MAX_YAML_ALIASES, MAX_YAML_DEPTH, yamlTooDeepAt } from '@svc/foundation';
import { type Product, parseCsvRows } from '@svc/client-metadata/conversion';
import * as yaml from 'yaml';
import { decodeUtf8, type FileInput, readFileAtMost } from '../files/read-at-most.js';
import { MAX_YAML_BYTES, parseJsonLine } from '../files/parse-declarations.js';

/** A realm of Keycloak also contains its users. */
const MAX_BYTES = 100 * 1024 * 1024;

/** The products that also write CSV or YAML; all write JSON. */
const OTHER_FORMATS: Readonly<Partial<Record<Product, (text: string) => unknown>>> = {
  csv: parseCsvRows,
  hydra: parseCsvRows,
  auth0: parseYaml,
  authentik: parseYaml,
};

/**
 * Reads another product's export: JSON, JSON Lines, or the product's other format.
 *
 * @param name `-` for standard input
 * @throws {Error} saying why it cannot be read, without its content, which may be secret
 */
export async function readExport(product: Product, name: string, input: FileInput): Promise<unknown> {
  const bytes = await readFileAtMost(name, MAX_BYTES, input);
  const text = decodeUtf8(bytes);
  const isJson = product !== 'csv' && /^\s*[[{]/.test(text);
  const parseOther = OTHER_FORMATS[product];
  return isJson || !parseOther ? parseJson(text) : parseOther(text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const lines = text.split('\n').map((line) => line.trim());
    const clients = lines.map((line) => (line === '' ? null : parseJsonLine(line)));
    const broken = clients.indexOf(undefined);
    if (broken < 0) return clients.filter((client) => client !== null);
    // Without its cause: the parser's message quotes the text, and logs show causes.
    if (broken > 0 && clients[0]) throw new Error(`line ${broken + 1} is not a JSON object`);
    throw new Error(`it is not JSON${lineText(error, text)}`);
  }
}

/** Where the parser stopped, if it says so. */
function lineText(error: unknown, text: string): string {
  const [, position] = /at position (\d+)/.exec(error instanceof Error ? error.message : '') ?? [];
  if (position === undefined) return '';
  return ` (line ${text.slice(0, Number(position)).split('\n').length})`;
}

/** Values with a tag of the product's own, such as `!Env`, are unknown here. */
function parseYaml(text: string): unknown {
  if (text.length > MAX_YAML_BYTES) throw new Error('as YAML it is larger than 16 MiB; export it as JSON');
  if (yamlTooDeepAt(yaml, text)) throw new Error(`nested more than ${MAX_YAML_DEPTH} levels deep`);
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  const [error] = document.errors;
  if (error) throw new Error(`line ${lines.linePos(error.pos[0]).line}: it is not YAML`);
  yaml.visit(document, {
    Node: (_, { tag }) => (tag?.startsWith('!') ? new yaml.Scalar(null) : undefined),
  });
  return document.toJS({ maxAliasCount: MAX_YAML_ALIASES }) as unknown;
}
