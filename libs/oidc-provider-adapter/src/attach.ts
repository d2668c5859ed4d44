import { matchRedirectUri, type RedirectUriValidationMethod } from '@svc/client-metadata';
import type { Client, default as Provider } from 'oidc-provider';
import { secretPlaceholder } from './secret-placeholder.js';

/** Seconds; a registry that is restarted is back by then as a rule. */
const RETRY_AFTER = '2';

/**
 * Lets a provider's Clients that come from the registry compare secrets and redirect URIs as the registry does. Both are
 * the extension points that oidc-provider documents. Clients of its static configuration stay as they are.
 *
 * Redirect URIs are compared here, by the very function behind the registry's `check/authorization_request`:
 * `redirectUriAllowed` must answer at once, and a second request would add nothing to what the Client at hand says.
 *
 * @param isSecret asks the registry: only it can tell, since it keeps hashes and shows them to nobody
 */
export function attach(
  provider: Provider,
  isSecret: (clientId: string, secret: string) => Promise<boolean>,
): void {
  const { prototype } = provider.Client;
  const { compareClientSecret, redirectUriAllowed } = prototype;
  prototype.compareClientSecret = function (this: Client, secret: string) {
    const isOurs = this.clientSecret === secretPlaceholder(this.clientId);
    return isOurs ? isSecret(this.clientId, secret) : compareClientSecret.call(this, secret);
  };
  prototype.redirectUriAllowed = function (this: Client, redirectUri: string) {
    const method = validationMethodOf(this);
    if (method === undefined) return redirectUriAllowed.call(this, redirectUri);
    const { redirectUris = [], applicationType = 'web' } = this;
    return matchRedirectUri(redirectUri, redirectUris, method, applicationType).matches;
  };
  tellWhenToRetry(provider);
}

/** Nothing for a Client that is not the registry's. */
function validationMethodOf(client: Client): RedirectUriValidationMethod | undefined {
  const { redirect_uri_validation_method: method } = client;
  return method === 'full_match' || method === 'prefix_match' || method === 'none' ? method : undefined;
}

/** oidc-provider makes the answer; what it answers for an error of ours can be tried again. */
function tellWhenToRetry(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.status === 503) ctx.set('retry-after', RETRY_AFTER);
  });
}
