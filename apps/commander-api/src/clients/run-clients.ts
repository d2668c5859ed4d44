import type { ClientDocument, RegistryClient } from '@svc/registry-client';
import type { CommandContext } from '../command-line/command-context.js';
import { CommanderError } from '../errors/commander-error.js';
import { confirm } from '../command-line/confirm.js';
import { counted } from '../command-line/text.js';
import { textTable } from '../command-line/text-table.js';
import { type DeclarationFormat, formatDeclarations, toDeclaration, toYaml } from './format-declarations.js';
import { withRegistry } from './open-registry.js';
import { withSecretsFile } from './print-secrets.js';

export interface ListFlags {
  readonly search?: string;
  readonly enabled?: true;
  readonly disabled?: true;
  readonly pending?: true;
  readonly label?: readonly string[];
  readonly sort?: string;
  readonly limit: number;
}

/** The registry's page size. */
const PAGE = 500;

export async function list(context: CommandContext, flags: ListFlags): Promise<void> {
  const { clients, more } = await withRegistry(context, async (registry) => readList(registry, flags));
  context.answer({ text: clientTable(clients), value: { clients, more } });
  if (more)
    context.note(
      `the registry has more than these ${clients.length}; raise --limit, or narrow the list with --search`,
    );
}

async function readList(
  registry: RegistryClient,
  { search, enabled, disabled, pending, label, sort, limit }: ListFlags,
): Promise<{ clients: ClientDocument[]; more: boolean }> {
  const state = { enabled: enabled ?? (disabled ? false : undefined), pending };
  const filter = { q: search, ...state, ...(label && { label: [...label] }), sort };
  const clients: ClientDocument[] = [];
  let cursor: string | undefined;
  do {
    const page = await registry.list({ ...filter, limit: Math.min(PAGE, limit - clients.length), cursor });
    clients.push(...page.clients);
    cursor = page.next;
  } while (cursor !== undefined && clients.length < limit);
  return { clients, more: cursor !== undefined };
}

export async function get(context: CommandContext, clientId: string): Promise<void> {
  const { client } = await withRegistry(context, async (registry) => registry.get(clientId));
  context.answer({ text: toYaml(client), value: client });
}

/** @param clientIds all Clients if empty */
export async function exportDeclarations(
  context: CommandContext,
  clientIds: readonly string[],
  format: DeclarationFormat,
): Promise<void> {
  const ids = [...new Set(clientIds)];
  const clients = await withRegistry(context, async (registry) =>
    ids.length === 0 ? registry.exportAll() : registry.exportSome(ids),
  );
  const found = new Set(clients.map(({ client_id: id }) => id));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0) {
    throw new CommanderError(
      'failed',
      missing.map((id) => `the registry has no client '${id}'`),
    );
  }
  const now = Date.now();
  const declarations = clients.map((client) => toDeclaration(client, now));
  context.answer({ text: formatDeclarations(declarations, format), value: declarations, raw: true });
}

/** The registry's limit for one deletion. */
const MAX_DELETIONS = 1_000;

export async function deleteClients(
  context: CommandContext,
  clientIds: readonly string[],
  given: boolean,
): Promise<void> {
  const ids = [...new Set(clientIds)];
  if (ids.length > MAX_DELETIONS)
    throw new CommanderError('failed', `a single command deletes at most ${MAX_DELETIONS} clients`);
  await withRegistry(context, async (registry) => {
    const clients = [];
    for (const id of ids) clients.push(await registry.get(id));
    const names = clients.map(({ client }) => `${client.client_id} (${String(client['client_name'])})`);
    const question = `delete ${counted(ids.length, 'client')}: ${names.join(', ')}`;
    await confirm(context, { question, given });
    await registry.delete(clients);
    context.answer({ text: `deleted ${names.join(', ')}`, value: { deleted: ids } });
  });
}

export interface RotateFlags {
  readonly overlap?: string;
  readonly yes?: true;
  readonly secretsTo?: string;
}

export async function rotateSecret(
  context: CommandContext,
  clientId: string,
  { overlap, yes, secretsTo }: RotateFlags,
): Promise<void> {
  await withRegistry(context, async (registry) => {
    const question = `create a new secret for ${clientId} and revoke the current one immediately (--overlap keeps it for a while)`;
    await confirm(context, { question, given: yes === true || overlap !== undefined });
    const rotated = await withSecretsFile(
      secretsTo,
      async () => registry.rotateSecret(clientId, overlap),
      ({ client_id, client_secret }) => [{ client_id, client_secret }],
    );
    const rotation = { client_id: rotated.client_id, client_secrets: rotated['client_secrets'] };
    if (secretsTo === undefined) {
      const { client_secret } = rotated;
      context.answer({ text: `${client_secret}\n`, value: { ...rotation, client_secret }, raw: true });
    } else {
      context.answer({ text: `wrote the new secret for ${clientId} to ${secretsTo}`, value: rotation });
    }
  });
}

const COLUMNS = ['client_id', 'client_name', 'state', 'updated_at'] as const;

/** A table of Clients. */
function clientTable(clients: readonly ClientDocument[]): string {
  if (clients.length === 0) return 'no clients';
  return textTable([COLUMNS.map((name) => name.toUpperCase()), ...clients.map(rowOf)]);
}

function rowOf(client: ClientDocument): string[] {
  const warnings = Array.isArray(client['warnings']) ? client['warnings'].length : 0;
  const state = stateOf(client) ?? (warnings > 0 ? `warnings: ${warnings}` : 'enabled');
  return [client.client_id, client['client_name'], state, client['updated_at']].map(String);
}

/** @returns undefined for an enabled Client */
function stateOf(client: ClientDocument): string | undefined {
  if (client['pending'] === true) return 'pending';
  return client['enabled'] === false ? 'disabled' : undefined;
}
