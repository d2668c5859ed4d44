import type { OpenAPIObject } from '@nestjs/swagger';
import {
  type Capabilities,
  CLIENT_FIELDS,
  type ClientDocument,
  clientSchema,
  clientTemplates,
  patchSchema,
  registrationSchema,
  updateSchema,
  type JsonSchema,
  validateRegistration,
} from '@svc/client-metadata';
import type { ApiDescription, Refusals } from '@svc/service-kit';
import { type SchemaName, schemaRef } from './operation-parts.js';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** The parts of the API document that are not in controllers. */
export function describeRegistry(version: string, capabilities: Capabilities): ApiDescription {
  return {
    title: 'Client registry',
    description: 'Registers OAuth 2.0 clients and serves them to authorization servers.',
    version,
    tags: {
      clients: 'Register, find, change, export and import clients, and follow their changes.',
      checks: 'Checks for authorization servers.',
      registration: 'Dynamic client registration by developers (RFC 7591, RFC 7592).',
      tokens: 'API tokens: create, list and revoke them.',
      audit: 'The audit log: security events.',
    },
    complete: (document) => {
      const schemas = { ...document.components?.schemas, ...(schemasOf(capabilities) as Schemas) };
      return { ...document, components: { ...document.components, schemas } };
    },
    refusals: REFUSALS,
  };
}

const REFUSALS: Refusals = {
  meanings: {
    403: 'The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out.',
    503: 'The database cannot be reached, or the service is overloaded; see Retry-After.',
  },
  // OAuth clients read errors as plain JSON (RFC 7591 section 3.2.2); the documents are the same. A path that is too long
  // has not been matched to a route yet.
  mediaTypeOf: (status, { tags = [] }) =>
    tags.includes('registration') && status !== '414' ? 'application/json' : 'application/problem+json',
};

/** The schemas of clients, derived from the metadata table. */
function schemasOf(capabilities: Capabilities): Record<SchemaName, object> {
  const [template] = clientTemplates(capabilities);
  const metadata = { ...template?.metadata };
  const registered = validateRegistration(metadata, capabilities);
  const client = { ...SERVER_MEMBERS, ...(registered.valid ? registered.metadata : metadata) };
  return {
    Client: { ...clientSchema(capabilities), required: ALWAYS_PRESENT, example: client },
    RegisteredClient: {
      allOf: [schemaRef('Client')],
      type: 'object',
      required: ['client_id'],
      properties: {
        client_secret: {
          type: 'string',
          description: 'No other response contains it. Absent with Idempotency-Replayed.',
          example: 'WJ0nSSXVpsTLMlR2YvM7P2bKl3dTj4eQ0cZxJtYbA1s',
        },
      },
      description: 'A client, with its client_secret the first time.',
    },
    ClientRegistration: { ...registrationSchema(capabilities), example: metadata },
    ClientUpdate: { ...withoutReadOnly(updateSchema(capabilities)), example: metadata },
    ClientPatch: { ...patchSchema(capabilities), example: { client_name: 'My renamed web application' } },
  };
}

/** An update may contain the server's own members, as a client sends back what it has read. */
function withoutReadOnly(schema: JsonSchema): JsonSchema {
  const properties = Object.entries(schema['properties'] as Record<string, JsonSchema>);
  return {
    ...schema,
    properties: Object.fromEntries(properties.map(([name, { readOnly: _, ...member }]) => [name, member])),
  };
}

/** An example of what the server adds to the metadata. */
const SERVER_MEMBERS: Partial<ClientDocument> = {
  client_id: 'shop-web',
  client_id_issued_at: 1_795_248_000,
  enabled: true,
  client_secrets: [],
  cookie_name: 'auth-shop-web',
  created_at: '2026-11-21T08:00:00.000Z',
  updated_at: '2026-11-21T08:00:00.000Z',
  warnings: [],
};

/** The members of every Client: what the server adds, and metadata that is required or has a default. */
const ALWAYS_PRESENT = [
  ...Object.keys(SERVER_MEMBERS),
  ...CLIENT_FIELDS.filter(
    ({ editable, required, default: value }) => editable === 'always' && (required || value !== undefined),
  ).map(({ name }) => name),
];
