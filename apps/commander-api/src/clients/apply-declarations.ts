import { isDeepStrictEqual } from 'node:util';
import {
  type ClientMetadata,
  metadataNames,
  readCapabilities,
  takesSecrets,
  withoutTemporaryUris,
} from '@svc/client-metadata';
import {
  type ClientDocument,
  type ImportedClient,
  type ImportReport,
  type RegistryClient,
  RegistryError,
} from '@svc/registry-client';
import { CommanderError } from '../errors/commander-error.js';
import type { DeclarationFile } from './read-declaration-files.js';
import {
  type Finding,
  findingText,
  type ValidatedDeclaration,
  placeIn,
  validateDeclarations,
} from './validate-declarations.js';

export interface ApplyOptions {
  /** Only report what would change. */
  readonly dryRun: boolean;
  /** Delete Clients of the set that are not declared. */
  readonly prune: boolean;
  /** How many Clients must be deleted, as confirmed. */
  readonly expectedDeleted?: number | undefined;
  /** The set that manages the declared Clients. */
  readonly set?: string | undefined;
  /** Take over Clients that others manage. */
  readonly takeOver: boolean;
}

/** The change of one Client, made or planned. */
export interface AppliedClient {
  readonly client_id: string;
  readonly client_name: string | null;
  readonly action: 'created' | 'updated' | 'deleted';
  /** Where it is declared; absent for deletions. */
  readonly file?: string;
  readonly line?: number;
  /** Whether others managed it before. */
  readonly taken_over?: true;
  /** For updates. */
  readonly changed?: readonly ChangedField[];
  /** For new Clients only; it is never returned again. */
  readonly client_secret?: string;
  /** The new Client has the secret that its declaration contains. */
  readonly client_secret_imported?: true;
}

export interface ApplyReport {
  readonly dry_run: boolean;
  readonly prune: boolean;
  readonly set?: string;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
  /** Changed Clients. */
  readonly clients: readonly AppliedClient[];
}

/** Valid declarations and the current Clients. */
export interface ApplyPlan {
  readonly declarations: readonly Declared[];
  readonly current: ReadonlyMap<string, ClientDocument>;
  readonly warnings: readonly Finding[];
}

type Declared = ValidatedDeclaration & { readonly clientId: string; readonly metadata: ClientMetadata };

/**
 * Validates declarations against what the registry supports, and fetches the current Clients.
 *
 * @throws {CommanderError} with a line for each problem
 * @throws {RegistryError}
 */
export async function planApply(
  registry: RegistryClient,
  files: readonly DeclarationFile[],
): Promise<ApplyPlan> {
  const features = await registry.features();
  const validation = validateDeclarations(files, capabilitiesIn(features), takesSecrets(features));
  const { declarations, warnings } = validation;
  const problems = [...validation.problems, ...declarations.flatMap(missingId)];
  if (problems.length > 0) throw refusal(problems);
  const complete = declarations.filter(isComplete);
  const found = await registry.exportSome(complete.map(({ clientId }) => clientId));
  return {
    declarations: complete,
    current: new Map(found.map((client) => [client.client_id, client])),
    warnings,
  };
}

/**
 * Applies the plan in one transaction, or reports what that would do.
 *
 * @throws {CommanderError} with a line for each problem that only the registry can find
 * @throws {RegistryError}
 */
export async function runPlan(
  registry: RegistryClient,
  plan: ApplyPlan,
  options: ApplyOptions,
): Promise<ApplyReport> {
  const records = plan.declarations.map(({ value }) => JSON.stringify(value));
  const report = await registry.import(records, options).catch((error: unknown) => {
    throw toRefusal(error, plan);
  });
  const deleted = options.dryRun ? deletionsIn(report) : [];
  const gone = await registry.exportSome(deleted);
  const names = new Map(
    [...plan.current.values(), ...gone].map((client) => [client.client_id, nameOf(client)]),
  );
  const clients = report.clients.map((client) => toApplied(client, plan, names));
  const countOf = (action: AppliedClient['action']) =>
    clients.filter((client) => client.action === action).length;
  return {
    dry_run: options.dryRun,
    prune: options.prune,
    ...(options.set !== undefined && { set: options.set }),
    created: countOf('created'),
    updated: countOf('updated'),
    deleted: countOf('deleted'),
    unchanged: report.unchanged,
    clients,
  };
}

function deletionsIn({ clients }: ImportReport): string[] {
  return clients.filter(({ changes }) => changes.includes('deleted')).map(({ client_id: id }) => id);
}

