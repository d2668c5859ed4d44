import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type FeedState, RegistryClients } from '@svc/oidc-provider-adapter';
import type { errors } from 'oidc-provider';
import { type Configuration, Provider } from 'oidc-provider';
import { listen } from '../http/listening.js';
import { escaped, pageOf, sendPage } from '../http/page.js';
import { answerInteraction } from './interaction-pages.js';
import { MemoryAdapter } from './memory-adapter.js';

export interface AuthorizationServerOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly registryUrl: string;
  /** With the scopes `clients:follow` and `clients:check`. */
  readonly registryToken: string;
  readonly onFeed: (state: FeedState) => void;
  /** Called with the full reason for an error response. */
  readonly onError: (reason: string) => void;
}

export interface AuthorizationServer {
  readonly url: string;
  stop(): Promise<void>;
}

type OidcError = errors.OIDCProviderError;

/** node-oidc-provider with the registry's Clients and sign-in pages. */
export async function startAuthorizationServer(
  options: AuthorizationServerOptions,
): Promise<AuthorizationServer> {
  const { port, registryUrl, registryToken, onFeed, onError } = options;
  const listening = await listen(port, 'AUTHORIZATION_SERVER_PORT');
  const clients = new RegistryClients({ url: registryUrl, token: registryToken, onFeed });
  const provider = new Provider(
    listening.url,
    clients.configure({ ...CONFIGURATION(), adapter: MemoryAdapter, discovery: registrationAt(registryUrl) }),
  );
  clients.attach(provider);
  reportErrors(provider, onError);
  const answerProtocol = provider.callback();
  listening.answerWith((request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void answerProtocol(request, response);
    answerInteraction(provider, request, response).catch((error: unknown) => sendError(response, error));
  });
  return {
    url: listening.url,
    stop: async () => {
      await listening.stop();
      await clients.close();
    },
  };
}

/** Keys are generated at each start, since all other state is lost with the process, too. */
const CONFIGURATION = (): Configuration => ({
  cookies: { keys: [randomBytes(32).toString('base64url')] },
  jwks: { keys: [{ ...newSigningKey(), use: 'sig', alg: 'RS256' }] },
  claims: { openid: ['sub'], profile: ['name'] },
  features: { devInteractions: { enabled: false } },
  renderError: (ctx, { error, error_description: description }) => {
    const { headers, html } = pageOf('Something went wrong', errorText(error, description));
    ctx.set(headers);
    ctx.body = html;
  },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, name: accountId }) }),
  ttl: {
    ...{ AccessToken: 600, AuthorizationCode: 60, IdToken: 600, RefreshToken: 3_600 },
    ...{ Grant: 3_600, Interaction: 600, Session: 3_600 },
  },
});

/** A JWK. It is read anew: Node 20 may hang while it exports the key that it generated. */
function newSigningKey() {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return createPrivateKey(privateKey).export({ format: 'jwk' });
}

/** Lets applications discover the registry (OpenID Connect Discovery section 3). */
function registrationAt(registryUrl: string) {
  return { registration_endpoint: new URL('register', `${registryUrl.replace(/\/$/, '')}/`).href };
}

function reportErrors(provider: Provider, onError: (reason: string) => void): void {
  const report = (_: unknown, error: Error): void => {
    const { error_detail: detail } = error as Partial<OidcError>;
    onError(`${error.message}${detail === undefined ? '' : `: ${detail}`}`);
  };
  provider.on('authorization.error', report);
  provider.on('grant.error', report);
  provider.on('server_error', report);
}

function sendError(response: ServerResponse<IncomingMessage>, error: unknown): void {
  const { statusCode = 500, error: code, error_description: description } = error as Partial<OidcError>;
  sendPage(response, 'Something went wrong', errorText(code ?? 'server_error', description), statusCode);
}

function errorText(code: string, description = 'Please try again.'): string {
  return `<p>${escaped(code)}: ${escaped(description)}</p>`;
}
