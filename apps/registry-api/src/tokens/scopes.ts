/** What a token may be allowed to do. */
export const SCOPES = [
  'clients:read',
  'clients:write',
  'clients:check',
  'tokens:write',
  'metrics:read',
] as const;

export type Scope = (typeof SCOPES)[number];
