import { schemaRef } from '../openapi/schema-ref.js';

const TEXT = { type: 'string' };

/** The bodies of registration, for the API document. */
export const CLIENT_METADATA = {
  allOf: [schemaRef('ClientUpdate')],
  description:
    'Client metadata (RFC 7591 section 2). What is not known is ignored; some is the administrator’s.',
};

/** RFC 7592 section 2.2: the whole Client, with its own name. */
export const CLIENT_REPLACEMENT = {
  ...CLIENT_METADATA,
  required: ['client_id'],
  properties: { client_id: { ...TEXT, description: 'That of the path.' } },
};

export const CLIENT_INFORMATION = {
  type: 'object',
  required: ['client_id', 'registration_client_uri', 'registration_access_token'],
  additionalProperties: true,
  properties: {
    client_id: TEXT,
    client_secret: {
      ...TEXT,
      description:
        'In the answer to a registration, and to a change of token_endpoint_auth_method from none; never with none.',
    },
    client_id_issued_at: { type: 'integer' },
    client_secret_expires_at: {
      type: 'integer',
      description: '0: it does not expire. Absent where token_endpoint_auth_method is none.',
    },
    registration_client_uri: TEXT,
    registration_access_token: TEXT,
  },
};
