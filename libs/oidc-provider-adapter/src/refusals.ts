import type { errors, KoaContextWithOIDC, default as Provider } from 'oidc-provider';

/** oidc-provider's status of an error that the user's session or decision causes, such as `login_required`. */
const INTERACTION_STATUS = 303;

/**
 * Notes which authorization requests the provider refuses. Those that fail because the user is not signed in (`prompt=none`)
 * or denies access do not count, since they were valid; nor do those that fail because of a server error.
 *
 * @returns the contexts of refused requests, which it does not keep alive
 */
export function noteRefusals(provider: Provider): Pick<WeakSet<object>, 'has'> {
  const refused = new WeakSet<object>();
  provider.on('authorization.error', (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
    if (error.statusCode !== INTERACTION_STATUS && error.error !== 'access_denied') refused.add(ctx);
  });
  return refused;
}
