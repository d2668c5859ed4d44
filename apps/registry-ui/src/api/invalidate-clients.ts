import type { QueryClient } from '@tanstack/react-query';
import { LISTS } from './client-lists.js';

/** What tells of Clients beside themselves and the lists of them. */
const DEPENDENT_QUERIES = [
  'client-search',
  'secrets',
  'history',
  'stats',
  'recent-changes',
  'cookie-entrypoints',
] as const;

/** So long the registry keeps what it counted: what it answers before may lack the change. */
const STATS_CACHE_MS = 10_500;

let recount: ReturnType<typeof setTimeout> | undefined;

/** After a change of Clients: the lists, and whatever else tells of them, are asked for anew. */
export function invalidateClients(queries: QueryClient): void {
  void queries.invalidateQueries(LISTS);
  invalidateDependents(queries);
}

/** The same, where the lists show the change already. */
export function invalidateDependents(queries: QueryClient): void {
  for (const name of DEPENDENT_QUERIES) void queries.invalidateQueries({ queryKey: [name] });
  clearTimeout(recount);
  recount = setTimeout(() => void queries.invalidateQueries({ queryKey: ['stats'] }), STATS_CACHE_MS);
}
