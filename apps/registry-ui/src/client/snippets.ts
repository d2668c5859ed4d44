import type { ClientDocument } from '../api/client-documents.js';

export interface Snippet {
  /** The program. */
  readonly title: string;
  readonly code: string;
}

/** A placeholder: the registry does not know the authorization server's URL. */
const ISSUER = 'https://ISSUER';

/** A client's configuration for the most common programs. `registry` is this registry's URL. */
export function snippetsOf(client: ClientDocument, registry: string): Snippet[] {
  return [
    { title: 'openid-client (Node.js)', code: openidClient(client) },
    { title: 'Authlib (Python, Flask)', code: authlib(client) },
    { title: 'Spring Security (application.yaml)', code: spring(client) },
    { title: 'curl', code: curl(client, registry) },
  ];
}

/** How openid-client authenticates a client, by the method's wire name. */
const AUTHENTICATIONS: Readonly<Record<string, string>> = {
  none: 'client.None()',
  client_secret_basic: 'client.ClientSecretBasic(process.env.CLIENT_SECRET)',
  client_secret_post: 'client.ClientSecretPost(process.env.CLIENT_SECRET)',
};

function openidClient(client: ClientDocument): string {
  const pkce = client.code_challenge_method === 'S256';
  const authentication = AUTHENTICATIONS[client.token_endpoint_auth_method] ?? 'undefined';
  return lines(
    `import * as client from 'openid-client';`,
    ``,
    `const config = await client.discovery(`,
    `  new URL('${ISSUER}'),`,
    `  ${quoted(client.client_id)},`,
    `  undefined,`,
    `  ${authentication},`,
    `);`,
    pkce && `const codeVerifier = client.randomPKCECodeVerifier();`,
    `const address = client.buildAuthorizationUrl(config, {`,
    `  redirect_uri: ${quoted(firstRedirectUri(client))},`,
    `  scope: 'openid',`,
    pkce && `  code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),`,
    pkce && `  code_challenge_method: 'S256',`,
    `});`,
  );
}

function authlib(client: ClientDocument): string {
  return lines(
    `oauth.register(`,
    `    "registry",`,
    `    client_id=${quoted(client.client_id)},`,
    isConfidential(client) && `    client_secret=os.environ["CLIENT_SECRET"],`,
    `    server_metadata_url="${ISSUER}/.well-known/openid-configuration",`,
    `    client_kwargs={`,
    `        "scope": "openid",`,
    `        "token_endpoint_auth_method": ${quoted(client.token_endpoint_auth_method)},`,
    client.code_challenge_method === 'S256' && `        "code_challenge_method": "S256",`,
    `    },`,
    `)`,
  );
}

function spring(client: ClientDocument): string {
  return lines(
    `spring:`,
    `  security:`,
    `    oauth2:`,
    `      client:`,
    `        registration:`,
    `          registry:`,
    `            client-id: ${quoted(client.client_id)}`,
    isConfidential(client) && '            client-secret: ${CLIENT_SECRET}',
    `            client-authentication-method: ${quoted(client.token_endpoint_auth_method)}`,
    `            authorization-grant-type: authorization_code`,
    `            redirect-uri: ${quoted(firstRedirectUri(client))}`,
    `            scope: openid`,
    `        provider:`,
    `          registry:`,
    `            issuer-uri: ${ISSUER}`,
  );
}

function curl(client: ClientDocument, registry: string): string {
  const address = `${registry}/client/${encodeURIComponent(client.client_id)}`;
  return lines(`curl -H "Authorization: Bearer $REGISTRY_TOKEN" ${shellWord(address)}`);
}

function isConfidential({ token_endpoint_auth_method: method }: ClientDocument): boolean {
  return method !== 'none';
}

function firstRedirectUri({ redirect_uris: [first = ''] }: ClientDocument): string {
  return first;
}

/** Quotes untrusted text; for printable ASCII, JSON strings are valid in JavaScript, Python and YAML. */
function quoted(value: string): string {
  return JSON.stringify(value);
}

/** Quotes untrusted text for a POSIX shell. */
function shellWord(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}

function lines(...all: readonly (string | false)[]): string {
  return all.filter((line) => line !== false).join('\n');
}
