import {
  liveRedirectUris,
  matchRedirectUri,
  type RedirectUriValidationMethod,
  type TemporaryUri,
} from '@svc/client-metadata';
import type { Client, default as Provider } from 'oidc-provider';
import { secretPlaceholder } from './secret-placeholder.js';

/** Seconds; a restarting registry is usually back by then. */
const RETRY_AFTER = '2';

/**
 * Makes the registry's Clients check secrets and redirect URIs the way the registry does, through oidc-provider's
 * documented extension points. Clients from the provider's static configuration are unaffected.
 *
 * Redirect URIs are compared locally because `redirectUriAllowed` is synchronous; the function is the one behind the
 * registry's `check/authorization_request`.
 *
 * @param isSecret asks the registry, which alone has the secret hashes
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
    const { applicationType = 'web' } = this;
    return matchRedirectUri(redirectUri, liveUrisOf(this), method, applicationType).matches;
  };
  addRetryAfter(provider);
}

/** @returns undefined for a Client that did not come from the registry */
export function validationMethodOf(client: Client): RedirectUriValidationMethod | undefined {
  const { redirect_uri_validation_method: method } = client;
  return method === 'full_match' || method === 'prefix_match' || method === 'none' ? method : undefined;
}

/** A Client that was read a moment ago may have a redirect URI that has expired since. */
export function liveUrisOf(client: Client): readonly string[] {
  const temporary = client['temporary_redirect_uris'] as readonly TemporaryUri[] | undefined;
  return liveRedirectUris(client.redirectUris ?? [], temporary, Date.now());
}

/** Every 503 is a {@link RegistryUnavailableError}, which oidc-provider answers itself, without `Retry-After`. */
function addRetryAfter(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.status === 503) ctx.set('retry-after', RETRY_AFTER);
  });
}
