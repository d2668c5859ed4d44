/** What a token may be allowed to do. */
export const SCOPES = [
  'clients:read',
  'clients:write',
  'clients:check',
  // What makes an API token an initial access token (RFC 7591 section 1.2).
  'clients:register',
  'tokens:write',
  'metrics:read',
] as const;

export type Scope = (typeof SCOPES)[number];
