import { isLoopbackHost } from '@svc/foundation';
import type { Capabilities } from '../fields/capabilities.js';
import type { ClientMetadata } from '../fields/client-metadata.js';
import { pointerTo, type Violation } from '@svc/foundation';
import { metadataNames, splitName } from '../fields/localized-fields.js';
import { quote } from '../violations/violation.js';
import { responseParametersIn } from '../uri/response-parameters.js';
import { splitUri, type UriParts } from '../uri/split-uri.js';
import { invisibleCharacters, lookAlikeWords } from './look-alikes.js';

/** Something allowed but rarely advisable. */
interface ClientWarning {
  readonly code: string;
  readonly found: (client: ClientMetadata, capabilities: Capabilities) => Omit<Violation, 'code'>[];
}

const CLIENT_WARNINGS: readonly ClientWarning[] = [
  { code: 'not_oauth_compliant', found: looseRedirectMatching },
  { code: 'prefix_without_slash', found: prefixesWithoutSlash },
  { code: 'plain_http_redirect_uri', found: plainHttpRedirects },
  { code: 'plain_http_logout_uri', found: plainHttpLogout },
  { code: 'localhost_redirect_uri', found: localhostOfNativeClient },
  { code: 'response_parameter_in_redirect_uri', found: registeredResponseParameters },
  { code: 'weak_pkce', found: weakPkce },
  { code: 'discouraged_grant', found: discouragedGrants },
  { code: 'cookie_entry_missing', found: cookiesWithoutEntry },
  { code: 'cookie_domain_mismatch', found: cookieDomainElsewhere },
  { code: 'cookie_domain_dot', found: leadingDot },
  { code: 'anonymous_cid_missing', found: anonymousWithoutCid },
  { code: 'look_alike_name', found: lookAlikeName },
  { code: 'invisible_character', found: invisibleInName },
];

/** All warning codes. */
export const WARNING_CODES: readonly string[] = CLIENT_WARNINGS.map(({ code }) => code);

/** Incremented whenever the warnings change, so that stored codes are recomputed. */
export const WARNING_EDITION = 3;

/** A valid Client's warnings, in a stable order. */
export function warningsOf(client: ClientMetadata, capabilities: Capabilities): Violation[] {
  return CLIENT_WARNINGS.flatMap(({ code, found }) =>
    found(client, capabilities).map((warning) => ({ ...warning, code })),
  );
}

/**
 * True if a Client uses cookie-based authorization: it has a cookie entry point, a cookie webhook, or a cookie domain
 * other than the configured default.
 */
export function usesCookieAuthorization(client: ClientMetadata, capabilities: Capabilities): boolean {
  const { cookie_entry_uri, cookie_webhook_uri, cookie_domain } = client;
  const ownDomain = cookie_domain !== undefined && cookie_domain !== capabilities.default_cookie_domain;
  return cookie_entry_uri !== undefined || cookie_webhook_uri !== undefined || ownDomain;
}

function on(field: string, applies: boolean, message: string): Omit<Violation, 'code'>[] {
  return applies ? [{ field: pointerTo(field), message }] : [];
}

/** @param riskOf returns the risk of a URI, starting with a verb, if there is one */
function onRedirectUris(
  client: ClientMetadata,
  riskOf: (uri: UriParts) => string | false | undefined,
): Omit<Violation, 'code'>[] {
  return client.redirect_uris.flatMap((text, index) => {
    const uri = splitUri(text);
    const risk = uri && riskOf(uri);
    return risk ? [{ field: pointerTo('redirect_uris', index), message: `${quote(text)} ${risk}` }] : [];
  });
}

function looseRedirectMatching({ redirect_uri_validation_method: method }: ClientMetadata) {
  return on(
    'redirect_uri_validation_method',
    method !== 'full_match',
    `${method} is not OAuth 2.0 compliant (RFC 9700 section 2.1)`,
  );
}

function prefixesWithoutSlash(client: ClientMetadata) {
  if (client.redirect_uri_validation_method !== 'prefix_match') return [];
  return onRedirectUris(client, openEnd);
}

/** Describes a prefix that ends in the middle of a segment or value; undefined if closed by `/`, `?` or `&`. */
function openEnd({ path, query }: UriParts): string | undefined {
  if (query === undefined) {
    if (path.endsWith('/')) return undefined;
    return 'does not end with / although it is a prefix: it also matches longer names, such as /cbx for /cb';
  }
  if (query === '' || query.endsWith('&')) return undefined;
  return 'does not end with & although it is a prefix: it also matches longer values, such as ?t=12 for ?t=1';
}

function plainHttpRedirects(client: ClientMetadata) {
  return onRedirectUris(
    client,
    (uri) =>
      isPlainHttp(uri, client) &&
      'is plain http: anyone on the network path can read the code (RFC 9700 section 2.6)',
  );
}

/** Loopback addresses of native applications are not reached through a network. */
function isPlainHttp({ scheme, host }: UriParts, { application_type: type }: ClientMetadata): boolean {
  return scheme === 'http' && !(type === 'native' && isLoopbackHost(host));
}

