import { queryOptions, useQuery } from '@tanstack/react-query';
import { fetchBody } from './request.js';

/** Requested again when the session's token changes; the scopes of a token never do. */
export const ownTokenQuery = queryOptions({
  queryKey: ['own-token'],
  queryFn: async ({ signal }) => fetchBody({ path: '/token/self', signal }),
  staleTime: Infinity,
});

/** Tests whether the token lacks a scope; `false` while unknown, since the registry decides. */
export function useScopeCheck(): (scope: string) => boolean {
  const { data } = useQuery(ownTokenQuery);
  return (scope) => data !== undefined && !data.scopes.includes(scope);
}

export function useLacksScope(scope: string): boolean {
  return useScopeCheck()(scope);
}
