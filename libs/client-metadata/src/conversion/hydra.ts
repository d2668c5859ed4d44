import { jsonOrText, memberOf } from '@svc/foundation';
import { registrationDefaults } from './grants-and-responses.js';
import { notConfigured, REASONS } from './reasons.js';
import {
  type DroppedField,
  droppedFields,
  listedClients,
  type ProductMapping,
  recordFields,
  type SourceClient,
  textOf,
} from './product-mapping.js';
import { REGISTRATION_FIELDS } from './registration-fields.js';

const LISTS = ['redirect_uris', 'grant_types', 'response_types', 'contacts', 'post_logout_redirect_uris'];

/** CSV exports of the table contain these as text. */
const FLAGS = ['backchannel_logout_session_required', 'frontchannel_logout_session_required'];

const FLAG_TEXTS: ReadonlyMap<unknown, boolean> = new Map(
  Object.entries({ t: true, true: true, 1: true, f: false, false: false, 0: false }),
);

/** Values that Hydra writes for unset fields: an empty key set, and false for a requirement. */
const UNSET: ReadonlySet<string> = new Set(['{}', '{"keys":null}', '{"keys":[]}', 'null', '""']);

const GRANTS_WITH_LIFESPANS = [
  'authorization_code_grant',
  'client_credentials_grant',
  'device_authorization_grant',
  'implicit_grant',
  'jwt_bearer_grant',
  'password_grant',
  'refresh_token_grant',
];

/**
 * `hydra list oauth2-clients --format json`, responses of `GET /admin/clients`, and rows of the table `hydra_client`,
 * whose lists are JSON or, before version 2, separated by `|`.
 *
 * @see https://github.com/ory/hydra/blob/master/client/client.go
 */
export const HYDRA: ProductMapping = {
  title: 'Ory Hydra',
  expects: 'a list of OAuth 2.0 clients, or a response with items',
  clientsIn: (document) => listedClients(document, ['items'], ['client_id']),
  missing: (document) =>
    textOf(memberOf(document, 'next_page_token')) !== undefined &&
    memberOf(document, 'is_last_page') !== true,
  flattened: (client) => withLists(withId(client)),
  fields: {
    ...REGISTRATION_FIELDS,
    ...recordFields('pk', 'nid', 'created_at', 'updated_at', 'registration_access_token_signature'),
    // The table has its hash.
    client_secret: { secret: 'either' },
    rotated_secrets: 'secret',
    ...droppedFields(REASONS.noField, 'owner', 'metadata'),
    ...droppedFields(REASONS.origins, 'allowed_cors_origins'),
    ...droppedFields(REASONS.consent, 'skip_consent', 'skip_logout_consent'),
    ...droppedFields(
      REASONS.tokens,
      'access_token_strategy',
      ...GRANTS_WITH_LIFESPANS.flatMap((grant) =>
        ['access', 'id', 'refresh'].map((token) => `${grant}_${token}_token_lifespan`),
      ),
    ),
  },
  derive: (client, supports) => {
    const { values, dropped = [] } = registrationDefaults(client);
    return { values, dropped: [...dropped, ...emptyScope(client, supports('scope'))] };
  },
};

/** A Client without scopes may request none in Hydra; here, there would be no limit. */
function emptyScope(client: SourceClient, isSupported: boolean): DroppedField[] {
  if (!client.has('scope') || textOf(client.get('scope')) !== undefined) return [];
  return [{ field: 'scope', reason: isSupported ? REASONS.emptyScope : notConfigured('scope') }];
}

/** In the table, `id` is the client_id. */
function withId(client: SourceClient): SourceClient {
  if (client.has('client_id') || !client.has('id')) return client;
  return new Map([...client].map(([name, value]) => [name === 'id' ? 'client_id' : name, value]));
}

function withLists(client: SourceClient): SourceClient {
  return new Map([...client].map(([name, value]) => [name, toValue(name, value)]));
}

function toValue(name: string, value: unknown): unknown {
  if (LISTS.includes(name)) return toList(value);
  if (FLAGS.includes(name)) return (FLAG_TEXTS.get(value) ?? value) || undefined;
  if (name !== 'jwks' || value == null || value === '') return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (UNSET.has(text.replaceAll(/\s/g, ''))) return undefined;
  return typeof value === 'string' ? jsonOrText(value) : value;
}

/** @returns an unreadable value unchanged, for the validation to reject */
function toList(value: unknown): unknown {
  if (typeof value !== 'string' || value === '') return value === '' ? undefined : value;
  if (!value.startsWith('[')) return value.split('|');
  return jsonOrText(value);
}
