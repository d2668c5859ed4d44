import type { OpenAPIObject } from '@nestjs/swagger';
import {
  type Capabilities,
  clientSchema,
  patchSchema,
  registrationSchema,
  updateSchema,
} from '@svc/client-metadata';
import { type SchemaName, schemaRef } from './schema-ref.js';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** Completes the API document with what Clients look like, read off the metadata table. */
export function describeClients(document: OpenAPIObject, capabilities: Capabilities): OpenAPIObject {
  const schemas = { ...document.components?.schemas, ...(schemasOf(capabilities) as Schemas) };
  return { ...document, components: { ...document.components, schemas } };
}

function schemasOf(capabilities: Capabilities): Record<Exclude<SchemaName, 'Problem'>, object> {
  return {
    Client: clientSchema(capabilities),
    RegisteredClient: {
      allOf: [schemaRef('Client')],
      required: ['client_id', 'client_secret'],
      description: 'A Client with its client_secret, which no other answer holds.',
    },
    ClientRegistration: registrationSchema(capabilities),
    ClientUpdate: updateSchema(capabilities),
    ClientPatch: patchSchema(capabilities),
    ClientList: {
      type: 'object',
      required: ['clients', 'seq'],
      properties: {
        clients: listOf(schemaRef('Client')),
        seq: {
          type: 'integer',
          description:
            'The walk through all pages reflects every change up to this one, and perhaps later ones.',
        },
        next: { type: 'string', description: 'The cursor of the next page; absent on the last one.' },
        total: {
          type: 'integer',
          minimum: 0,
          description: 'How many there are, where `count` asks for it; at most 10000.',
        },
        total_is_exact: { type: 'boolean', description: 'Beside `total`: false when there are more.' },
      },
    },
    Features: {
      type: 'object',
      required: ['fields', 'schemas', 'templates', 'limits', 'deviations'],
      properties: {
        fields: listOf({ type: 'object' }),
        schemas: { type: 'object', description: 'JSON Schema of a registration and of an update.' },
        templates: listOf({ type: 'object' }),
        limits: { type: 'object' },
        deviations: listOf({ type: 'object' }),
      },
    },
  };
}

function listOf(items: object): object {
  return { type: 'array', items };
}