function toApplied(
  { client_id, line, changes, taken_over, client_secret, client_secret_imported }: ImportedClient,
  { declarations, current }: ApplyPlan,
  names: ReadonlyMap<string, string | null>,
): AppliedClient {
  const declared = line === undefined ? undefined : declarations[line - 1];
  if (!declared) return { client_id, client_name: names.get(client_id) ?? null, action: 'deleted' };
  const { metadata, file, value, lineOf } = declared;
  const place = { client_id, client_name: metadata.client_name, file, line: lineOf('') };
  if (changes.includes('registered')) {
    return {
      ...{ ...place, action: 'created' },
      ...(client_secret !== undefined && { client_secret }),
      ...(client_secret_imported === true && { client_secret_imported }),
    };
  }
  const before = current.get(client_id);
  const changed = before ? changedFields(before, metadataFor(before, declared), enabledIn(value)) : [];
  return { ...place, action: 'updated', ...(taken_over === true && { taken_over }), changed };
}

/** The metadata that applying the declaration leaves: an import does not add redirect URIs that it lists as temporary. */
function metadataFor(before: ClientDocument, { metadata, value }: Declared): ClientMetadata {
  const { temporary_redirect_uris } = value as { readonly temporary_redirect_uris?: unknown };
  const known = before['redirect_uris'] as readonly string[];
  return withoutTemporaryUris({ ...metadata, temporary_redirect_uris }, known);
}

/** A violation at `/lines/3/redirect_uris/0` belongs to the third declaration. */
function toRefusal(error: unknown, { declarations }: ApplyPlan): unknown {
  if (!(error instanceof RegistryError) || error.failure !== 'invalid') return error;
  const findings = error.violations.flatMap(({ field, code, message }) => {
    const [, line, pointer = ''] = /^\/lines\/(\d+)(.*)$/s.exec(field) ?? [];
    const declaration = declarations[Number(line) - 1];
    const shown = code === 'managed_by_others' ? withOwnRemedy(message) : message;
    return declaration ? [placeIn(declaration)({ field: pointer, code, message: shown })] : [];
  });
  return findings.length === 0 ? error : refusal(findings, error);
}

/** With the option in place of the API's parameter, whatever the registry's version says about that. */
function withOwnRemedy(message: string): string {
  return `${message.replace(/; [^;"]*$/, '')}; pass --take-over to take it over`;
}

function refusal(problems: readonly Finding[], cause?: unknown): CommanderError {
  const lines = [...problems.map((problem) => findingText(problem)), 'nothing was changed'];
  return new CommanderError('failed', lines, { cause });
}

function missingId({ clientId, file, lineOf, metadata }: ValidatedDeclaration): Finding[] {
  if (clientId !== undefined || !metadata) return [];
  const message = 'client_id is required: without it, each run would register another client';
  return [{ file, line: lineOf(''), field: '/client_id', code: 'required', message }];
}

function isComplete(declaration: ValidatedDeclaration): declaration is Declared {
  return declaration.clientId !== undefined && declaration.metadata !== undefined;
}

export function capabilitiesIn(features: unknown): ReturnType<typeof readCapabilities> {
  try {
    return readCapabilities(features);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommanderError('failed', `the registry and svccmd have different versions: ${error.message}`, {
      cause: error,
    });
  }
}

function enabledIn(value: unknown): boolean | undefined {
  const { enabled } = value as { readonly enabled?: unknown };
  return typeof enabled === 'boolean' ? enabled : undefined;
}

function nameOf({ client_name: name }: ClientDocument): string | null {
  return typeof name === 'string' ? name : null;
}

/** A changed field. An absent value is null. */
export interface ChangedField {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * The fields of a Client that a declaration changes.
 *
 * @param after complete, with defaults
 * @param enabled as declared; undefined to leave it unchanged
 */
export function changedFields(
  before: ClientDocument,
  after: ClientMetadata,
  enabled: boolean | undefined,
): ChangedField[] {
  const wanted = new Map<string, unknown>(Object.entries(after));
  const names = metadataNames({ ...before, ...after });
  const fields = names.map((field) => ({
    field,
    before: before[field] ?? null,
    after: wanted.get(field) ?? null,
  }));
  const isEnabled = before['enabled'] ?? true;
  const all = [...fields, { field: 'enabled', before: isEnabled, after: enabled ?? isEnabled }];
  return all.filter((each) => !isDeepStrictEqual(each.before, each.after));
}
