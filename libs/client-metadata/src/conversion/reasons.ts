/** Why fields are not imported. */
export const REASONS = {
  unknown: 'not recognised by this importer',
  secret: 'secrets are not imported',
  masked: 'the export does not contain it, only a placeholder',
  expiry: 'its expiry cannot be read, so it is not imported',
  noField: 'the registry has no such field',
  keys: 'the registry does not store this kind of client key',
  logout: 'the registry does not support this logout setting',
  origins: 'the registry does not manage CORS origins; configure them in your authorization server',
  tokens: 'tokens are configured in your authorization server',
  consent: 'consent is configured in your authorization server',
  scopes: 'scopes are configured in your authorization server',
  emptyScope: 'empty, which allows no scope there but every scope here; add a scope to the declaration',
  login: 'sign-in is configured in your authorization server',
  access: 'user access is configured in your authorization server',
  pattern: 'a pattern; register each redirect URI with its full path',
  unusedResponse: 'without the grant type authorization_code, the client cannot request it',
} as const;

/** Why a field that configuration could enable is not imported. */
export function notConfigured(field: string): string {
  return `the registry supports ${field} only if its configuration lists it`;
}
