import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ALL_CLIENTS, parseSessionExpiration } from '@svc/client-metadata';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
} from 'class-validator';
import { ToInteger } from '../http/query-values.js';
import type { ApiToken } from './api-token.entity.js';
import { type Scope, SCOPES } from './scopes.js';
import { RestrictedDocument, RestrictionsBody, selectorMembers } from './token-restrictions.dto.js';

/** Visible text without spaces at its ends, so that two names never differ only in something invisible. */
const NAME = /^(?! )[^\p{C}\p{Zl}\p{Zp}]{1,255}(?<! )$/u;

/** Body of `POST /token`. */
export class CreateTokenBody extends RestrictionsBody {
  @ApiProperty({
    description: 'Who or what the token is for.',
    minLength: 1,
    maxLength: 255,
    example: 'deployment pipeline',
  })
  @IsString()
  @Matches(NAME, { message: 'name must be 1 to 255 visible characters, without a space at its ends' })
  name!: string;

  @ApiProperty({
    enum: SCOPES,
    isArray: true,
    description: 'What the token allows: scopes that your own token has.',
    example: ['clients:read'],
  })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(SCOPES, { each: true })
  scopes!: Scope[];

  @ApiPropertyOptional({
    oneOf: [{ type: 'number' }, { type: 'string' }],
    example: '90d',
    description:
      'Seconds, or a number and a unit (s, m, h, d, w, y), up to 10 years. Without it the token lasts as long as allowed: ' +
      'until the token that creates it expires, if that expires.',
  })
  @ValidateBy({
    name: 'isLifetime',
    validator: {
      validate: (value: unknown) => typeof parseSessionExpiration(value) === 'number',
      defaultMessage: () =>
        'expires_in must be a number of seconds, or a number and a unit such as 90d, up to 10y',
    },
  })
  @IsOptional()
  expires_in?: number | string | null;
}

/** In seconds; `undefined` when the body names none. */
export function lifetimeOf({ expires_in: given }: CreateTokenBody): number | undefined {
  const seconds = given == null ? undefined : parseSessionExpiration(given);
  return typeof seconds === 'number' ? seconds : undefined;
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

const STATES = ['living', 'ended'] as const;
const FATES = ['keep', 'revoke'] as const;

/** Query of `GET /token`. */
export class ListTokensQuery {
  @ApiPropertyOptional({
    enum: STATES,
    default: 'living',
    description: '`living`: all usable tokens, on one page. `ended`: revoked and expired tokens.',
  })
  @IsIn(STATES)
  @IsOptional()
  state: (typeof STATES)[number] = 'living';

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
    description: 'Ended tokens per page.',
  })
  @ToInteger()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @IsOptional()
  limit: number = DEFAULT_LIMIT;

  @ApiPropertyOptional({
    description: 'Lists ended tokens created before this one: `next` of the previous page.',
  })
  @IsString()
  @IsOptional()
  before?: string;
}

/** Query of `DELETE /token/{id}`. */
export class RevokeTokenQuery {
  @ApiPropertyOptional({
    enum: FATES,
    default: 'keep',
    description: '`revoke`: also revokes the tokens created with it, those created with them, and so on.',
  })
  @IsIn(FATES)
  @IsOptional()
  descendants: (typeof FATES)[number] = 'keep';
}

const TIME_OR_NULL = [{ type: 'string', format: 'date-time' }, { type: 'null' }];

/** An API token as callers see it: never its value. Times are RFC 3339 in UTC. */
@ApiSchema({ name: 'Token' })
export class TokenDocument extends RestrictedDocument {
  @ApiProperty({ example: '5f1d3a9c0b7e2468' })
  readonly id!: string;

  @ApiProperty({ example: 'deployment pipeline' })
  readonly name!: string;

  @ApiProperty({ type: [String], example: ['clients:read'] })
  readonly scopes!: readonly string[];

  @ApiProperty({ format: 'date-time', example: '2026-11-21T08:00:00.000Z' })
  readonly created_at!: string;

  @ApiPropertyOptional({
    description:
      'Id of the token that created it, `oidc:` and a subject, or `shell`; absent for the bootstrap token.',
    example: '0a1b2c3d4e5f6071',
  })
  readonly created_by?: string;

  @ApiPropertyOptional({
    description: '`iss` of the access token that created it; absent when an API token did.',
  })
  readonly issuer?: string;

