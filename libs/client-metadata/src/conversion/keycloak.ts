import { responseTypesOf } from './grants-and-responses.js';
import { REASONS } from './reasons.js';
import {
  type DerivedFields,
  type DroppedField,
  droppedFields,
  type FieldRule,
  isTrue,
  listedClients,
  type ProductMapping,
  recordFields,
  type SourceClient,
  textOf,
  textsOf,
  withoutWildcards,
} from './product-mapping.js';

/** The Clients that Keycloak creates in each realm. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'account',
  'account-console',
  'admin-cli',
  'admin-permissions',
  'broker',
  'realm-management',
  'security-admin-console',
]);

const AUTH_METHODS: ReadonlyMap<string, string> = new Map([
  ['client-secret', 'client_secret_basic'],
  ['client-secret-jwt', 'client_secret_jwt'],
  ['client-jwt', 'private_key_jwt'],
  ['client-x509', 'tls_client_auth'],
]);

const DEVICE_GRANT = 'attributes.oauth2.device.authorization.grant.enabled';
const TOKEN_EXCHANGE = 'attributes.standard.token.exchange.enabled';
const REFRESH_TOKENS = 'attributes.use.refresh.tokens';
const PKCE = 'attributes.pkce.code.challenge.method';
const MAX_SESSION = 'attributes.client.session.max.lifespan';

const JWKS = 'attributes.jwks.string';
const JWKS_URI = 'attributes.jwks.url';
const USE_JWKS_URI = 'attributes.use.jwks.url';
const AFTER_LOGOUT = 'attributes.post.logout.redirect.uris';
const BACK_CHANNEL_SESSION = 'attributes.backchannel.logout.session.required';
const FRONT_CHANNEL_SESSION = 'attributes.frontchannel.logout.session.required';

const reads = (target: string, ...names: readonly string[]): Record<string, FieldRule> =>
  Object.fromEntries(names.map((name) => [name, { read: target }]));

/**
 * A realm, a list of its clients, or one client, as Keycloak exports them in JSON.
 *
 * @see https://github.com/keycloak/keycloak/blob/main/core/src/main/java/org/keycloak/representations/idm/ClientRepresentation.java
 */
