import type { Query } from '@svc/registry-contract';
import type { RegistryRequest } from './transport.js';

/** The query parameters of `GET /client`. */
export type ListQuery = Pick<Query<'/client', 'GET'>, 'q' | 'enabled' | 'pending' | 'label' | 'cursor'> & {
  /** The registry refuses a field that it cannot sort by. */
  readonly sort?: string | undefined;
  readonly limit: number;
};

/** The query parameters of `GET /clients/recommendations`; the registry refuses what it does not know. */
export interface RecommendationQuery {
  readonly kind: readonly string[];
  readonly label: readonly string[];
  readonly days?: string | undefined;
  readonly cursor?: string | undefined;
}

/** How to import. */
export interface ImportFlags {
  /** Only report what would be done. */
  readonly dryRun: boolean;
  /** Delete the Clients of the set that are not imported. */
  readonly prune: boolean;
  /** How many Clients must be deleted; otherwise nothing is changed. */
  readonly expectedDeleted?: number | undefined;
  /** The set that the Clients belong to. */
  readonly set?: string | undefined;
  /** Take over Clients that others manage. */
  readonly takeOver?: boolean;
}

const MEBIBYTE = 1024 * 1024;

/** For a page, a Client or the features. */
const MAX_RESPONSE_BYTES = 32 * MEBIBYTE;

/** Enough for the report of importing 250,000 Clients. */
const MAX_REPORT_BYTES = 96 * MEBIBYTE;

/** In milliseconds. Importing 100,000 Clients takes a minute or two, during which the registry sends nothing. */
const IMPORT_IDLE_MS = 900_000;

/** Keeps the request line well below the 16 KiB that servers commonly accept. */
const MAX_QUERY_LENGTH = 6_000;

export function get(path: string): RegistryRequest {
  return { method: 'GET', path, maxBytes: MAX_RESPONSE_BYTES };
}

export function post(path: string, document: unknown): RegistryRequest {
  const body = { type: 'application/json', content: JSON.stringify(document) };
  return { method: 'POST', path, changes: true, body, maxBytes: MAX_RESPONSE_BYTES };
}

export function redirectUrisOf(clientId: string): string {
  return `client/${encodeURIComponent(clientId)}/redirect_uris`;
}

/** A query string: one parameter for each value; undefined ones are left out. */
export function queryOf(
  values: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const each of [value].flat()) if (each !== undefined) query.append(name, String(each));
  }
  return query.toString();
}

/** @param records one JSON document each */
export function importOf(
  records: readonly string[],
  { dryRun, prune, expectedDeleted, set, takeOver = false }: ImportFlags,
): RegistryRequest {
  const query = queryOf({
    ...{ dry_run: dryRun, prune, expected_deleted: expectedDeleted },
    ...{ set, take_over: takeOver || undefined },
  });
  return {
    method: 'POST',
    path: `clients/import?${query}`,
    changes: !dryRun,
    body: { type: 'application/x-ndjson', content: records.join('\n') },
    idleTimeoutMs: IMPORT_IDLE_MS,
    maxBytes: MAX_REPORT_BYTES,
  };
}

/** Splits the ids into query strings of bounded length. */
export function* exportQueries(clientIds: readonly string[]): Generator<string, void> {
  let query = '';
  for (const clientId of clientIds) {
    const parameter = `client_id=${encodeURIComponent(clientId)}`;
    if (query !== '' && query.length + parameter.length > MAX_QUERY_LENGTH) {
      yield query;
      query = '';
    }
    query += `${query === '' ? '' : '&'}${parameter}`;
  }
  if (query !== '') yield query;
}
