import type { CurrentClient } from '@svc/client-metadata';
import type { Features } from '../api/client-documents.js';
import { validateForm } from './validate-form.js';

type Members = Readonly<Record<string, unknown>>;

/** The one change that resolves a kind of warning. A prefix has none: with a slash, it would no longer match itself. */
const FIXES: Readonly<Record<string, (client: Members) => Members | undefined>> = {
  not_oauth_compliant: () => ({ redirect_uri_validation_method: 'full_match' }),
  plain_http_redirect_uri: redirectUris((uri) =>
    uri.replace(/^http:\/\/(?!localhost\b|127\.|\[)/i, 'https://'),
  ),
  localhost_redirect_uri: redirectUris((uri) =>
    uri.replace(/^(http:\/\/)localhost(?=[:/?]|$)/i, '$1127.0.0.1'),
  ),
  weak_pkce: () => ({ code_challenge_method: 'S256' }),
  discouraged_grant: ({ grant_types: grants }) => ({
    grant_types: listOf(grants).filter((grant) => grant !== 'implicit' && grant !== 'password'),
  }),
  cookie_domain_dot: ({ cookie_domain: domain }) => ({ cookie_domain: String(domain).replace(/^\./, '') }),
};

/**
 * The members that resolve all warnings of a kind.
 *
 * @param body the client's metadata
 * @returns `undefined` unless the registry's rules accept the result and no longer warn of it
 */
export function fixOf(
  code: string,
  features: Features,
  body: Members,
  current: CurrentClient | undefined,
): Members | undefined {
  const fix = Object.hasOwn(FIXES, code) ? FIXES[code]?.(body) : undefined;
  if (!fix) return undefined;
  const { violations, warnings } = validateForm(features, { ...body, ...fix }, current);
  return violations.length === 0 && warnings.every((warning) => warning.code !== code) ? fix : undefined;
}

function redirectUris(fixed: (uri: string) => string): (client: Members) => Members {
  return ({ redirect_uris: uris }) => ({ redirect_uris: [...new Set(listOf(uris).map(fixed))] });
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
