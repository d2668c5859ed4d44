import { queryOptions } from '@tanstack/react-query';
import type { Schema } from '@svc/registry-contract';
import type { TextName } from '../texts/tokens.js';
import { fetchBody } from '../api/request.js';

export type TokenDocument = Schema<'Token'>;

/** A new token. Only this response contains its value, unless an earlier attempt already received it. */
export type CreatedToken = Schema<'CreatedToken'>;

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

/** Creates a token once, no matter how often the same body is sent with the same key. @throws {ApiError} */
export async function createToken(body: NewToken, idempotencyKey: string): Promise<CreatedToken> {
  return fetchBody({
    method: 'POST',
    path: '/token',
    body,
    headers: { 'idempotency-key': idempotencyKey },
  });
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
