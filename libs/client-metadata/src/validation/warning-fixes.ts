type Members = Readonly<Record<string, unknown>>;

/** The one change that resolves a kind of warning. A prefix has none: with a slash, it would no longer match itself. */
const FIXES: Readonly<Record<string, (client: Members) => Members>> = {
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

/** The codes of warnings that a change may resolve. */
export const FIXABLE_WARNINGS: readonly string[] = Object.keys(FIXES);

/**
 * The members whose change should resolve all warnings of a kind. Validate the result: a rule may forbid it, or the warning
 * may remain.
 *
 * @param client its metadata
 */
export function warningFix(code: string, client: Members): Members | undefined {
  return Object.hasOwn(FIXES, code) ? FIXES[code]?.(client) : undefined;
}

function redirectUris(fixed: (uri: string) => string): (client: Members) => Members {
  return ({ redirect_uris: uris }) => ({ redirect_uris: [...new Set(listOf(uris).map(fixed))] });
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
