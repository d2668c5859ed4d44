import {
  type Application,
  firstRedirectUri,
  sendsSecret,
  lines,
  needsPrivateKey,
  pkceMethod,
  shellWord,
  signsIn,
} from './application.js';
import { withoutSlash } from './frameworks.js';

/** The authorization request, or the token request of a client without users, for a POSIX shell. */
export function curl(application: Application): string {
  const endpoint = signsIn(application) ? 'authorization_endpoint' : 'token_endpoint';
  const document = `${withoutSlash(application.issuer)}/.well-known/openid-configuration`;
  return lines(
    `endpoint=$(curl -s ${shellWord(document)} |`,
    `  sed 's/.*"${endpoint}": *"\\([^"]*\\)".*/\\1/')`,
    ...(signsIn(application) ? authorizationRequest(application) : tokenRequest(application)),
  );
}

/** RFC 6749 section 4.1.1 and RFC 7636 section 4.2. */
function authorizationRequest(application: Application): (string | false)[] {
  const method = pkceMethod(application);
  const pkce = method !== undefined;
  return [
    pkce && `verifier=$(openssl rand -hex 32)`,
    method === 'plain' && `challenge=$verifier`,
    method === 'S256' && `challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary |`,
    method === 'S256' && `  openssl base64 -A | tr '+/' '-_' | tr -d '=')`,
    `# Open the address in the "location" header to sign in; the code comes to the redirect URI.`,
    `curl --get --include "$endpoint" \\`,
    `  --data-urlencode ${shellWord(`client_id=${application.client.client_id}`)} \\`,
    `  --data-urlencode ${shellWord(`redirect_uri=${firstRedirectUri(application)}`)} \\`,
    pkce && `  --data-urlencode "code_challenge=$challenge" \\`,
    pkce && `  --data-urlencode code_challenge_method=${method} \\`,
    `  --data-urlencode "state=$(openssl rand -hex 16)" \\`,
    `  --data-urlencode response_type=code \\`,
    `  --data-urlencode scope=openid`,
  ];
}

/** RFC 6749 section 4.4.2. */
function tokenRequest(application: Application): (string | false)[] {
  const { client_id: id, token_endpoint_auth_method: method } = application.client;
  const inBody = method !== 'client_secret_basic';
  return [
    needsPrivateKey(application.client) &&
      `# Add client_assertion_type and client_assertion (RFC 7523 section 2.2).`,
    `curl "$endpoint" \\`,
    !inBody && `  --user ${shellWord(`${encodeURIComponent(id)}:`)}"$CLIENT_SECRET" \\`,
    inBody && `  --data-urlencode ${shellWord(`client_id=${id}`)} \\`,
    inBody && sendsSecret(application) && `  --data-urlencode "client_secret=$CLIENT_SECRET" \\`,
    `  --data grant_type=client_credentials`,
  ];
}
