import type { ClientSelector } from '@svc/client-metadata';
import type { StoredClient } from '../stored-client.js';

/** Which Clients a list, a total or an export covers. All conditions must hold. */
export interface ClientFilter {
  /** The Clients that the caller reaches. */
  readonly selector: ClientSelector;
  readonly clientIds?: readonly string[];
  /** Words, each of which must be found in the name, the client_id, or host and path of a URI. */
  readonly q?: string;
  /** Occurs in the host of a redirect URI. */
  readonly host?: string;
  readonly enabled?: boolean;
  /** Whether it waits for an administrator to enable it. */
  readonly pending?: boolean;
  readonly hasWarnings?: boolean;
  /** The code of a warning. */
  readonly warning?: string;
  /** Values of filterable metadata fields; a list field must contain the value. */
  readonly metadata: readonly MetadataFilter[];
  readonly labels?: readonly LabelFilter[];
  /** What manages it. */
  readonly managedBy?: string;
  /** Inclusive. */
  readonly createdSince?: Date;
  readonly updatedSince?: Date;
  /** It authenticates itself and has a valid secret that expires within this many days. */
  readonly secretExpiresWithin?: number;
  /** Whether it authenticates itself and has a valid secret that has never passed a check. */
  readonly secretNeverUsed?: boolean;
  /** Not used since this time, and registered before it. */
  readonly lastUsedBefore?: Date;
  /** Whether it was never used. */
  readonly neverUsed?: boolean;
  /** A request or a secret of it was refused at this time or later. */
  readonly refusedSince?: Date;
}

export interface MetadataFilter {
  readonly field: string;
  readonly type: 'string' | 'string[]' | 'boolean';
  readonly value: string;
}

/** A Client that has a label, with this value or any. */
export interface LabelFilter {
  readonly key: string;
  readonly value?: string | undefined;
  /** Only Clients that do not have it. */
  readonly isExcluded: boolean;
}

/** What a list can be sorted by, and in which column it is stored. */
const SORT_COLUMNS = {
  client_name: 'name_key',
  client_id: 'client_id',
  created_at: 'created_at',
  updated_at: 'updated_at',
} as const;

type SortKey = keyof typeof SORT_COLUMNS;

/** A leading minus: descending. */
export type Sort = SortKey | `-${SortKey}`;

export const SORTS: readonly Sort[] = (Object.keys(SORT_COLUMNS) as SortKey[]).flatMap((key): Sort[] => [
  key,
  `-${key}`,
]);

/** A total order of Clients: equal keys are ordered by client_id, in the same direction. */
export interface ClientOrder {
  readonly column: (typeof SORT_COLUMNS)[SortKey];
  readonly direction: 'ASC' | 'DESC';
  readonly isTime: boolean;
}

export function orderOf(sort: Sort): ClientOrder {
  const isDescending = sort.startsWith('-');
  const column = SORT_COLUMNS[(isDescending ? sort.slice(1) : sort) as SortKey];
  return {
    column,
    direction: isDescending ? 'DESC' : 'ASC',
    isTime: column === 'created_at' || column === 'updated_at',
  };
}

/** Where a page ends: its last Client. */
export interface ListPosition {
  /** The value sorted by: a text, or milliseconds since 1970. */
  readonly key: string | number;
  readonly clientId: string;
}

export interface PageRequest {
  readonly filter: ClientFilter;
  readonly order: ClientOrder;
  readonly limit: number;
  /** Id of the caller, which takes turns with others. */
  readonly owner?: string;
  /** Where the previous page ended. */
  readonly after?: ListPosition | undefined;
}

/** A Client and its position in the list. */
export interface FoundClient {
  readonly client: StoredClient;
  readonly position: ListPosition;
}
