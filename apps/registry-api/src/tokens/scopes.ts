/** What a token may be allowed to do. */
export const SCOPES = [
  'clients:read',
  'clients:write',
  // Imports client secrets, besides `clients:write`.
  'clients:import_secrets',
  'clients:check',
  // Reads Clients and their changes, but not who made them: for authorization servers. `clients:read` includes it.
  'clients:follow',
  // What makes an API token an initial access token (RFC 7591 section 1.2).
  'clients:register',
  'tokens:write',
  'metrics:read',
  'audit:read',
] as const;

export type Scope = (typeof SCOPES)[number];

/** These scopes show data of all Clients: a token that reaches only some cannot have them. */
export const UNDIVIDED_SCOPES: readonly Scope[] = ['metrics:read', 'audit:read'];

/** Whether the scopes include a scope, by name or by implication. */
export function holdsScope(scopes: readonly string[], scope: Scope): boolean {
  return scopes.includes(scope) || (scope === 'clients:follow' && scopes.includes('clients:read'));
}
