import { isJsonObject, memberOf, pointerTo } from '@svc/foundation';
import { responseTypesOf } from './grants-and-responses.js';
import { notConfigured, REASONS } from './reasons.js';
import {
  type DerivedFields,
  droppedFields,
  type DroppedField,
  listedClients,
  type LocatedClient,
  type ProductMapping,
  recordFields,
  type SourceClient,
  textOf,
  textsOf,
} from './product-mapping.js';

const PROVIDER_MODEL = 'authentik_providers_oauth2.oauth2provider';

/** Characters of regular expressions that are not in plain addresses. */
const PATTERN = /[*+()[\]{}|^$\\]/;

/**
 * Responses of `GET /api/v3/providers/oauth2/`, and blueprints with OAuth2 providers.
 *
 * @see https://docs.goauthentik.io/developer-docs/api/reference/providers-oauth-2-list
 */
export const AUTHENTIK: ProductMapping = {
  title: 'authentik',
  expects: 'a list of OAuth2 providers, a response with results, or a blueprint with entries',
  clientsIn: (document) =>
    blueprintEntries(document) ?? listedClients(document, ['results'], ['client_type']),
  missing: (document) => Number(memberOf(memberOf(document, 'pagination'), 'next') ?? 0) > 0,
  fields: {
    client_id: { copied: 'client_id' },
    name: { copied: 'client_name' },
    assigned_application_name: { read: 'client_name' },
    client_type: { read: 'token_endpoint_auth_method' },
    redirect_uris: { read: 'redirect_uris' },
    grant_types: { read: 'grant_types' },
    client_secret: { secret: 'plain' },
    ...recordFields('pk', 'component', 'verbose_name', 'verbose_name_plural', 'meta_model_name'),
    ...recordFields('assigned_application_slug', 'assigned_backchannel_application_slug'),
    ...recordFields('assigned_backchannel_application_name', 'managed', 'backchannel_application'),
    ...droppedFields(REASONS.login, 'authentication_flow', 'authorization_flow', 'invalidation_flow'),
    ...droppedFields(REASONS.scopes, 'property_mappings', 'include_claims_in_id_token'),
    ...droppedFields(
      REASONS.tokens,
      'access_code_validity',
      'access_token_validity',
      'refresh_token_validity',
    ),
    ...droppedFields(REASONS.tokens, 'refresh_token_threshold', 'sub_mode', 'issuer_mode'),
    ...droppedFields(REASONS.keys, 'signing_key', 'encryption_key', 'jwks_sources'),
    ...droppedFields(REASONS.access, 'jwt_federation_sources', 'jwt_federation_providers'),
    backchannel_logout_uri: { copied: 'backchannel_logout_uri' },
    ...recordFields('logout_method'),
  },
  otherFields: (name, client) => (name === 'logout_uri' ? { read: logoutField(client) } : undefined),
  derive: (client, supports) => {
    const redirects = redirectUris(client, supports('post_logout_redirect_uris'));
    const grants = client.get('grant_types') ?? ['authorization_code', 'refresh_token'];
    return {
      values: {
        ...redirects.values,
        client_name: textOf(client.get('assigned_application_name')) ?? client.get('name'),
        grant_types: grants,
        response_types: responseTypesOf(textsOf(grants) ?? []),
        ...logoutUri(client),
        token_endpoint_auth_method: client.get('client_type') === 'public' ? 'none' : 'client_secret_basic',
      },
      dropped: redirects.dropped ?? [],
    };
  },
};

/** @returns undefined if the document is not a blueprint */
function blueprintEntries(document: unknown): LocatedClient[] | undefined {
  const entries = memberOf(document, 'entries');
  if (!Array.isArray(entries)) return undefined;
  return entries.flatMap((entry: unknown, index) => {
    if (memberOf(entry, 'model') !== PROVIDER_MODEL) return [];
    const value = { ...objectOf(memberOf(entry, 'identifiers')), ...objectOf(memberOf(entry, 'attrs')) };
    return [{ pointer: pointerTo('entries', index), value }];
  });
}

function objectOf(value: unknown): object {
  return isJsonObject(value) ? value : {};
}

/** Each with its matching mode; before version 2024.12, one text with a pattern per line. */
function redirectUris(client: SourceClient, takesLogout: boolean): DerivedFields {
  const given = client.get('redirect_uris') ?? [];
  const items: unknown = typeof given === 'string' ? given.split(/\s+/).filter((line) => line !== '') : given;
  if (!Array.isArray(items)) return { values: { redirect_uris: given } };
  const redirect_uris: unknown[] = [];
  const post_logout_redirect_uris: unknown[] = [];
  const dropped: DroppedField[] = [];
  for (const [index, item] of items.entries() as Iterable<[number, unknown]>) {
    const isLogout = memberOf(item, 'redirect_uri_type') === 'logout';
    const reason =
      reasonToDrop(item) ??
      (isLogout && !takesLogout ? notConfigured('post_logout_redirect_uris') : undefined);
    const list = isLogout ? post_logout_redirect_uris : redirect_uris;
    if (reason === undefined) list.push(typeof item === 'string' ? item : memberOf(item, 'url'));
    else dropped.push({ field: `redirect_uris/${index}`, reason });
  }
  return { values: { redirect_uris, post_logout_redirect_uris }, dropped };
}

function reasonToDrop(item: unknown): string | undefined {
  if (typeof item === 'string') return PATTERN.test(item) ? REASONS.pattern : undefined;
  return memberOf(item, 'matching_mode') === 'regex' ? REASONS.pattern : undefined;
}

function logoutUri(client: SourceClient): DerivedFields['values'] {
  const uri = textOf(client.get('logout_uri'));
  return uri === undefined ? {} : { [logoutField(client)]: uri };
}

/** Our field for `logout_uri`, which is for either channel. */
function logoutField(client: SourceClient): string {
  const isFront = textOf(client.get('logout_method'))?.startsWith('frontchannel');
  return isFront ? 'frontchannel_logout_uri' : 'backchannel_logout_uri';
}
