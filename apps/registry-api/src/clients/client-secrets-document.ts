import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { SecretDocument } from '@svc/client-metadata';
import type { StoredClient, StoredSecret } from './stored-client.js';

/** A client_secret without its value. Times are RFC 3339, in UTC. */
class ClientSecret implements SecretDocument {
  @ApiProperty({ description: 'Its last 4 characters.', example: 'bA1s' })
  readonly hint!: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T08:00:00.000Z' })
  readonly created_at!: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Absent: it does not expire.' })
  readonly expires_at?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'When it last passed a check, to the hour; absent: never.',
    example: '2026-11-22T09:00:00.000Z',
  })
  readonly last_used_at?: string;
}

/** What `GET /client/{client_id}/secrets` answers. */
export class ClientSecrets {
  @ApiProperty({ type: [ClientSecret], description: 'Newest first; at most two.' })
  readonly client_secrets!: readonly ClientSecret[];
}

/** Holds only what changes together with the Client's ETag. */
export function toSecretDocument({ hint, createdAt, expiresAt }: StoredSecret): SecretDocument {
  return {
    hint,
    created_at: new Date(createdAt).toISOString(),
    ...(expiresAt !== null && { expires_at: new Date(expiresAt).toISOString() }),
  };
}

/** For answers without an ETag: a use of a secret is no change of the Client. */
export function toUsedSecrets({ secrets }: StoredClient): SecretDocument[] {
  return secrets.map((secret) => ({
    ...toSecretDocument(secret),
    ...(secret.lastUsedAt !== null && { last_used_at: new Date(secret.lastUsedAt).toISOString() }),
  }));
}
