import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { parseSessionExpiration, type SecretDocument } from '@svc/client-metadata';
import { IsOptional, ValidateBy } from 'class-validator';
import type { Rotation } from './planned-change.js';
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

  @ApiPropertyOptional({ description: 'It was imported; otherwise the registry generated it.' })
  readonly imported?: true;

  @ApiPropertyOptional({
    description:
      'How it is hashed until it passes a check, after an import with the hash of another product.',
    example: 'bcrypt',
  })
  readonly imported_hash?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'When such a hash expires, unless the secret passes a check first.',
    example: '2027-02-19T08:00:00.000Z',
  })
  readonly imported_hash_ends_at?: string;
}

/** Response of `GET /client/{client_id}/secrets`. */
export class ClientSecrets {
  @ApiProperty({ type: [ClientSecret], description: 'Newest first; at most two.' })
  readonly client_secrets!: readonly ClientSecret[];
}

const LIFETIME =
  'seconds, or a number and a unit (s, m, h, d, w, y), up to 10 years, or SECRET_MAX_LIFETIME if that is less.';

/** Query of `POST /client`. The body is the Client's metadata, which does not include its secret. */
export class RegisterClientQuery {
  @ApiPropertyOptional({
    example: '90d',
    description: `How long the client_secret is valid: ${LIFETIME} By default, as long as the registry allows.`,
  })
  @IsLifetime('secret_expires_in')
  @IsOptional()
  secret_expires_in?: string;
}

/** Body of `POST /client/{client_id}/reset_secret`; optional. */
export class ResetSecretBody {
  @ApiPropertyOptional({
    oneOf: [{ type: 'number' }, { type: 'string' }],
    default: 0,
    example: '24h',
    description:
      'How long the previous secret stays valid: 0, or seconds, or a number and a unit (s, m, h, d, w, y), up to 1 year.',
  })
  @ValidateBy({
    name: 'isOverlap',
    validator: {
      validate: (value: unknown) => overlapIn(value) !== undefined,
      defaultMessage: () =>
        'overlap must be 0, a number of seconds, or a number and a unit such as 24h, up to 1y',
    },
  })
  @IsOptional()
  overlap?: number | string | null;

  @ApiPropertyOptional({
    oneOf: [{ type: 'number' }, { type: 'string' }],
    example: '90d',
    description: `How long the new secret is valid: ${LIFETIME} By default, as long as the registry allows.`,
  })
  @IsLifetime('expires_in')
  @IsOptional()
  expires_in?: number | string | null;
}

/** Contains only what changes the Client's ETag. */
export function toSecretDocument({ hint, createdAt, expiresAt, isImported }: StoredSecret): SecretDocument {
  return {
    hint,
    created_at: new Date(createdAt).toISOString(),
    ...(expiresAt !== null && { expires_at: new Date(expiresAt).toISOString() }),
    ...(isImported && { imported: true as const }),
  };
}

/** For responses without an ETag, which the use of a secret would not change. */
export function toUsedSecrets({ secrets }: StoredClient): SecretDocument[] {
  return secrets.map((secret) => {
    const { lastUsedAt, foreignScheme, foreignUntil } = secret;
    return {
      ...toSecretDocument(secret),
      ...(lastUsedAt !== null && { last_used_at: new Date(lastUsedAt).toISOString() }),
      ...(foreignScheme !== null && { imported_hash: foreignScheme }),
      ...(foreignUntil !== null && { imported_hash_ends_at: new Date(foreignUntil).toISOString() }),
    };
  });
}

export function rotationOf(body: ResetSecretBody | undefined): Rotation {
  return { overlap: overlapIn(body?.overlap ?? 0) ?? 0, expiresIn: secondsIn(body?.expires_in) };
}

function overlapIn(value: unknown): number | undefined {
  if (value === 0) return 0;
  const seconds = secondsIn(value);
  return seconds !== undefined && seconds <= MAX_OVERLAP ? seconds : undefined;
}

/** @returns undefined for anything but a duration */
export function secondsIn(value: unknown): number | undefined {
  const seconds = parseSessionExpiration(value);
  return typeof seconds === 'number' ? seconds : undefined;
}

function IsLifetime(name: string): PropertyDecorator {
  return ValidateBy({
    name: 'isLifetime',
    validator: {
      validate: (value: unknown) => secondsIn(value) !== undefined,
      defaultMessage: () =>
        `${name} must be a number of seconds, or a number and a unit such as 90d, up to 10y`,
    },
  });
}
