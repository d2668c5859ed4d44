import type { errors, KoaContextWithOIDC, default as Provider } from 'oidc-provider';

/** oidc-provider's status of an error that the user's session or decision causes, such as `login_required`. */
const INTERACTION_STATUS = 303;

/**
 * Notes which authorization requests the provider refuses. A request whose user is not signed in with `prompt=none`, or
 * denies access, is not refused: it was in order. Nor is one that fails by an error of the server.
 *
 * @returns the contexts of refused requests, as long as they live
 */
export function noteRefusals(provider: Provider): Pick<WeakSet<object>, 'has'> {
  const refused = new WeakSet<object>();
  provider.on('authorization.error', (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
    if (error.statusCode !== INTERACTION_STATUS && error.error !== 'access_denied') refused.add(ctx);
  });
  return refused;
}