export const KEYCLOAK: ProductMapping = {
  title: 'Keycloak',
  expects: 'a realm with clients, a list of clients, or a client',
  clientsIn: (document) => listedClients(document, ['clients'], ['clientId']),
  flattened: withAttributes,
  skipped,
  fields: {
    clientId: { copied: 'client_id' },
    name: { copied: 'client_name' },
    description: { copied: 'description' },
    enabled: { copied: 'enabled' },
    ...reads('client_uri', 'baseUrl'),
    ...reads('redirect_uris', 'redirectUris', 'rootUrl'),
    ...reads('grant_types', 'standardFlowEnabled', 'implicitFlowEnabled', 'directAccessGrantsEnabled'),
    ...reads('grant_types', 'serviceAccountsEnabled', DEVICE_GRANT, TOKEN_EXCHANGE, REFRESH_TOKENS),
    ...reads('token_endpoint_auth_method', 'publicClient', 'clientAuthenticatorType'),
    ...reads('code_challenge_method', PKCE),
    ...reads('session_expiration', MAX_SESSION),
    'attributes.logoUri': { copied: 'logo_uri' },
    'attributes.policyUri': { copied: 'policy_uri' },
    'attributes.tosUri': { copied: 'tos_uri' },
    'attributes.backchannel.logout.url': { copied: 'backchannel_logout_uri' },
    'attributes.frontchannel.logout.url': { copied: 'frontchannel_logout_uri' },
    'attributes.token.endpoint.auth.signing.alg': { copied: 'token_endpoint_auth_signing_alg' },
    ...reads('jwks', JWKS),
    ...reads('jwks_uri', JWKS_URI),
    ...recordFields(USE_JWKS_URI, 'attributes.use.jwks.string'),
    ...reads('post_logout_redirect_uris', AFTER_LOGOUT),
    ...reads('backchannel_logout_session_required', BACK_CHANNEL_SESSION),
    ...reads('frontchannel_logout_session_required', FRONT_CHANNEL_SESSION),
    secret: { secret: 'plain' },
    registrationAccessToken: 'secret',
    'attributes.client.secret.rotated': 'secret',
    ...recordFields('id', 'protocol', 'access', 'bearerOnly', 'directGrantsOnly', 'origin'),
    ...recordFields('nodeReRegistrationTimeout', 'registeredNodes', 'attributes.client.secret.creation.time'),
    ...recordFields('attributes.client.secret.rotated.creation.time', 'attributes.realm_client'),
    ...recordFields('attributes.client.secret.rotated.expiration.time'),
    ...droppedFields(REASONS.noField, 'type', 'adminUrl', 'alwaysDisplayInConsole'),
    ...droppedFields(REASONS.origins, 'webOrigins'),
    ...droppedFields(REASONS.consent, 'consentRequired', 'attributes.display.on.consent.screen'),
    ...droppedFields(REASONS.consent, 'attributes.consent.screen.text'),
    ...droppedFields(REASONS.scopes, 'defaultClientScopes', 'optionalClientScopes', 'fullScopeAllowed'),
    ...droppedFields(REASONS.access, 'authorizationServicesEnabled', 'authorizationSettings', 'defaultRoles'),
    ...droppedFields(REASONS.login, 'authenticationFlowBindingOverrides', 'surrogateAuthRequired'),
    ...droppedFields(REASONS.login, 'attributes.login_theme', 'attributes.acr.loa.map'),
    ...droppedFields(REASONS.login, 'attributes.default.acr.values'),
    ...droppedFields(REASONS.tokens, 'protocolMappers', 'notBefore'),
    ...recordFields('frontchannelLogout'),
  },
  otherFields: attributeRule,
  derive: (client, supports) => {
    const logout = supports('post_logout_redirect_uris') ? urisAfterLogout(client) : undefined;
    const redirects = redirectUris(client);
    const grants = grantTypes(client);
    return {
      values: {
        ...redirects.values,
        client_name: textOf(client.get('name')),
        client_uri: absolute(client, textOf(client.get('baseUrl'))),
        grant_types: grants,
        response_types: responseTypesOf(grants),
        token_endpoint_auth_method: authMethod(client),
        code_challenge_method: textOf(client.get(PKCE)),
        session_expiration: seconds(client.get(MAX_SESSION)),
        ...keysOf(client),
        post_logout_redirect_uris: logout?.uris,
        backchannel_logout_session_required: isTrue(client.get(BACK_CHANNEL_SESSION)) || undefined,
        frontchannel_logout_session_required: isTrue(client.get(FRONT_CHANNEL_SESSION)) || undefined,
      },
      dropped: [...(redirects.dropped ?? []), ...(logout?.dropped ?? [])],
    };
  },
};

function withAttributes(client: SourceClient): SourceClient {
  const attributes = client.get('attributes');
  if (typeof attributes !== 'object' || attributes === null) return client;
  const plain = [...client].filter(([name]) => name !== 'attributes');
  const nested = Object.entries(attributes as Record<string, unknown>);
  return new Map([...plain, ...nested.map(([name, value]) => [`attributes.${name}`, value] as const)]);
}

function skipped(client: SourceClient): string | undefined {
  const id = client.get('clientId');
  const protocol = client.get('protocol');
  if (typeof id === 'string' && BUILT_IN.has(id)) return 'Keycloak creates it in each realm';
  if (client.get('attributes.realm_client') === 'true') return 'Keycloak creates it for a realm';
  if (typeof protocol === 'string' && protocol !== 'openid-connect')
    return `its protocol is not OpenID Connect`;
  if (isTrue(client.get('bearerOnly'))) return 'it is bearer-only: it accepts tokens but requests none';
  return undefined;
}

/** Attributes with many names by what their names begin with. */
const ATTRIBUTE_REASONS: readonly (readonly [start: string, reason: string])[] = [
  ['attributes.backchannel.logout.', REASONS.logout],
  ['attributes.frontchannel.logout.', REASONS.logout],
  ['attributes.jwks.', REASONS.keys],
  ['attributes.jwt.credential.', REASONS.keys],
  ['attributes.use.jwks.', REASONS.keys],
  ['attributes.x509.', REASONS.keys],
  ['attributes.tls.', REASONS.keys],
  ['attributes.saml', 'SAML is not supported'],
  ['attributes.client.', REASONS.tokens],
  ['attributes.access.token.', REASONS.tokens],
  ['attributes.id.token.', REASONS.tokens],
  ['attributes.user.info.', REASONS.tokens],
];

