/** Why fields are not imported. */
export const REASONS = {
  unknown: 'this importer does not know it',
  secret: 'secrets are not imported',
  masked: 'the export does not contain it, only a placeholder',
  expiry: 'its expiry cannot be read, so it is not imported',
  noField: 'the registry has no such field',
  keys: 'the registry has no such keys of clients',
  logout: 'the registry has no such logout addresses',
  origins: 'the registry has no origins for CORS; your authorization server allows them',
  tokens: 'tokens are configured in your authorization server',
  consent: 'consent is configured in your authorization server',
  scopes: 'scopes are configured in your authorization server',
  emptyScope: 'empty, which allows no scope there but every scope here; add a scope to the declaration',
  login: 'login is configured in your authorization server',
  access: 'access of users is configured in your authorization server',
  pattern: 'a pattern; register each redirect URI with its full path',
  unusedResponse: 'without the grant type authorization_code, the client cannot request it',
} as const;

/** Why a field that configuration could enable is not imported. */
export function notConfigured(field: string): string {
  return `the registry supports ${field} only if its configuration lists it`;
}
