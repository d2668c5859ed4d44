import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import type Provider from 'oidc-provider';

/** The registry's identifier at the issuer. */
export const AUDIENCE = 'https://registry.example';

/** The console's client id at the issuer. */
export const CONSOLE_CLIENT = 'registry-console';

/** Tokens are renewed when half of it is over. */
const ACCESS_TOKEN_SECONDS = 10;

const SCOPES = 'clients:read clients:write clients:check';

/** A real OpenID Connect issuer whose sign-in page has a single button. */
export class Issuer {
  private provider: Provider | undefined;

  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  static async start(): Promise<Issuer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = new Issuer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, server);
    server.on('request', (request, response) => void issuer.answer(request, response));
    return issuer;
  }

  /** Registers the console with its redirect URI. */
  async serve(redirectUri: string): Promise<void> {
    // Silences warnings about the in-memory adapter and the Node version.
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { default: OidcProvider } = await import('oidc-provider');
    this.provider = new OidcProvider(this.url, {
      cookies: { keys: ['for tests only'] },
      ttl: {
        ...{ AccessToken: ACCESS_TOKEN_SECONDS, RefreshToken: 600, IdToken: 600 },
        ...{ Grant: 600, Session: 600, Interaction: 600 },
      },
      clients: [
        {
          client_id: CONSOLE_CLIENT,
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
          token_endpoint_auth_method: 'none',
        },
      ],
      clientBasedCORS: () => true,
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
      issueRefreshToken: () => true,
      // Consent is implied.
      loadExistingGrant: async ({ oidc }) => {
        const { provider, client, account } = oidc;
        if (!client || !account) return undefined;
        const grant = new provider.Grant({ clientId: client.clientId, accountId: account.accountId });
        grant.addOIDCScope('openid');
        grant.addResourceScope(AUDIENCE, SCOPES);
        await grant.save();
        return grant;
      },
      features: {
        devInteractions: { enabled: false },
        resourceIndicators: {
          enabled: true,
          useGrantedResource: () => true,
          getResourceServerInfo: (_, resource) => ({
            scope: SCOPES,
            audience: resource,
            accessTokenFormat: 'jwt',
          }),
        },
      },
    });
    warn.mockRestore();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.provider) throw new Error('the issuer is not ready');
    if (!request.url?.startsWith('/interaction/')) return this.provider.callback()(request, response);
    if (request.method === 'POST') {
      const login = { login: { accountId: 'ms-example' } };
      return this.provider.interactionFinished(request, response, login, { mergeWithLastSubmission: false });
    }
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><form method="post"><button>Sign in as Ms Example</button></form>');
  }
}
