import { words } from '@svc/service-kit/environment';
import { z } from 'zod';
import type { OidcSettings } from '../oidc/oidc-settings.js';

/** What the console needs to sign users in at the OpenID Connect issuer: authorization code with PKCE. */
export interface IssuerSignIn {
  readonly issuer: string;
  /** The console's client at the issuer, which is public. */
  readonly client_id: string;
  readonly scope: string;
  /** The resource to request an access token for (RFC 8707). */
  readonly resource?: string;
}

/** The settings that the console gets with its page. */
export interface UiSettings {
  /** Absent: users sign in with API tokens only. */
  readonly oidc?: IssuerSignIn;
}

/** The variables that configure the issuer's sign-in; the registry's schema spreads them. */
export const uiEnvironment = {
  UI_OIDC_CLIENT_ID: z.string().min(1).max(255).optional(),
  UI_OIDC_SCOPE: words.optional(),
};

/** @param oidc the issuer whose access tokens are accepted */
export function uiSettingsOf(
  config: z.infer<z.ZodObject<typeof uiEnvironment>>,
  oidc: OidcSettings | undefined,
): UiSettings {
  const { UI_OIDC_CLIENT_ID: clientId, UI_OIDC_SCOPE: scopes } = config;
  if (!oidc || clientId === undefined) return {};
  const scope = (scopes ?? ['openid', ...scopesOf(oidc)]).join(' ');
  const resource = URL.canParse(oidc.audience) ? { resource: oidc.audience } : {};
  return { oidc: { issuer: oidc.issuer, client_id: clientId, scope, ...resource } };
}

/** With roles there are no scopes to request. The console needs none of those meant only for authorization servers. */
function scopesOf({ scopeClaim, scopeMap }: OidcSettings): string[] {
  if (scopeClaim !== 'scope') return [];
  const isUseful = (scopes: readonly string[]) => scopes.some((scope) => scope !== 'clients:follow');
  return [...scopeMap].filter(([, scopes]) => isUseful(scopes)).map(([value]) => value);
}
