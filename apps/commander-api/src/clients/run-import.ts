import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Conversion, convertClients, type Product } from '@svc/client-metadata/conversion';
import type { Capabilities } from '@svc/client-metadata';
import { OutputFileError, writeFileAtomically } from '@svc/iplookup-core';
import type { CommandContext } from '../command-line/command-context.js';
import { counted } from '../command-line/text.js';
import { CommanderError } from '../errors/commander-error.js';
import { toYaml } from './format-declarations.js';
import { importSummary, importTable, lossLines } from './import-text.js';
import { reasonOf } from './read-declaration-files.js';
import { readExport } from './read-export.js';
import { loadCapabilities } from './run-validate.js';

export interface ImportFlags {
  readonly dryRun?: boolean;
  readonly output?: string;
  /** A saved answer of GET /client/features. */
  readonly features?: string;
}

/**
 * Converts the Clients of another product's export to declarations. Invalid ones are left out.
 *
 * @throws {CommanderError} when a file cannot be read or written, or when a Client is invalid; then the others have
 *   been written
 */
export async function runImport(
  context: CommandContext,
  product: Product,
  name: string,
  { dryRun = false, output, features }: ImportFlags,
): Promise<void> {
  if (dryRun && output !== undefined)
    throw new CommanderError('usage', '--dry-run writes nothing; it cannot be combined with --output');
  const file = name === '-' ? 'standard input' : name;
  const capabilities = await loadCapabilities(features, context);
  const conversion = await convertFile(context, product, name, capabilities);
  const { clients, incomplete } = conversion;
  if (incomplete) context.note(`${file}: the export says that there are more Clients: export all pages`);
  const declarations = clients.flatMap(({ declaration }) => (declaration ? [declaration] : []));
  const text = declarations.length === 0 ? '[]\n' : toYaml(declarations);
  if (output !== undefined) await writeDeclarations(output, text, context.signal);
  const losses = clients.flatMap((client) => lossLines(file, client));
  const summary = importSummary(clients);
  if (dryRun) {
    context.answer({
      text: `${importTable(file, clients)}\n${summary}; nothing was written`,
      value: reportOf(conversion),
    });
  } else if (output === undefined) {
    for (const line of [...losses, summary]) context.note(line);
    context.answer({ text, value: reportOf(conversion), raw: true });
  } else {
    const written = `wrote ${counted(declarations.length, 'declaration')} to ${output}`;
    context.answer({ text: [...losses, summary, written].join('\n'), value: reportOf(conversion) });
  }
  const invalid = clients.filter(({ result }) => result === 'invalid').length;
  if (invalid === 0) return;
  const remedy = features === undefined ? '; --features validates by what your registry supports' : '';
  throw new CommanderError('failed', `${file}: ${counted(invalid, 'Client')} left out, see above${remedy}`);
}

async function convertFile(
  context: CommandContext,
  product: Product,
  name: string,
  capabilities: Capabilities,
): Promise<Conversion> {
  try {
    const document = await readExport(product, name, context);
    return convertClients(product, document, {
      capabilities,
      newId: () => randomBytes(16).toString('base64url'),
    });
  } catch (error) {
    context.signal.throwIfAborted();
    throw new CommanderError('failed', `${name}: cannot be imported: ${reasonOf(error)}`, { cause: error });
  }
}

async function writeDeclarations(path: string, text: string, signal: AbortSignal): Promise<void> {
  try {
    await writeFileAtomically(path, Readable.from([Buffer.from(text)]), {
      gzip: false,
      makeFolder: false,
      signal,
    });
  } catch (error) {
    if (!(error instanceof OutputFileError)) throw error;
    throw new CommanderError('failed', error.message, { cause: error });
  }
}

/** For programs: the names of the API, in snake case. */
function reportOf({ clients, incomplete }: Conversion): object {
  return {
    incomplete,
    clients: clients.map(({ clientId, clientName, newId, newSecret, ...client }) => ({
      client_id: clientId ?? null,
      client_name: clientName ?? null,
      new_id: newId,
      new_secret: newSecret,
      ...client,
    })),
  };
}