  @ApiPropertyOptional({ description: '`sub` of that access token.' })
  readonly subject?: string;

  @ApiTimeOrNever('Null: never.', '2027-02-19T08:00:00.000Z')
  readonly expires_at!: string | null;

  @ApiTimeOrNever('Null: it was not revoked.')
  readonly revoked_at!: string | null;

  @ApiTimeOrNever('To the minute. Null: never.')
  readonly last_used_at!: string | null;

  @ApiPropertyOptional({ type: 'integer', description: 'How many requests may use it.' })
  readonly max_uses?: number;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'How many requests have used it; present with `max_uses`.',
  })
  readonly uses?: number;

  @ApiPropertyOptional({ type: 'integer', description: 'How many clients may be registered with it.' })
  readonly max_registrations?: number;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'How many clients may be registered with it per day (UTC).',
  })
  readonly registrations_per_day?: number;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'How many clients have been registered with it; present with the scope clients:register.',
  })
  readonly registrations?: number;
}

/** What a caller learns about its own token. */
@ApiSchema({ name: 'OwnToken' })
export class OwnTokenDocument extends RestrictedDocument {
  @ApiPropertyOptional({
    description: 'Absent for the access token of an issuer.',
    example: '5f1d3a9c0b7e2468',
  })
  readonly id?: string;

  @ApiProperty({ example: 'deployment pipeline' })
  readonly name!: string;

  @ApiProperty({ type: [String], example: ['clients:read'] })
  readonly scopes!: readonly string[];

  @ApiPropertyOptional({
    anyOf: TIME_OR_NULL,
    description: 'Null: never. Absent for the access token of an issuer, which carries its own expiry.',
    example: '2027-02-19T08:00:00.000Z',
  })
  readonly expires_at?: string | null;
}

/** A page of tokens. */
export class TokenList {
  @ApiProperty({ type: [TokenDocument], description: 'Newest first.' })
  readonly tokens!: readonly TokenDocument[];

  @ApiPropertyOptional({ description: '`before` of the next page; absent on the last one.' })
  readonly next?: string;
}

export class TokenWithDescendants extends TokenDocument {
  @ApiProperty({
    type: [TokenDocument],
    description: 'The usable tokens created with it, those created with them, and so on.',
  })
  readonly descendants!: readonly TokenDocument[];
}

/** A token just created. */
export class CreatedToken extends TokenDocument {
  @ApiPropertyOptional({
    description: 'The value, which no other response contains; absent with Idempotency-Replayed.',
    example: 'svcr_fzZ0bT3kHk1oYlUq0c6vC0cVtQvXo2mYk0mB8a1yT0E',
  })
  readonly token?: string;
}

/** What a revocation ended, and what was created with the token and remains usable. */
export class Revocation {
  @ApiProperty({ type: [TokenDocument], description: 'The tokens that this request revoked.' })
  readonly revoked!: readonly TokenDocument[];

  @ApiProperty({
    type: [TokenDocument],
    description: 'The tokens created with it that remain usable, those created with them, and so on.',
  })
  readonly descendants!: readonly TokenDocument[];
}

function ApiTimeOrNever(description: string, example: string | null = null) {
  return ApiProperty({ anyOf: TIME_OR_NULL, description, example });
}

function registrationMembers({ scopes, registrations, maxRegistrations, registrationsPerDay }: ApiToken) {
  return {
    ...(maxRegistrations !== null && { max_registrations: maxRegistrations }),
    ...(registrationsPerDay !== null && { registrations_per_day: registrationsPerDay }),
    ...(scopes.includes('clients:register') && { registrations }),
  };
}

export function toTokenDocument(token: ApiToken): TokenDocument {
  return {
    id: token.id,
    name: token.name,
    scopes: token.scopes,
    created_at: token.createdAt.toISOString(),
    ...(token.createdBy !== null && { created_by: token.createdBy }),
    ...(token.issuer !== null && { issuer: token.issuer }),
    ...(token.subject !== null && { subject: token.subject }),
    expires_at: token.expiresAt?.toISOString() ?? null,
    revoked_at: token.revokedAt?.toISOString() ?? null,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    ...selectorMembers(token.selector ?? ALL_CLIENTS),
    ...(token.networks && { networks: token.networks }),
    ...(token.maxUses !== null && { max_uses: token.maxUses, uses: token.uses }),
    ...registrationMembers(token),
  };
}
