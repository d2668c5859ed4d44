import {
  allowInsecureRequests,
  ClientSecretBasic,
  type Configuration,
  dynamicClientRegistration,
} from 'openid-client';

/** A registered application. */
export interface Registered {
  readonly configuration: Configuration;
  /** Deletes the Client (RFC 7592 section 2.3). */
  remove(): Promise<void>;
}

/** In milliseconds. */
const REMOVAL_MS = 3_000;

/** Registers at the endpoint in the issuer's discovery document, which is the registry's (RFC 7591). */
export async function register(
  issuer: string,
  redirectUri: string,
  initialAccessToken: string,
): Promise<Registered> {
  const metadata = {
    client_name: 'Example application',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'client_secret_basic',
    code_challenge_method: 'S256',
  };
  // Plain http is acceptable only because everything runs on loopback.
  const options = { initialAccessToken, execute: [allowInsecureRequests] };
  const configuration = await dynamicClientRegistration(
    new URL(issuer),
    metadata,
    ClientSecretBasic(),
    options,
  );
  return { configuration, remove: () => remove(configuration) };
}

async function remove(configuration: Configuration): Promise<void> {
  const { registration_client_uri: uri, registration_access_token: token } = configuration.clientMetadata();
  const headers = { authorization: `Bearer ${String(token)}` };
  const answer = await fetch(String(uri), {
    method: 'DELETE',
    headers,
    signal: AbortSignal.timeout(REMOVAL_MS),
  });
  if (!answer.ok && answer.status !== 401)
    throw new Error(`the Client could not be deleted: ${answer.status}`);
}
