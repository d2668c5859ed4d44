import type { Schema } from '@svc/registry-contract';

/** A deleted client that can be restored. */
export type DeletedClient = Schema<'DeletedClientDocument'>;

/** Clients that one request deleted. */
export interface Deletion {
  readonly key: string;
  readonly at: string;
  readonly by: string;
  readonly clients: readonly DeletedClient[];
}

/** Clients that were deleted by one request: same time, same token. */
export function deletionsIn(clients: readonly DeletedClient[]): Deletion[] {
  const groups = new Map<string, DeletedClient[]>();
  for (const client of clients) {
    const key = `${client.deleted_at} ${client.deleted_by.id}`;
    const group = groups.get(key);
    if (group) group.push(client);
    else groups.set(key, [client]);
  }
  return [...groups].flatMap(([key, group]) => {
    const [first] = group;
    return first ? [{ key, at: first.deleted_at, by: first.deleted_by.name, clients: group }] : [];
  });
}
