import type { ApiResponseOptions } from '@nestjs/swagger';

/** The schemas that `describeRegistry` derives from the metadata table. */
export type SchemaName =
  'Client' | 'RegisteredClient' | 'ClientRegistration' | 'ClientUpdate' | 'ClientPatch';

/** Refers to a schema of the API document that has no class. */
export function schemaRef(name: SchemaName): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

export const CLIENT_ID_PARAM = { name: 'client_id', description: 'Id of the client.', example: 'shop-web' };

export const NO_CLIENT = 'No client has this client_id.';

export const IF_MATCH_HEADER = {
  name: 'If-Match',
  required: false,
  description: 'An ETag in double quotes. 400 if malformed, 412 if it is not the current one.',
};

export const MIN_CHANGE_SEQ_HEADER = {
  name: 'Min-Change-Seq',
  required: false,
  description:
    'The position of a change that the response must reflect, for registries that read from standbys.',
  schema: { type: 'string', example: '42-9f86d081884c' },
};

type Headers = NonNullable<ApiResponseOptions['headers']>;

export const ETAG: Headers = {
  ETag: text('The state of the client, for If-Match and If-None-Match.', '"42-9f86d081884c"'),
};

export const DATA_AGE: Headers = {
  'Data-Age': {
    description: 'Maximum age of the data, in seconds. Absent when it was read from the primary.',
    schema: { type: 'integer', example: 1 },
  },
};

export const REPLAYED: Headers = {
  'Idempotency-Replayed': text('Present when the Idempotency-Key was used before.', 'true'),
};

/** @param path of an example */
export function locationHeader(path: string): Headers {
  return { Location: text('Path of the created resource.', path) };
}

/** @param path of an example */
export function linkHeader(path: string): Headers {
  return { Link: text('The next page (RFC 8288); absent on the last one.', `<${path}>; rel="next"`) };
}

function text(description: string, example: string) {
  return { description, schema: { type: 'string', example } } as const;
}
