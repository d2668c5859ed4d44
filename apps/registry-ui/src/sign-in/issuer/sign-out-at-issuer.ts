import { ISSUER_DEADLINE_MS, withDeadline } from '../../api/deadline.js';
import { signOutInAllTabs } from '../../api/other-tabs.js';
import { currentSession } from '../../api/session.js';
import type { IssuerSignIn } from '../../api/settings.js';
import { discover, type IssuerEndpoints } from './discovery.js';
import { signOutAddress } from './sign-out-address.js';

/**
 * Signs out in all tabs and at the issuer: revokes the refresh token (RFC 7009) and opens the issuer's page for signing out
 * (OpenID Connect RP-Initiated Logout), where it has them. The tabs are signed out even if the issuer does not respond.
 */
export async function signOutEverywhere(oidc: IssuerSignIn): Promise<void> {
  const refreshToken = currentSession()?.renewal?.refreshToken;
  signOutInAllTabs();
  const endpoints = await discover(oidc.issuer).catch(() => undefined);
  if (refreshToken !== undefined) await revoke(refreshToken, endpoints, oidc);
  const address = endpoints && signOutAddress(endpoints, oidc);
  if (address !== undefined) location.assign(address);
}

async function revoke(
  token: string,
  endpoints: IssuerEndpoints | undefined,
  { client_id }: IssuerSignIn,
): Promise<void> {
  if (endpoints?.revocation_endpoint === undefined) return;
  await fetch(endpoints.revocation_endpoint, {
    method: 'POST',
    signal: withDeadline(ISSUER_DEADLINE_MS),
    body: new URLSearchParams({ token, token_type_hint: 'refresh_token', client_id }),
  }).catch(() => undefined);
}