/** Confidential clients may use http if the server allows it. */
function plainHttpLogout(client: ClientMetadata) {
  if (client.token_endpoint_auth_method !== 'none') return [];
  return logoutUrisOf(client).flatMap(({ field, text, specification }) => {
    const uri = splitUri(text);
    if (!uri || !isPlainHttp(uri, client)) return [];
    const message = `${quote(text)} is plain http, which only confidential clients may use for logout (OpenID Connect ${specification})`;
    return [{ field, message }];
  });
}

interface LogoutUri {
  readonly field: string;
  readonly text: string;
  readonly specification: string;
}

function logoutUrisOf(client: ClientMetadata): LogoutUri[] {
  const { post_logout_redirect_uris: pages = [] } = client;
  const endpoints = [
    ['backchannel_logout_uri', 'Back-Channel Logout section 2.2'],
    ['frontchannel_logout_uri', 'Front-Channel Logout section 2'],
  ] as const;
  return [
    ...pages.map((text, index) => ({
      field: pointerTo('post_logout_redirect_uris', index),
      text,
      specification: 'RP-Initiated Logout section 3.1',
    })),
    ...endpoints.flatMap(([name, specification]) => {
      const text = client[name];
      return text === undefined ? [] : [{ field: pointerTo(name), text, specification }];
    }),
  ];
}

function localhostOfNativeClient(client: ClientMetadata) {
  return onRedirectUris(
    client,
    ({ scheme, host }) =>
      client.application_type === 'native' &&
      scheme === 'http' &&
      host.toLowerCase() === 'localhost' &&
      'uses localhost: 127.0.0.1 or [::1] is recommended, with any port (RFC 8252 section 8.3)',
  );
}

function registeredResponseParameters(client: ClientMetadata) {
  return onRedirectUris(
    client,
    ({ query }) =>
      responseParametersIn(query).length > 0 &&
      'has an OAuth response parameter in its query, which would appear twice in the response (RFC 6749 section 3.1)',
  );
}

function weakPkce(client: ClientMetadata) {
  const { code_challenge_method: method, token_endpoint_auth_method, grant_types } = client;
  const isPublic = token_endpoint_auth_method === 'none' && grant_types.includes('authorization_code');
  const message = `a public client should use code_challenge_method S256, not ${method} (RFC 9700 section 2.1.1)`;
  return on('code_challenge_method', isPublic && method !== 'S256', message);
}

function discouragedGrants({ grant_types }: ClientMetadata) {
  const sections: ReadonlyMap<string, string> = new Map([
    ['implicit', 'section 2.1.2'],
    ['password', 'section 2.4'],
  ]);
  return grant_types.flatMap((grant, index) => {
    const section = sections.get(grant);
    if (section === undefined) return [];
    const message = `grant type ${grant} should no longer be used (RFC 9700 ${section})`;
    return [{ field: pointerTo('grant_types', index), message }];
  });
}

function cookiesWithoutEntry(client: ClientMetadata, capabilities: Capabilities) {
  const missing = usesCookieAuthorization(client, capabilities) && client.cookie_entry_uri === undefined;
  return on('cookie_entry_uri', missing, 'cookie_entry_uri is needed for cookie-based authorization');
}

function cookieDomainElsewhere({ cookie_domain, cookie_entry_uri }: ClientMetadata) {
  if (cookie_domain === undefined || cookie_entry_uri === undefined) return [];
  const domain = cookie_domain.replace(/^\./, '').toLowerCase();
  const host = splitUri(cookie_entry_uri)?.host.toLowerCase() ?? '';
  const message = `browsers reject a cookie for ${domain} from ${host} (RFC 6265 section 5.3)`;
  return on('cookie_domain', host !== domain && !host.endsWith(`.${domain}`), message);
}

function leadingDot({ cookie_domain }: ClientMetadata) {
  const message = 'the leading dot of cookie_domain is ignored by browsers (RFC 6265 section 5.2.3)';
  return on('cookie_domain', cookie_domain?.startsWith('.') ?? false, message);
}

function anonymousWithoutCid({ authorize_anonymous_users, anonymous_cid }: ClientMetadata) {
  const missing = authorize_anonymous_users === true && anonymous_cid === undefined;
  return on(
    'anonymous_cid',
    missing,
    'authorize_anonymous_users is on, but anonymous_cid names no credentials',
  );
}

/** Users may see the name in any of its languages. */
function namesOf(client: ClientMetadata): (readonly [name: string, value: string])[] {
  return metadataNames(client).flatMap((name) => {
    const value = client[name as keyof ClientMetadata];
    return splitName(name).base === 'client_name' && typeof value === 'string'
      ? [[name, value] as const]
      : [];
  });
}

function lookAlikeName(client: ClientMetadata) {
  return namesOf(client).flatMap(([name, value]) => {
    const words = lookAlikeWords(value).map((word) => quote(word));
    const message = `${name} mixes alphabets that look alike: ${words.join(', ')} (UTS #39)`;
    return on(name, words.length > 0, message);
  });
}

function invisibleInName(client: ClientMetadata) {
  return namesOf(client).flatMap(([name, value]) => {
    const found = invisibleCharacters(value);
    return on(name, found.length > 0, `${name} contains invisible characters: ${found.join(', ')}`);
  });
}
