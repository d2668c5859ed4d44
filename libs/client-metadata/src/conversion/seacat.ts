import { memberOf } from '@svc/foundation';
import { registrationDefaults } from './grants-and-responses.js';
import { REASONS } from './reasons.js';
import {
  type DerivedFields,
  droppedFields,
  listedClients,
  type ProductMapping,
  recordFields,
  sameNames,
  type SourceClient,
} from './product-mapping.js';
import { REGISTRATION_FIELDS } from './registration-fields.js';

/** Fields that both have; an empty text means unset. */
const SHARED = [
  'code_challenge_method',
  'redirect_uri_validation_method',
  'cookie_webhook_uri',
  'cookie_entry_uri',
  'cookie_domain',
  'authorize_uri',
  'login_uri',
  'authorize_anonymous_users',
  'anonymous_cid',
  'session_expiration',
];

/**
 * Documents of SeaCat Auth's collection `cl`, as `mongoexport` writes them, and lists of its API.
 *
 * @see https://github.com/TeskaLabs/seacat-auth/blob/main/seacatauth/client/schema.py
 */
export const SEACAT: ProductMapping = {
  title: 'SeaCat Auth',
  expects: 'a list of client documents, or a response with data',
  clientsIn: (document) => listedClients(document, ['data'], ['_id', 'client_id']),
  missing: hasMore,
  flattened: withId,
  fields: {
    ...REGISTRATION_FIELDS,
    ...sameNames(...SHARED),
    __client_secret: { secret: 'hash' },
    ...recordFields(
      '_id',
      '_v',
      '_c',
      '_m',
      '_provider_id',
      'preferred_client_id',
      'read_only',
      'cookie_name',
    ),
    ...recordFields('client_secret_updated_at', 'created_at', 'modified_at'),
    ...droppedFields(REASONS.noField, 'custom_data', 'managed_by'),
    ...droppedFields(REASONS.logout, 'logout_uri'),
    ...droppedFields(REASONS.access, 'seacatauth_credentials'),
  },
  derive: (client) => {
    const { values, dropped } = registrationDefaults(client);
    return { values: { ...values, ...unsetFields(client) }, ...(dropped && { dropped }) };
  },
};

function hasMore(document: unknown): boolean {
  const [count, list] = [memberOf(document, 'count'), memberOf(document, 'data')];
  return typeof count === 'number' && Array.isArray(list) && count > list.length;
}

function withId(client: SourceClient): SourceClient {
  if (client.has('client_id') || !client.has('_id')) return client;
  return new Map([['client_id', client.get('_id')], ...client]);
}

function unsetFields(client: SourceClient): DerivedFields['values'] {
  return Object.fromEntries(
    SHARED.filter((name) => client.get(name) === '').map((name) => [name, undefined]),
  );
}