function attributeRule(name: string): FieldRule | undefined {
  const found = ATTRIBUTE_REASONS.find(([start]) => name.startsWith(start));
  return found && { dropped: found[1] };
}

/** As Keycloak's own registration endpoint describes its Clients. */
function grantTypes(client: SourceClient): string[] {
  const code = isTrue(client.get('standardFlowEnabled') ?? true);
  const password = isTrue(client.get('directAccessGrantsEnabled'));
  const device = isTrue(client.get(DEVICE_GRANT));
  const refreshes = (code || password || device) && isTrue(client.get(REFRESH_TOKENS) ?? true);
  const grants: readonly (readonly [string, boolean])[] = [
    ['authorization_code', code],
    ['implicit', isTrue(client.get('implicitFlowEnabled'))],
    ['password', password],
    ['client_credentials', isTrue(client.get('serviceAccountsEnabled'))],
    ['urn:ietf:params:oauth:grant-type:device_code', device],
    ['urn:ietf:params:oauth:grant-type:token-exchange', isTrue(client.get(TOKEN_EXCHANGE))],
    ['refresh_token', refreshes],
  ];
  return grants.flatMap(([grant, applies]) => (applies ? [grant] : []));
}

function authMethod(client: SourceClient): string {
  if (isTrue(client.get('publicClient'))) return 'none';
  const type = textOf(client.get('clientAuthenticatorType')) ?? 'client-secret';
  return AUTH_METHODS.get(type) ?? type;
}

/** A relative address belongs to `rootUrl`. */
function absolute(client: SourceClient, uri: string | undefined): string | undefined {
  const root = textOf(client.get('rootUrl'));
  if (uri === undefined || !uri.startsWith('/') || root === undefined) return uri;
  return root.replace(/\/$/, '') + uri;
}

/**
 * Keycloak's `https://app.example.com/*` is a prefix. Ours applies to all redirect URIs of a Client, so it is used only
 * if all of them are prefixes.
 */
function redirectUris(client: SourceClient): DerivedFields {
  const given = client.get('redirectUris') ?? [];
  const uris = textsOf(given)?.map((uri) => absolute(client, uri) ?? '');
  if (!uris) return { values: { redirect_uris: given } };
  if (uris.length > 0 && uris.every((uri) => /^[^*]+\/\*$/.test(uri) && !/^[a-z]+:\/\/\*$/i.test(uri))) {
    const redirect_uris = uris.map((uri) => uri.slice(0, -1));
    const values = { redirect_uris, redirect_uri_validation_method: 'prefix_match' };
    return { values, dropped: [withoutSlash(redirect_uris)] };
  }
  const { uris: redirect_uris, dropped } = withoutWildcards('redirectUris', uris);
  return { values: { redirect_uris }, dropped };
}

/** Keycloak's pattern also matches what precedes its slash; as one of our prefixes, that would match too much. */
function withoutSlash([first = '', ...others]: readonly string[]): DroppedField {
  const reason = `Keycloak also accepts ${first.slice(0, -1)}; the registry does not`;
  const more = others.length === 0 ? '' : '; the same applies to the other patterns';
  return { field: 'redirectUris/0', reason: `${reason}${more}` };
}

function seconds(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : (textOf(value) ?? '');
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
}

/** Keycloak keeps both, and uses the one that is switched on. */
function keysOf(client: SourceClient): DerivedFields['values'] {
  const text = textOf(client.get(JWKS));
  if (isTrue(client.get(USE_JWKS_URI)) || text === undefined)
    return { jwks_uri: isTrue(client.get(USE_JWKS_URI)) ? textOf(client.get(JWKS_URI)) : undefined };
  try {
    return { jwks: JSON.parse(text) as unknown };
  } catch {
    return { jwks: text };
  }
}

/** Separated by `##`; `+` stands for the redirect URIs, `-` for none. */
function urisAfterLogout(client: SourceClient): ReturnType<typeof withoutWildcards> | undefined {
  const given = textOf(client.get(AFTER_LOGOUT));
  if (given === undefined || given === '-') return undefined;
  const own = textsOf(client.get('redirectUris')) ?? [];
  const uris = given.split('##').flatMap((uri) => (uri === '+' ? own : [uri]));
  return withoutWildcards(
    AFTER_LOGOUT,
    uris.map((uri) => absolute(client, uri) ?? uri),
  );
}
