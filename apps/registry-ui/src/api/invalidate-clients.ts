import type { QueryClient } from '@tanstack/react-query';
import { LISTS } from './client-lists.js';

/** Queries derived from clients, apart from the clients and lists themselves. */
const DEPENDENT_QUERIES = [
  'client-search',
  'secrets',
  'history',
  'deleted-clients',
  'stats',
  'recent-changes',
  'cookie-entrypoints',
  'recommendations',
  'usage',
] as const;

/** The registry caches statistics for 10 s, so an earlier response may miss the change. */
const STATS_CACHE_MS = 10_500;

let recount: ReturnType<typeof setTimeout> | undefined;

/** Invalidates lists and everything derived from clients after a change. */
export function invalidateClients(queries: QueryClient): void {
  void queries.invalidateQueries(LISTS);
  invalidateDependents(queries);
}

/** The same, if the lists already show the change. */
export function invalidateDependents(queries: QueryClient): void {
  for (const name of DEPENDENT_QUERIES) void queries.invalidateQueries({ queryKey: [name] });
  clearTimeout(recount);
  recount = setTimeout(() => void queries.invalidateQueries({ queryKey: ['stats'] }), STATS_CACHE_MS);
}
