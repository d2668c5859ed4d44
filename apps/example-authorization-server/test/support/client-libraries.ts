import * as oauth from 'oauth4webapi';
import * as v6 from 'openid-client';

/** What a developer sends to `POST /register`. */
export interface Registration {
  readonly client_name: string;
  readonly redirect_uris: [string];
  readonly token_endpoint_auth_method?: string;
}

/** Follows the authorization request like a browser. @returns the URL it is redirected back to */
export type Browse = (address: URL) => Promise<URL>;

/** The result of registering and signing in. */
export interface Outcome {
  /** The registration response. */
  readonly client: Readonly<Record<string, unknown>>;
  readonly subject: string | undefined;
}

/** Registers at the endpoint from the issuer's discovery document, then signs in by authorization code with PKCE. */
export type ClientLibrary = (
  issuer: string,
  initialAccessToken: string,
  registration: Registration,
  browse: Browse,
) => Promise<Outcome>;

const SCOPE = 'openid profile';

/** By default, it authenticates with the client_secret in the body if the registration returned one. */
export const openidClientV6: ClientLibrary = async (issuer, initialAccessToken, registration, browse) => {
  const configuration = await v6.dynamicClientRegistration(
    new URL(issuer),
    { ...registration },
    registration.token_endpoint_auth_method === 'client_secret_basic' ? v6.ClientSecretBasic() : undefined,
    { initialAccessToken, execute: [v6.allowInsecureRequests] },
  );
  const pkceCodeVerifier = v6.randomPKCECodeVerifier();
  const expectedState = v6.randomState();
  const address = v6.buildAuthorizationUrl(configuration, {
    redirect_uri: registration.redirect_uris[0],
    scope: SCOPE,
    state: expectedState,
    code_challenge: await v6.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const checks = { pkceCodeVerifier, expectedState };
  const tokens = await v6.authorizationCodeGrant(configuration, await browse(address), checks);
  return { client: { ...configuration.clientMetadata() }, subject: tokens.claims()?.sub };
};

/** The part of version 5 used here; it is not an ES module, and its types are outdated. */
interface V5 {
  readonly Issuer: { discover(issuer: string): Promise<{ readonly Client: V5Class }> };
  readonly generators: { state(): string; codeVerifier(): string; codeChallenge(verifier: string): string };
  readonly custom: { setHttpOptionsDefaults(options: { timeout: number }): void };
}
interface V5Class {
  register(metadata: object, options: { initialAccessToken: string }): Promise<V5Client>;
}
interface V5Client {
  readonly metadata: Readonly<Record<string, unknown>>;
  authorizationUrl(parameters: Readonly<Record<string, string>>): string;
  callbackParams(address: string): object;
  callback(redirectUri: string, parameters: object, checks: object): Promise<{ claims(): { sub: string } }>;
}

const V5_NAME: string = 'openid-client-v5';

export const openidClientV5: ClientLibrary = async (issuer, initialAccessToken, registration, browse) => {
  const { default: v5 } = (await import(V5_NAME)) as { readonly default: V5 };
  v5.custom.setHttpOptionsDefaults({ timeout: 30_000 });
  const { Client } = await v5.Issuer.discover(issuer);
  const client = await Client.register(registration, { initialAccessToken });
  const [redirectUri] = registration.redirect_uris;
  const [state, verifier] = [v5.generators.state(), v5.generators.codeVerifier()];
  const address = client.authorizationUrl({
    redirect_uri: redirectUri,
    scope: SCOPE,
    state,
    code_challenge: v5.generators.codeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const answer = client.callbackParams((await browse(new URL(address))).href);
  const tokens = await client.callback(redirectUri, answer, { state, code_verifier: verifier });
  return { client: client.metadata, subject: tokens.claims().sub };
};

const INSECURE = { [oauth.allowInsecureRequests]: true };

export const oauth4webapi: ClientLibrary = async (issuer, initialAccessToken, registration, browse) => {
  const issuerUrl = new URL(issuer);
  const server = await oauth.processDiscoveryResponse(
    issuerUrl,
    await oauth.discoveryRequest(issuerUrl, INSECURE),
  );
  const options = { ...INSECURE, initialAccessToken };
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(server, { ...registration }, options),
  );
  const [redirectUri] = registration.redirect_uris;
  const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()];
  const address = new URL(String(server.authorization_endpoint));
  address.search = new URLSearchParams({
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: SCOPE,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  const answer = oauth.validateAuthResponse(server, client, await browse(address), state);
  const authentication = authenticationOf(client);
  const tokens = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      ...([server, client, authentication, answer, redirectUri, verifier, INSECURE] as const),
    ),
    { requireIdToken: true },
  );
  return { client, subject: oauth.getValidatedIdTokenClaims(tokens)?.sub };
};

/** The method in the registration response. */
function authenticationOf(client: oauth.OmitSymbolProperties<oauth.Client>): oauth.ClientAuth {
  const { token_endpoint_auth_method: method, client_secret: secret } = client;
  if (method === 'none') return oauth.None();
  return method === 'client_secret_basic'
    ? oauth.ClientSecretBasic(String(secret))
    : oauth.ClientSecretPost(String(secret));
}
