import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { type JWK, type JWTHeaderParameters, SignJWT } from 'jose';
import type Provider from 'oidc-provider';

const CLIENT = { id: 'automation', secret: 'a-secret-of-the-automation' };

/** What the registry is called at the issuer. */
export const AUDIENCE = 'https://registry.example';

/** A real OpenID Connect issuer in this process. */
export interface OidcIssuer {
  readonly issuer: string;
  /** Gets an access token over HTTP as a service does (client credentials, RFC 8707 resource). */
  accessToken(scope: string, resource?: string): Promise<string>;
  /** Signs any claims with the issuer's own key, over those of a good token. */
  sign(claims: Readonly<Record<string, unknown>>, header?: Partial<JWTHeaderParameters>): Promise<string>;
  /** Goes on with a new signing key, as an issuer does that rotates them. */
  rotate(): Promise<void>;
  halt(): Promise<void>;
}

/** Starts node-oidc-provider on a free port of 127.0.0.1. */
export async function startIssuer(): Promise<OidcIssuer> {
  let provider: Provider | undefined;
  let key = newKey('first');
  const server = createServer((request, response) => void provider?.callback()(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  provider = await newProvider(issuer, key.jwk);
  return {
    issuer,
    accessToken: (scope, resource = AUDIENCE) => requestToken(issuer, scope, resource),
    sign: (claims, header) => sign(issuer, key, claims, header),
    rotate: async () => {
      key = newKey('second');
      provider = await newProvider(issuer, key.jwk);
    },
    halt: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly jwk: JWK;
}

function newKey(kid: string): SigningKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = privateKey.export({ format: 'jwk' }) as JWK;
  return { kid, privateKey, jwk: { ...jwk, kid, alg: 'ES256', use: 'sig' } };
}

async function newProvider(issuer: string, jwk: JWK): Promise<Provider> {
  // It warns of an adapter that forgets, and of runtimes older than its authors test: both are as wanted here.
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { default: OidcProvider } = await import('oidc-provider');
  const provider = new OidcProvider(issuer, {
    jwks: { keys: [jwk] },
    cookies: { keys: ['for tests only'] },
    ttl: { ClientCredentials: 600 },
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx, resource) => ({
          scope: 'clients:read clients:write',
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  });
  warn.mockRestore();
  return provider;
}

async function requestToken(issuer: string, scope: string, resource: string): Promise<string> {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${CLIENT.id}:${CLIENT.secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource }),
  });
  const { access_token: token } = (await response.json()) as { access_token?: string };
  if (token === undefined) throw new Error(`the issuer gave no token: ${response.status}`);
  return token;
}

async function sign(
  issuer: string,
  { kid, privateKey }: SigningKey,
  claims: Readonly<Record<string, unknown>>,
  header: Partial<JWTHeaderParameters> = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const good = {
    iss: issuer,
    aud: AUDIENCE,
    sub: 'someone',
    scope: 'clients:read',
    iat: now,
    exp: now + 300,
  };
  const jwt = new SignJWT({ ...good, ...claims });
  return jwt.setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid, ...header }).sign(privateKey);
}
