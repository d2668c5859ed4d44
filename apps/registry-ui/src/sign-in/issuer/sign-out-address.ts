import type { IssuerSignIn } from '../../api/settings.js';
import type { IssuerEndpoints } from './discovery.js';

/** The address of the issuer's page for signing out; `undefined` if the issuer has no such page */
export function signOutAddress(
  { end_session_endpoint: endpoint }: Pick<IssuerEndpoints, 'end_session_endpoint'>,
  { client_id }: Pick<IssuerSignIn, 'client_id'>,
): string | undefined {
  if (endpoint === undefined || !/^https?:/.test(endpoint) || !URL.canParse(endpoint)) return undefined;
  const address = new URL(endpoint);
  address.searchParams.set('client_id', client_id);
  return address.href;
}
