import {
  type Application,
  firstRedirectUri,
  isInsecure,
  lines,
  quoted,
  signsIn,
  pkceMethod,
} from './application.js';

/** The method that authenticates a client, by its wire name; both libraries call it the same. */
const AUTHENTICATIONS: Readonly<Record<string, string>> = {
  none: 'None()',
  client_secret_basic: 'ClientSecretBasic(process.env.CLIENT_SECRET)',
  client_secret_post: 'ClientSecretPost(process.env.CLIENT_SECRET)',
};

function authentication({ client }: Application): string {
  return AUTHENTICATIONS[client.token_endpoint_auth_method] ?? 'PrivateKeyJwt(privateKey)';
}

/** A program for Node.js that signs users in, or gets a token for itself. */
export function openidClient(application: Application): string {
  const { client, issuer } = application;
  const config = [
    `const config = await client.discovery(`,
    `  new URL(${quoted(issuer)}),`,
    `  ${quoted(client.client_id)},`,
    `  undefined,`,
    `  client.${authentication(application)},`,
    isInsecure(application) && `  { execute: [client.allowInsecureRequests] },`,
    `);`,
  ];
  if (!signsIn(application)) {
    return lines(
      `import * as client from 'openid-client';`,
      ``,
      ...config,
      `const tokens = await client.clientCredentialsGrant(config);`,
      `console.log(tokens.expires_in);`,
    );
  }
  const method = pkceMethod(application);
  const pkce = method !== undefined;
  return webServer(application, {
    imports: `import * as client from 'openid-client';`,
    setUp: config,
    randoms: [`client.randomState()`, `client.randomPKCECodeVerifier()`],
    address: [
      `    const address = client.buildAuthorizationUrl(config, {`,
      `      redirect_uri: redirectUri.href,`,
      `      scope: 'openid',`,
      `      state,`,
      method === 'plain' && `      code_challenge: verifier,`,
      method === 'S256' && `      code_challenge: await client.calculatePKCECodeChallenge(verifier),`,
      pkce && `      code_challenge_method: '${method}',`,
      `    });`,
    ],
    claims: [
      `  const tokens = await client.authorizationCodeGrant(config, url, {`,
      `    expectedState: state,`,
      pkce && `    pkceCodeVerifier: verifier,`,
      `  });`,
      `  const claims = tokens.claims();`,
    ],
  });
}

/** The same with a library that also runs in browsers and workers. */
export function oauth4webapi(application: Application): string {
  const options = isInsecure(application) ? `, { [oauth.allowInsecureRequests]: true }` : '';
  const setUp = oauthSetUp(application, options);
  if (!signsIn(application)) {
    return lines(
      `import * as oauth from 'oauth4webapi';`,
      ``,
      ...setUp,
      `const request = oauth.clientCredentialsGrantRequest;`,
      `const answer = await request(server, client, authentication, {}${options});`,
      `const tokens = await oauth.processClientCredentialsResponse(server, client, answer);`,
      `console.log(tokens.expires_in);`,
    );
  }
  const method = pkceMethod(application);
  const pkce = method !== undefined;
  return webServer(application, {
    imports: `import * as oauth from 'oauth4webapi';`,
    setUp,
    randoms: [`oauth.generateRandomState()`, `oauth.generateRandomCodeVerifier()`],
    address: [
      `    const address = new URL(server.authorization_endpoint);`,
      `    address.searchParams.set('client_id', client.client_id);`,
      `    address.searchParams.set('redirect_uri', redirectUri.href);`,
      `    address.searchParams.set('response_type', 'code');`,
      `    address.searchParams.set('scope', 'openid');`,
      `    address.searchParams.set('state', state);`,
      method === 'plain' && `    const challenge = verifier;`,
      method === 'S256' && `    const challenge = await oauth.calculatePKCECodeChallenge(verifier);`,
      pkce && `    address.searchParams.set('code_challenge', challenge);`,
      pkce && `    address.searchParams.set('code_challenge_method', '${method}');`,
    ],
    claims: [
      `  const parameters = oauth.validateAuthResponse(server, client, url, state);`,
      `  const answer = await oauth.authorizationCodeGrantRequest(`,
      `    server,`,
      `    client,`,
      `    authentication,`,
      `    parameters,`,
      `    redirectUri.href,`,
      `    ${pkce ? 'verifier' : 'oauth.nopkce'}${options},`,
      `  );`,
      `  const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer);`,
      `  const claims = oauth.getValidatedIdTokenClaims(tokens);`,
    ],
  });
}

function oauthSetUp(application: Application, options: string): string[] {
  const { client, issuer } = application;
  return [
    `const issuer = new URL(${quoted(issuer)});`,
    `const discovered = await oauth.discoveryRequest(issuer${options});`,
    `const server = await oauth.processDiscoveryResponse(issuer, discovered);`,
    `const client = { client_id: ${quoted(client.client_id)} };`,
    `const authentication = oauth.${authentication(application)};`,
  ];
}

interface WebServerParts {
  readonly imports: string;
  readonly setUp: readonly (string | false)[];
  /** How to create the state and the PKCE verifier. */
  readonly randoms: readonly [string, string];
  /** Creates `address`, from `state` and `verifier`. */
  readonly address: readonly (string | false)[];
  /** Creates `claims`, from the same. */
  readonly claims: readonly (string | false)[];
}

/** A server at the redirect URI: any other request starts a sign-in. A cookie ties both requests to one browser. */
function webServer(
  application: Application,
  { imports, setUp, randoms, address, claims }: WebServerParts,
): string {
  const pkce = pkceMethod(application) !== undefined;
  return lines(
    `import { createServer } from 'node:http';`,
    imports,
    ``,
    `const redirectUri = new URL(${quoted(firstRedirectUri(application))});`,
    ...setUp,
    ``,
    `const app = createServer(async (request, response) => {`,
    `  const url = new URL(request.url, redirectUri);`,
    `  if (url.pathname !== redirectUri.pathname || url.search === '') {`,
    `    const state = ${randoms[0]};`,
    pkce && `    const verifier = ${randoms[1]};`,
    ...address,
    pkce
      ? '    const cookie = `sign-in=${state}.${verifier}; HttpOnly; SameSite=Lax; Path=/`;'
      : '    const cookie = `sign-in=${state}; HttpOnly; SameSite=Lax; Path=/`;',
    `    response.writeHead(302, { location: address.href, 'set-cookie': cookie }).end();`,
    `    return;`,
    `  }`,
    `  const [, cookie = ''] = /\\bsign-in=([^;]*)/.exec(request.headers.cookie) ?? [];`,
    pkce ? `  const [state, verifier] = cookie.split('.');` : `  const state = cookie;`,
    ...claims,
    `  response.end(\`Signed in: \${JSON.stringify(claims)}\`);`,
    `});`,
    `app.listen(redirectUri.port || 3000);`,
  );
}
