import type { Schema } from '@svc/registry-contract';

export type Recommendation = Schema<'RecommendationDocument'>;
export type BulkOperation = Schema<'BulkOperationBody'>;
export type BulkAnswer = Schema<'BulkAnswer'>;

/** A client's chosen recommendations as one operation. */
export interface ClientChange {
  readonly clientId: string;
  readonly name: string;
  readonly operation: BulkOperation;
  /** What undoes it; absent after disabling. */
  readonly replaces?: Readonly<Record<string, unknown>>;
}

export function keyOf({ client_id: id, kind }: Recommendation): string {
  return `${id} ${kind}`;
}

/** Bulk requests change no secrets. */
export function isBulkable({ kind }: Recommendation): boolean {
  return kind !== 'retire_secrets';
}

/** One change for each client: recommendations of the same client agree. A disabled client is changed no further. */
export function toChanges(chosen: readonly Recommendation[]): ClientChange[] {
  const changes = new Map<string, ClientChange>();
  for (const each of chosen.filter(isBulkable)) {
    const known = changes.get(each.client_id);
    if (known?.operation.op === 'disable') continue;
    changes.set(each.client_id, toChange(each, known));
  }
  return [...changes.values()];
}

function toChange(
  { client_id: clientId, client_name: name, etag, request }: Recommendation,
  known: ClientChange | undefined,
): ClientChange {
  const common = { client_id: clientId, if_match: etag };
  if (request.method === 'POST') return { clientId, name, operation: { op: 'disable', ...common } };
  const patch = { ...known?.operation.patch, ...request.body };
  const replaces = { ...known?.replaces, ...request.replaces };
  return { clientId, name, operation: { op: 'update', ...common, patch }, replaces };
}

/** Reverts the changes that were made, unless a client has changed since. */
export function toUndo(changes: readonly ClientChange[], { results }: BulkAnswer): BulkOperation[] {
  return changes.flatMap(({ clientId, replaces }, index): BulkOperation[] => {
    const { changed, etag } = results[index] ?? {};
    if (changed !== true || etag === undefined) return [];
    const common = { client_id: clientId, if_match: etag };
    return [replaces ? { op: 'update', ...common, patch: replaces } : { op: 'enable', ...common }];
  });
}
