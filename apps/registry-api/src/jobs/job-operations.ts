import { isDeepStrictEqual } from 'node:util';
import {
  type Capabilities,
  type ClientMetadata,
  fieldNamed,
  quote,
  warningFix,
  warningsOf,
} from '@svc/client-metadata';
import type { BulkOperation } from '../bulk/bulk-request.js';
import { positionIn } from '../clients/change-position.js';
import type { ChangeKind } from '../clients/client-change.entity.js';
import type { StoredClient } from '../clients/stored-client.js';
import { PreparedStatement } from '../database/prepared-statement.js';
import type { Transaction } from '../database/transaction.js';
import { RegistryError } from '../errors/registry-error.js';
import { toEntityTag } from '../http/conditional-requests.js';
import type { ClientJobItem } from './client-job.entity.js';
import type { StoredJob } from './job-statements.js';

/** An operation of a bulk request, or one that bulk requests do not offer. */
export type JobOperation = BulkOperation | ({ readonly op: 'restore' } & OnItem);

interface UndoneChange {
  readonly clientId: string;
  readonly kind: ChangeKind;
  readonly before: Metadata | null;
  readonly after: Metadata | null;
}

type Metadata = ClientMetadata & { readonly temporary_redirect_uris?: readonly { redirect_uri: string }[] };

/** `$1` client_ids `$2` the positions of their changes */
const CHANGES = new PreparedStatement<UndoneChange>(
  'client_job_undone_changes',
  `SELECT ch.client_id AS "clientId", ch.kind, ch.before, ch.after
   FROM unnest($1::text[], $2::text[]) AS g(client_id, revision)
   JOIN client_change ch ON ch.client_id = g.client_id AND ${positionIn('ch')} = g.revision`,
);

/**
 * The operations that undo each of these changes; undefined if the history no longer has it.
 *
 * @param isApproval whether the job enabled Clients that awaited approval
 */
export async function undoOperations(
  items: readonly ClientJobItem[],
  isApproval: boolean,
  transaction: Transaction,
): Promise<(JobOperation | undefined)[]> {
  const positions = items.map(({ revision }) => revision);
  const rows = await CHANGES.run(transaction, [items.map(({ clientId }) => clientId), positions]);
  const changes = new Map(rows.map((row) => [row.clientId, row]));
  return items.map((item) => {
    const change = changes.get(item.clientId);
    return change && undoing(change, on(item), isApproval);
  });
}

function undoing(change: UndoneChange, common: OnItem, isApproval: boolean): JobOperation | undefined {
  switch (change.kind) {
    case 'enabled':
      return { op: 'disable', ...common, ...(isApproval && { pending: true }) };
    case 'disabled':
      return { op: 'enable', ...common };
    case 'updated':
      return { op: 'update', ...common, patch: formerMembers(change.before, change.after) };
    case 'deleted':
      return { op: 'restore', ...common };
    case 'restored':
      return { op: 'delete', ...common };
    // Jobs never make these changes.
    case 'registered':
    case 'secret_rotated':
    case 'secret_expiring':
      return undefined;
  }
}

/** The patch that restores former values. Temporary redirect URIs would become permanent, so they are not restored. */
function formerMembers(before: Metadata | null, after: Metadata | null): Record<string, unknown> {
  const { temporary_redirect_uris: ended = [], ...former } = { ...before };
  const { temporary_redirect_uris: _, ...current } = { ...after };
  const names = new Set([...Object.keys(former), ...Object.keys(current)]) as Set<keyof typeof former>;
  const patch = [...names]
    .filter((name) => name !== ('managed_by' as string) && !isDeepStrictEqual(former[name], current[name]))
    .map((name) => [name, formerValue(name, former[name], current[name])]);
  const members = Object.fromEntries(patch) as Record<string, unknown>;
  if (!Array.isArray(members['redirect_uris'])) return members;
  const temporary = new Set(ended.map(({ redirect_uri: uri }) => uri));
  return { ...members, redirect_uris: members['redirect_uris'].filter((uri: string) => !temporary.has(uri)) };
}

/** A patch merges maps, so entries that are to go must be named. */
function formerValue(name: string, former: unknown, current: unknown): unknown {
  if (former === undefined || fieldNamed(name)?.type !== 'map') return former ?? null;
  const none = Object.fromEntries(Object.keys(current ?? {}).map((key) => [key, null]));
  return { ...none, ...(former as object) };
}

interface OnItem {
  readonly client_id: string;
  readonly if_match: string;
}

/** The operation of a job on one Client as it is now. @throws {RegistryError} `warning_not_fixable` */
export function operationOn(
  { action, patch, warning }: StoredJob,
  item: ClientJobItem,
  client: StoredClient | undefined,
  capabilities: Capabilities,
): BulkOperation {
  const common = on(item);
  switch (action) {
    case 'enable':
    case 'disable':
    case 'delete':
      return { op: action, ...common };
    case 'patch':
      return { op: 'update', ...common, patch };
    case 'fix':
      return { op: 'update', ...common, patch: client ? fixOf(warning ?? '', client, capabilities) : {} };
    case 'undo':
      throw new Error('an undo has operations of its own');
  }
}

/** Empty where the warning is already gone. */
function fixOf(code: string, { metadata }: StoredClient, capabilities: Capabilities): object {
  const isWarned = (client: ClientMetadata) =>
    warningsOf(client, capabilities).some((warning) => warning.code === code);
  if (!isWarned(metadata)) return {};
  const fix = warningFix(code, { ...metadata });
  if (fix && !isWarned({ ...metadata, ...fix })) return fix;
  throw new RegistryError('warning_not_fixable', `no single change resolves the warning ${quote(code)} here`);
}

function on({ clientId, revision }: ClientJobItem): OnItem {
  return { client_id: clientId, if_match: toEntityTag(revision ?? '') };
}
