import { queryOptions, useQuery } from '@tanstack/react-query';
import { fetchBody } from './request.js';

/** What `GET /token/self` tells of the session's token. */
interface OwnToken {
  readonly name: string;
  readonly scopes: readonly string[];
}

/** Asked for anew when the session gets another token; the scopes of one never change. */
export const ownTokenQuery = queryOptions({
  queryKey: ['own-token'],
  queryFn: async ({ signal }) => fetchBody<OwnToken>({ path: '/token/self', signal }),
  staleTime: Infinity,
});

/** Tells whether the session's token lacks a scope; no while that is not known, since the registry has the last word. */
export function useScopeCheck(): (scope: string) => boolean {
  const { data } = useQuery(ownTokenQuery);
  return (scope) => data !== undefined && !data.scopes.includes(scope);
}

/** Whether the session's token lacks a scope. */
export function useLacksScope(scope: string): boolean {
  return useScopeCheck()(scope);
}
