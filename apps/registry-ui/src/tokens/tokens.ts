import { queryOptions } from '@tanstack/react-query';
import type { Schema } from '@svc/registry-contract';
import type { TextName } from '../texts/tokens.js';
import { fetchBody } from '../api/request.js';

export type TokenDocument = Schema<'Token'>;

/** A new token; only this response contains its value, and without an Idempotency-Key it always does. */
export type CreatedToken = Schema<'CreatedToken'> & { readonly token: string };

export type NewToken = Schema<'CreateTokenBody'>;

/** The scopes that a token can have. */
export const SCOPES: readonly {
  readonly scope: NewToken['scopes'][number];
  readonly what: TextName;
}[] = [
  { scope: 'clients:read', what: 'scope.clients:read' },
  { scope: 'clients:write', what: 'scope.clients:write' },
  { scope: 'clients:import_secrets', what: 'scope.clients:import_secrets' },
  { scope: 'clients:check', what: 'scope.clients:check' },
  { scope: 'clients:follow', what: 'scope.clients:follow' },
  { scope: 'clients:register', what: 'scope.clients:register' },
  { scope: 'tokens:write', what: 'scope.tokens:write' },
  { scope: 'metrics:read', what: 'scope.metrics:read' },
  { scope: 'audit:read', what: 'scope.audit:read' },
];

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: async ({ signal }) => {
    const { tokens } = await fetchBody({ path: '/token', signal });
    return tokens;
  },
});

/** @throws {ApiError} */
export async function createToken(body: NewToken): Promise<CreatedToken> {
  return (await fetchBody({ method: 'POST', path: '/token', body })) as CreatedToken;
}

/** Active tokens created with a token, directly or through others. */
export const descendantsQuery = (id: string) =>
  queryOptions({
    queryKey: ['token-descendants', id],
    queryFn: async ({ signal }) => {
      const { descendants } = await fetchBody({ path: '/token/{id}', params: { id }, signal });
      return descendants;
    },
    // Always refetched: another may have been created.
    staleTime: 0,
    gcTime: 0,
  });

/** Revokes a token, alone or with its descendants. @returns all revoked tokens @throws {ApiError} */
export async function revokeToken(id: string, withDescendants: boolean): Promise<readonly TokenDocument[]> {
  const { revoked } = await fetchBody({
    method: 'DELETE',
    path: '/token/{id}',
    params: { id },
    query: { descendants: withDescendants ? 'revoke' : undefined },
  });
  return revoked;
}
