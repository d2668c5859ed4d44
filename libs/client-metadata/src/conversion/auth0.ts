import { memberOf } from '@svc/foundation';
import { responseTypesOf } from './grants-and-responses.js';
import { REASONS } from './reasons.js';
import {
  type DerivedFields,
  droppedFields,
  isTrue,
  listedClients,
  type ProductMapping,
  recordFields,
  type SourceClient,
  textOf,
  textsOf,
  withoutWildcards,
} from './product-mapping.js';

/** Auth0's own grant types, such as `http://auth0.com/oauth/grant-type/password-realm`. */
const OWN_GRANT = /^http:\/\/auth0\.com\//;

/**
 * Responses of `GET /api/v2/clients`, output of `auth0 apps list --json`, and files of the Deploy CLI, which have no
 * client_id.
 *
 * @see https://auth0.github.io/node-auth0/interfaces/management.Management.GetClientResponseContent.html
 */
export const AUTH0: ProductMapping = {
  title: 'Auth0',
  expects: 'a list of clients, a response or tenant with clients, or a client',
  clientsIn: (document) => listedClients(document, ['clients'], ['client_id', 'app_type', 'callbacks']),
  missing: hasMore,
  skipped: (client) => (isTrue(client.get('global')) ? 'Auth0 creates it in each tenant' : undefined),
  fields: {
    client_id: { copied: 'client_id' },
    name: { copied: 'client_name' },
    description: { copied: 'description' },
    callbacks: { read: 'redirect_uris' },
    grant_types: { read: 'grant_types' },
    app_type: { read: 'application_type' },
    token_endpoint_auth_method: { read: 'token_endpoint_auth_method' },
    client_authentication_methods: { read: 'token_endpoint_auth_method' },
    logo_uri: { copied: 'logo_uri' },
    jwks_uri: { copied: 'jwks_uri' },
    allowed_logout_urls: { read: 'post_logout_redirect_uris' },
    oidc_logout: { read: 'backchannel_logout_uri' },
    oidc_backchannel_logout: { read: 'backchannel_logout_uri' },
    client_secret: { secret: 'plain' },
    encryption_key: 'secret',
    ...recordFields('tenant', 'global', 'callback_url_template', 'created_at', 'updated_at'),
    ...recordFields('is_token_endpoint_ip_header_trusted', 'owners', 'external_client_id'),
    ...droppedFields(REASONS.noField, 'client_metadata', 'initiate_login_uri'),
    ...droppedFields(
      REASONS.noField,
      'is_first_party',
      'client_aliases',
      'addons',
      'mobile',
      'oidc_conformant',
    ),
    ...droppedFields(REASONS.origins, 'allowed_origins', 'web_origins', 'cross_origin_loc'),
    ...droppedFields(REASONS.origins, 'cross_origin_auth', 'cross_origin_authentication'),
    ...droppedFields(REASONS.keys, 'signing_keys', 'signed_request_object'),
    ...droppedFields(REASONS.tokens, 'jwt_configuration', 'refresh_token', 'token_exchange', 'token_quota'),
    ...droppedFields(REASONS.tokens, 'require_proof_of_possession', 'compliance_level'),
    ...droppedFields(REASONS.tokens, 'require_pushed_authorization_requests', 'default_organization'),
    ...droppedFields(
      REASONS.access,
      'allowed_clients',
      'organization_usage',
      'organization_require_behavior',
    ),
    ...droppedFields(REASONS.access, 'resource_server_identifier', 'organization_discovery_methods'),
    ...droppedFields(REASONS.login, 'sso', 'sso_disabled', 'custom_login_page_on', 'custom_login_page'),
    ...droppedFields(REASONS.login, 'custom_login_page_preview', 'form_template', 'native_social_login'),
    ...droppedFields(
      REASONS.login,
      'session_transfer',
      'fedcm_login',
      'skip_non_verifiable_callback_uri_confirmation_prompt',
    ),
  },
  derive: (client, supports) => {
    const logout = supports('post_logout_redirect_uris') ? urisAfterLogout(client) : undefined;
    const redirects = callbacks(client);
    const grants = grantTypes(client);
    return {
      values: {
        ...redirects.values,
        ...grants.values,
        application_type: client.get('app_type') === 'native' ? 'native' : 'web',
        token_endpoint_auth_method: authMethod(client),
        post_logout_redirect_uris: logout?.uris,
        backchannel_logout_uri: backChannelUri(client),
      },
      dropped: [...(redirects.dropped ?? []), ...(grants.dropped ?? []), ...(logout?.dropped ?? [])],
    };
  },
};

function hasMore(document: unknown): boolean {
  const [total, list] = [memberOf(document, 'total'), memberOf(document, 'clients')];
  return typeof total === 'number' && Array.isArray(list) && total > list.length;
}

/** Auth0 allows wildcards in the host. */
function callbacks(client: SourceClient): DerivedFields {
  const given = client.get('callbacks') ?? [];
  const uris = textsOf(given);
  if (!uris) return { values: { redirect_uris: given } };
  const { uris: redirect_uris, dropped } = withoutWildcards('callbacks', uris);
  return { values: { redirect_uris }, dropped };
}

function grantTypes(client: SourceClient): DerivedFields {
  const given = client.get('grant_types') ?? ['authorization_code'];
  const grants = textsOf(given);
  if (!grants) return { values: { grant_types: given } };
  const standard = grants.filter((grant) => !OWN_GRANT.test(grant));
  return {
    values: { grant_types: standard, response_types: responseTypesOf(standard) },
    dropped: grants.flatMap((grant, index) =>
      OWN_GRANT.test(grant)
        ? [{ field: `grant_types/${index}`, reason: "one of Auth0's own grant types" }]
        : [],
    ),
  };
}

/** What Auth0 uses where none is set. */
function authMethod(client: SourceClient): string {
  const given = textOf(client.get('token_endpoint_auth_method'));
  if (given !== undefined) return given;
  const methods = client.get('client_authentication_methods');
  const named = ['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth'];
  const other = named.find((name) => memberOf(methods, name) != null);
  if (other !== undefined) return other;
  return ['native', 'spa'].includes(textOf(client.get('app_type')) ?? '') ? 'none' : 'client_secret_post';
}

function urisAfterLogout(client: SourceClient): ReturnType<typeof withoutWildcards> | undefined {
  const uris = textsOf(client.get('allowed_logout_urls'));
  return uris && withoutWildcards('allowed_logout_urls', uris);
}

/** Auth0 calls only the first. */
function backChannelUri(client: SourceClient): unknown {
  const logout = client.get('oidc_logout') ?? client.get('oidc_backchannel_logout');
  return textsOf(memberOf(logout, 'backchannel_logout_urls'))?.[0];
}
