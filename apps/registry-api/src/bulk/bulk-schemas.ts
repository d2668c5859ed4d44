import { schemaRef } from '../openapi/schema-ref.js';
import { MAX_OPERATIONS } from './bulk-request.js';

const text = (description: string) => ({ type: 'string', description });

const OPERATION = {
  type: 'object',
  required: ['op'],
  properties: {
    op: { enum: ['register', 'update', 'delete', 'enable', 'disable'] },
    client_id: text('Of the Client; not for a registration.'),
    client: {
      ...schemaRef('ClientRegistration'),
      description: 'Of a registration, or of an update that replaces.',
    },
    patch: { ...schemaRef('ClientPatch'), description: 'Of an update that changes (RFC 7396).' },
    if_match: text('As the header If-Match.'),
  },
};

export const BULK_REQUEST = {
  type: 'object',
  required: ['operations'],
  properties: {
    atomic: { type: 'boolean', default: true, description: 'All operations or none.' },
    dry_run: { type: 'boolean', default: false, description: 'Answer as if it were done, and do nothing.' },
    operations: { type: 'array', minItems: 1, maxItems: MAX_OPERATIONS, items: OPERATION },
  },
};

export const BULK_ANSWER = {
  type: 'object',
  required: ['atomic', 'dry_run', 'succeeded', 'failed', 'results'],
  properties: {
    atomic: { type: 'boolean' },
    dry_run: { type: 'boolean' },
    succeeded: { type: 'integer' },
    failed: { type: 'integer', description: 'Always 0 where the operations are carried out together.' },
    results: {
      type: 'array',
      description: 'One for each operation, in their order.',
      items: {
        type: 'object',
        required: ['index', 'op', 'status'],
        properties: {
          index: { type: 'integer' },
          op: { type: 'string' },
          client_id: text('Absent where it was not asked for and is not generated yet.'),
          status: { type: 'integer', description: 'As if the operation had come on its own.' },
          changed: { type: 'boolean', description: 'False when all was so already.' },
          etag: text('Of the Client afterwards.'),
          client_secret: text('Of a registration; no later answer holds it.'),
          problem: { type: 'object', description: 'Of a failed operation: error, detail, errors.' },
        },
      },
    },
  },
};
