import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type Conversion,
  type ConversionOptions,
  convertClients,
  type Product,
} from '@svc/client-metadata/conversion';
import { IMPORTED_SECRET_FIELDS } from '@svc/client-metadata';
import { OutputFileError, writeOutput } from '@svc/iplookup-core';
import type { CommandContext } from '../command-line/command-context.js';
import { counted } from '../command-line/text.js';
import { isStandardOutput } from '../command-line/is-standard-output.js';
import { CommanderError } from '../errors/commander-error.js';
import { SecretsFile } from '../files/secrets-file.js';
import { toYaml } from './format-declarations.js';
import { importSummary, importTable, lossLines } from './import-text.js';
import { reasonOf } from './read-declaration-files.js';
import { readExport } from './read-export.js';
import { loadFeatures } from './run-validate.js';

export interface ImportFlags {
  readonly dryRun?: boolean;
  readonly output?: string;
  /** A saved response to GET /client/features. */
  readonly features?: string;
  /** Declarations contain the Clients' secrets, too. */
  readonly withSecrets?: boolean;
  /** The registry that the Clients are imported into, without writing declarations. */
  readonly to?: string;
  /** As for `client apply`, with `to`. */
  readonly set?: string;
  readonly takeOver?: true;
  readonly secretsTo?: string;
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
  flags: ImportFlags,
): Promise<void> {
  assertUsable(flags);
  const { dryRun = false, features, withSecrets = false } = flags;
  const output = isStandardOutput(flags.output) && !withSecrets ? undefined : flags.output;
  const file = nameOfInput(name);
  const { capabilities } = await loadFeatures(features, context);
  const conversion = await convertFile(context, product, name, { capabilities, withSecrets });
  const { clients } = conversion;
  const declarations = clients.flatMap(({ declaration }) => (declaration ? [declaration] : []));
  const text = declarations.length === 0 ? '[]\n' : toYaml(declarations);
  if (output !== undefined && withSecrets) await writeSecretDeclarations(output, text);
  else if (output !== undefined) await writeDeclarations(output, text, context.signal);
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
  refuseInvalid(
    file,
    conversion,
    features === undefined ? '; --features validates against what your registry supports' : '',
  );
}

/** @throws {CommanderError} if the flags conflict */
export function assertUsable(flags: ImportFlags): void {
  const violation = usageViolation(flags);
  if (violation !== undefined) throw new CommanderError('usage', violation);
}

function usageViolation(flags: ImportFlags): string | undefined {
  const { dryRun, output, features, withSecrets, to, set, takeOver, secretsTo } = flags;
  if (dryRun && output !== undefined) return '--dry-run writes nothing; it cannot be combined with --output';
  if (to !== undefined && (output ?? features) !== undefined)
    return '--to asks the registry what it supports and writes no file; it cannot be combined with --output or --features';
  if (to === undefined && (set ?? takeOver ?? secretsTo) !== undefined)
    return '--set, --take-over and --secrets-to require --to';
  if (withSecrets && !dryRun && output === undefined && to === undefined)
    return '--with-secrets requires --output, a new file that only you can read, or --to';
  return undefined;
}

/** For messages. */
export function nameOfInput(name: string): string {
  return name === '-' ? 'standard input' : name;
}

/** @throws {CommanderError} if Clients are invalid */
export function refuseInvalid(file: string, { clients }: Conversion, remedy = ''): void {
  const invalid = clients.filter(({ result }) => result === 'invalid').length;
  if (invalid === 0) return;
  throw new CommanderError('failed', `${file}: ${counted(invalid, 'client')} left out, see above${remedy}`);
}

/** @throws {CommanderError} if the file cannot be read as an export of the product */
export async function convertFile(
  context: CommandContext,
  product: Product,
  name: string,
  options: Pick<ConversionOptions, 'capabilities' | 'withSecrets'>,
): Promise<Conversion> {
  try {
    const document = await readExport(product, name, context);
    const newId = () => randomBytes(16).toString('base64url');
    const conversion = convertClients(product, document, { ...options, newId });
    if (conversion.incomplete)
      context.note(`${nameOfInput(name)}: the export says that there are more clients: export all pages`);
    return conversion;
  } catch (error) {
    context.signal.throwIfAborted();
    throw new CommanderError('failed', `${name}: cannot be imported: ${reasonOf(error)}`, { cause: error });
  }
}

async function writeDeclarations(path: string, text: string, signal: AbortSignal): Promise<void> {
  try {
    await writeOutput(path, Readable.from([Buffer.from(text)]), { gzip: false, signal });
  } catch (error) {
    if (!(error instanceof OutputFileError)) throw error;
    throw new CommanderError('failed', error.message, { cause: error });
  }
}

/** A new file of mode 0600. */
async function writeSecretDeclarations(path: string, text: string): Promise<void> {
  const file = await SecretsFile.prepare(path);
  try {
    await file.write(text);
  } finally {
    await file.close();
  }
}

/** For programs, without secrets: the names of the API, in snake case. */
function reportOf({ clients, incomplete }: Conversion): object {
  return {
    incomplete,
    clients: clients.map(
      ({ clientId, clientName, newId, newSecret, bringsSecret, declaration, ...client }) => ({
        client_id: clientId ?? null,
        client_name: clientName ?? null,
        new_id: newId,
        new_secret: newSecret,
        ...(bringsSecret && { imported_secret: true }),
        ...client,
        ...(declaration && { declaration: withoutSecrets(declaration) }),
      }),
    ),
  };
}

function withoutSecrets(declaration: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(declaration).filter(([name]) => !IMPORTED_SECRET_FIELDS.includes(name)),
  );
}
