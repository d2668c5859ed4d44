import { ISSUER_DEADLINE_MS, withDeadline } from '../../api/deadline.js';
import { signOutInAllTabs } from '../../api/other-tabs.js';
import { currentSession } from '../../api/session.js';
import type { IssuerSignIn } from '../../api/settings.js';
import { discover, type IssuerEndpoints } from './discovery.js';

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

/** @returns `undefined` if the issuer has no such page */
export function signOutAddress(
  { end_session_endpoint: endpoint }: Pick<IssuerEndpoints, 'end_session_endpoint'>,
  { client_id }: Pick<IssuerSignIn, 'client_id'>,
): string | undefined {
  if (endpoint === undefined || !/^https?:/.test(endpoint) || !URL.canParse(endpoint)) return undefined;
  const address = new URL(endpoint);
  address.searchParams.set('client_id', client_id);
  return address.href;
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
