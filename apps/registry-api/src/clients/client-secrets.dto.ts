import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { parseSessionExpiration, type SecretDocument } from '@svc/client-metadata';
import { IsOptional, ValidateBy } from 'class-validator';
import type { StoredClient, StoredSecret } from './stored-client.js';

/** In seconds. A longer overlap would make two valid secrets the normal state. */
const MAX_OVERLAP = 365 * 24 * 3600;

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

/** Body of `POST /client/{client_id}/reset_secret`; optional. */
export class ResetSecretBody {
  @ApiPropertyOptional({
    oneOf: [{ type: 'number' }, { type: 'string' }],
    default: 0,
    example: '24 h',
    description:
      'How long the previous secret stays valid: 0, or seconds, or a number and a unit (s, m, h, d, w, y), up to 1 year.',
  })
  @ValidateBy({
    name: 'isOverlap',
    validator: {
      validate: (value: unknown) => secondsOf(value) !== undefined,
      defaultMessage: () =>
        'overlap must be 0, a number of seconds, or a number and a unit as in 24 h, up to 1 y',
    },
  })
  @IsOptional()
  overlap?: number | string | null;
}

/** Contains only what changes the Client's ETag. */
export function toSecretDocument({ hint, createdAt, expiresAt }: StoredSecret): SecretDocument {
  return {
    hint,
    created_at: new Date(createdAt).toISOString(),
    ...(expiresAt !== null && { expires_at: new Date(expiresAt).toISOString() }),
  };
}

/** For responses without an ETag, which the use of a secret would not change. */
export function toUsedSecrets({ secrets }: StoredClient): SecretDocument[] {
  return secrets.map((secret) => ({
    ...toSecretDocument(secret),
    ...(secret.lastUsedAt !== null && { last_used_at: new Date(secret.lastUsedAt).toISOString() }),
  }));
}

/** In seconds. */
export function overlapOf(body: ResetSecretBody | undefined): number {
  return secondsOf(body?.overlap ?? 0) ?? 0;
}

function secondsOf(value: unknown): number | undefined {
  if (value === 0) return 0;
  const seconds = parseSessionExpiration(value);
  return typeof seconds === 'number' && seconds <= MAX_OVERLAP ? seconds : undefined;
}
