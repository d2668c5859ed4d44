import { ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { type Capabilities, fieldNamed, usesSecret } from '@svc/client-metadata';
import { toClientDocument } from '../clients/client-document.js';
import type { StoredClient } from '../clients/stored-client.js';
import { schemaRef } from '../openapi/operation-parts.js';

const DESCRIPTION =
  'Client metadata (RFC 7591 section 2). Unknown members are ignored; some are reserved for administrators.';

/** Body of `POST /register`. */
export const CLIENT_METADATA = { allOf: [schemaRef('ClientUpdate')], description: DESCRIPTION };

/** Body of `PUT /register/{client_id}`: the whole Client, with its own id (RFC 7592 section 2.2). */
export const CLIENT_REPLACEMENT = {
  allOf: [schemaRef('ClientUpdate')],
  type: 'object',
  required: ['client_id'],
  properties: {
    client_id: { type: 'string', description: 'The client_id of the path.', example: 'shop-web' },
  },
  description: DESCRIPTION,
};

/** Where and with what the Client is managed (RFC 7592 section 3). */
export class Management {
  @ApiProperty({
    description: 'Where the client is managed.',
    example: 'https://registry.example.com/register/shop-web',
  })
  readonly registration_client_uri!: string;

  @ApiProperty({
    description: 'The token with which the client is managed.',
    example: 'svcreg_fzZ0bT3kHk1oYlUq0c6vC0cVtQvXo2mYk0mB8a1yT0E',
  })
  readonly registration_access_token!: string;
}

/** A client information response (RFC 7591 section 3.2.1, RFC 7592 section 3), without the metadata. */
export class ClientInformation extends Management {
  @ApiProperty({ example: 'shop-web' })
  readonly client_id!: string;

  @ApiPropertyOptional({
    description:
      'Only with client_secret_basic or client_secret_post: in the response to a registration, to a change of ' +
      'token_endpoint_auth_method from none or private_key_jwt, and to an update while no secret is valid any more.',
  })
  readonly client_secret?: string;

  @ApiProperty({ type: 'integer', description: 'Seconds since 1970.', example: 1_795_248_000 })
  readonly client_id_issued_at!: number;

  @ApiPropertyOptional({
    type: 'integer',
    description:
      'Seconds since 1970; 0: it does not expire. Absent where token_endpoint_auth_method is none or private_key_jwt.',
  })
  readonly client_secret_expires_at?: number;

  @ApiPropertyOptional({
    description: 'The client fails every check until an administrator of the registry enables it.',
  })
  readonly pending?: true;

  readonly [metadata: string]: unknown;
}

export const CLIENT_INFORMATION = {
  allOf: [
    { $ref: getSchemaPath(ClientInformation) },
    { type: 'object', additionalProperties: true, description: 'The metadata that developers may see.' },
  ],
};

/** Developers see the metadata that they may set, but not the administrator's, such as back-channel addresses. */
function isPublic(name: string): boolean {
  const field = fieldNamed(name);
  return field?.editable === 'always' && field.public !== false;
}

/** @param secret if this answer is the only one that contains it */
export function toClientInformation(
  client: StoredClient,
  capabilities: Capabilities,
  management: Management,
  secret?: string,
): ClientInformation {
  const { client_id, client_id_issued_at, client_secret_expires_at, ...document } = toClientDocument(
    client,
    capabilities,
  );
  // Required with a client_secret (RFC 7591 section 3.2.1), which clients with the method none or private_key_jwt do not have.
  const expires =
    usesSecret(client.metadata.token_endpoint_auth_method) && client_secret_expires_at !== undefined;
  const temporary = new Set(document.temporary_redirect_uris?.map(({ redirect_uri: uri }) => uri));
  // Administrators add these; sent back after their end, they would stay for good.
  const redirect_uris = document.redirect_uris.filter((uri) => !temporary.has(uri));
  const metadata = Object.entries({ ...document, redirect_uris }).filter(
    ([name, value]) => isPublic(name) && value !== undefined,
  );
  return {
    client_id,
    client_id_issued_at,
    ...(expires && { client_secret_expires_at }),
    ...(client.isPending && { pending: true as const }),
    ...Object.fromEntries(metadata),
    ...(secret !== undefined && { client_secret: secret }),
    ...management,
  };
}
