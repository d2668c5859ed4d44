import { askBody } from '../api/request.js';

export type BulkAction = 'enable' | 'disable' | 'delete';

/** What became of one operation. */
export interface BulkResult {
  readonly client_id: string;
  readonly status: number;
  /** Whether anything changed; absent when it failed. */
  readonly changed?: boolean;
  readonly problem?: { readonly detail: string };
}

/** What `POST /clients/bulk` answers with. */
export interface BulkAnswer {
  readonly succeeded: number;
  readonly failed: number;
  readonly results: readonly BulkResult[];
}

/** Does the same to many Clients; one that cannot be changed does not keep the others. @throws {ApiError} */
export async function changeMany(action: BulkAction, clientIds: readonly string[]): Promise<BulkAnswer> {
  const operations = clientIds.map((client_id) => ({ op: action, client_id }));
  return askBody<BulkAnswer>({ method: 'POST', path: '/clients/bulk', body: { atomic: false, operations } });
}

/** Those that the operations changed. */
export function changedIn({ results }: BulkAnswer): string[] {
  return results.filter(({ changed }) => changed === true).map(({ client_id }) => client_id);
}
