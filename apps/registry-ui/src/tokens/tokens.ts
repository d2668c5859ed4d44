import { queryOptions } from '@tanstack/react-query';
import type { TextName } from '../texts/text.js';
import { fetchBody } from '../api/request.js';

/** An API token as listed by `GET /token`, without its value. */
export interface TokenDocument {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  /** The id of the creating token, `oidc:` and a subject, or `shell`; absent for the first token. */
  readonly created_by?: string;
  /** Null: never. */
  readonly expires_at: string | null;
  /** Null: never. */
  readonly last_used_at: string | null;
}

/** A new token; only this response contains its value. */
export type CreatedToken = TokenDocument & { readonly token: string };

export interface NewToken {
  readonly name: string;
  readonly scopes: readonly string[];
  /** A number and a unit, such as `90 d`; if omitted, the token never expires. */
  readonly expires_in?: string;
}

/** The scopes that a token can have. */
export const SCOPES: readonly { readonly scope: string; readonly what: TextName }[] = [
  { scope: 'clients:read', what: 'scope.clients:read' },
  { scope: 'clients:write', what: 'scope.clients:write' },
  { scope: 'clients:check', what: 'scope.clients:check' },
  { scope: 'clients:register', what: 'scope.clients:register' },
  { scope: 'tokens:write', what: 'scope.tokens:write' },
  { scope: 'metrics:read', what: 'scope.metrics:read' },
];

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: async ({ signal }) => {
    const { tokens } = await fetchBody<{ tokens: readonly TokenDocument[] }>({ path: '/token', signal });
    return tokens;
  },
});

/** @throws {ApiError} */
export async function createToken(body: NewToken): Promise<CreatedToken> {
  return fetchBody<CreatedToken>({ method: 'POST', path: '/token', body });
}

/** Active tokens created with a token, directly or through others. */
export const descendantsQuery = (id: string) =>
  queryOptions({
    queryKey: ['token-descendants', id],
    queryFn: async ({ signal }) => {
      const { descendants } = await fetchBody<{ readonly descendants: readonly TokenDocument[] }>({
        path: tokenPath(id),
        signal,
      });
      return descendants;
    },
    // Always refetched: another may have been created.
    staleTime: 0,
    gcTime: 0,
  });

/** Revokes a token, alone or with its descendants. @returns all revoked tokens @throws {ApiError} */
export async function revokeToken(id: string, withDescendants: boolean): Promise<readonly TokenDocument[]> {
  const { revoked } = await fetchBody<{ readonly revoked: readonly TokenDocument[] }>({
    method: 'DELETE',
    path: tokenPath(id),
    query: { descendants: withDescendants ? 'revoke' : undefined },
  });
  return revoked;
}

function tokenPath(id: string): string {
  return `/token/${encodeURIComponent(id)}`;
}
