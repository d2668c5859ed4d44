import { isJsonObject, type RuleViolation, type Violation } from '@svc/foundation';

/** What a record may contain of a Client's secret, where the registry allows it; the registry alone validates it. */
export const IMPORTED_SECRET_FIELDS: readonly string[] = ['client_secret', 'client_secret_hash'];

/**
 * The violation of a field that is not stored as metadata. Some decide what is: which redirect URIs are left out, and whether
 * the Client is enabled.
 */
export function carriedFieldViolation(name: string, value: unknown): RuleViolation | undefined {
  if (value == null) return undefined;
  if (name === 'enabled' && typeof value !== 'boolean')
    return { code: 'type', message: 'enabled must be true or false' };
  if (name === 'temporary_redirect_uris' && !(Array.isArray(value) && value.every(hasRedirectUri)))
    return { code: 'type', message: `${name} must be an array of objects with a redirect_uri` };
  return undefined;
}

/**
 * The violation of the expiry of a secret that a record brings, which is in seconds since 1970; 0 or absent: never (RFC 7591
 * section 3.2.1).
 */
export function secretExpiryViolation(value: unknown): Violation | undefined {
  if (value == null || (typeof value === 'number' && value >= 0)) return undefined;
  const code = typeof value === 'number' && value < 0 ? 'expired' : 'type';
  const message = 'client_secret_expires_at must be a number of seconds since 1970, or 0 for never';
  return { field: '/client_secret_expires_at', code, message };
}

function hasRedirectUri(entry: unknown): boolean {
  return isJsonObject(entry) && typeof entry['redirect_uri'] === 'string';
}
