import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { RECOMMENDATION_KINDS, type RecommendationKind } from '@svc/client-metadata';
import { ApiCount } from '@svc/service-kit';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { ClientFilterQuery } from '../clients/list/list-clients.query.js';
import { MAX_CURSOR_LENGTH } from '../clients/list/list-cursor.js';
import { ToInteger } from '../http/query-values.js';

const DAYS = { least: 7, most: 90, usual: 30 };
const LIMITS = { most: 500, usual: 50 };

/** Query of `GET /clients/recommendations`. */
export class RecommendationsQuery extends ClientFilterQuery {
  @ApiPropertyOptional({
    enum: RECOMMENDATION_KINDS,
    isArray: true,
    description: 'Only recommendations of this kind. Repeat it for several kinds.',
  })
  @Transform(({ value }) => (Array.isArray(value) ? (value as unknown[]) : [value]))
  @IsIn(RECOMMENDATION_KINDS, { each: true })
  @ArrayUnique()
  @ArrayMaxSize(RECOMMENDATION_KINDS.length)
  @IsOptional()
  kind?: RecommendationKind[];

  @ApiPropertyOptional({
    type: 'integer',
    minimum: DAYS.least,
    maximum: DAYS.most,
    default: DAYS.usual,
    description: 'How many days (UTC) before the current one the recommendations are based on.',
  })
  @ToInteger()
  @IsInt()
  @Min(DAYS.least)
  @Max(DAYS.most)
  @IsOptional()
  days: number = DAYS.usual;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: LIMITS.most,
    default: LIMITS.usual,
    description:
      'Clients with recommendations per page. A request examines at most 1,000 clients, so a page may have fewer.',
  })
  @ToInteger()
  @IsInt()
  @Min(1)
  @Max(LIMITS.most)
  @IsOptional()
  limit: number = LIMITS.usual;

  @ApiPropertyOptional({ description: '`next` of the previous page, with the same filters.' })
  @IsString()
  @MaxLength(MAX_CURSOR_LENGTH)
  @IsOptional()
  cursor?: string;
}

/** What requests used. */
export class SeenUse {
  @ApiProperty({
    description: 'A registered redirect URI, the scheme, host and port of another one, or a PKCE method.',
    example: 'https://shop.example/cb',
  })
  readonly value!: string;

  @ApiCount('How often.', 812)
  readonly count!: number;

  @ApiProperty({ format: 'date-time', example: '2026-11-24T09:12:00.000Z' })
  readonly last_at!: string;
}

/** The evidence for a recommendation. */
export class RecommendationEvidence {
  @ApiProperty({ description: 'The first day (UTC).', example: '2026-10-25' })
  readonly from!: string;

  @ApiProperty({
    description: 'The last complete day. Uses of the current one count, too.',
    example: '2026-11-23',
  })
  readonly to!: string;

  @ApiCount('Accepted requests.', 812)
  readonly requests!: number;

  @ApiCount('Accepted checks of secrets.')
  readonly secret_checks!: number;

  @ApiCount('Refused requests and secrets.', 3)
  readonly refused!: number;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'When a request or a secret was last accepted, also before these days; absent: never.',
  })
  readonly last_used_at?: string;

  @ApiProperty({ type: [SeenUse], description: 'What was used, the most frequent first, at most 200.' })
  readonly seen!: readonly SeenUse[];

  @ApiProperty({
    type: [String],
    description: 'What was not used: redirect URIs, or the last characters of secrets.',
    example: ['https://old.shop.example/cb'],
  })
  readonly unused!: readonly string[];
}

/** The request that applies a recommendation. */
export class RecommendedRequest {
  @ApiProperty({ enum: ['PATCH', 'POST'] })
  readonly method!: 'PATCH' | 'POST';

  @ApiProperty({ example: '/client/shop-web' })
  readonly path!: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'In JSON; of a PATCH, the patch.',
    example: { redirect_uri_validation_method: 'full_match' },
  })
  readonly body?: Readonly<Record<string, unknown>>;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Only for a PATCH: the values that it replaces. A PATCH with them undoes it.',
    example: { redirect_uri_validation_method: 'prefix_match' },
  })
  readonly replaces?: Readonly<Record<string, unknown>>;
}

/** The recorded requests, compared with the changed Client. */
export class RecommendationReplay {
  @ApiCount('Recorded requests that the client accepts.', 812)
  readonly requests!: number;

  @ApiCount(
    'Those that it would reject after the change: always 0, because no other changes are recommended.',
  )
  readonly refused!: number;
}

/** A change that would have refused no recorded request. */
export class RecommendationDocument {
  @ApiProperty({ example: 'shop-web' })
  readonly client_id!: string;

  @ApiProperty({ example: 'Shop' })
  readonly client_name!: string;

  @ApiProperty({ enum: RECOMMENDATION_KINDS, example: 'use_full_match' })
  readonly kind!: RecommendationKind;

  @ApiProperty({ example: 'all 812 requests have used a registered URI exactly since 2026-10-25' })
  readonly reason!: string;

  @ApiProperty({ description: 'ETag of the client, for If-Match.', example: '"42-9f86d081884c"' })
  readonly etag!: string;

  @ApiProperty({ type: RecommendedRequest })
  readonly request!: RecommendedRequest;

  @ApiProperty({ type: RecommendationEvidence })
  readonly evidence!: RecommendationEvidence;

  @ApiProperty({ type: RecommendationReplay })
  readonly replay!: RecommendationReplay;
}

/** A page of recommendations. */
export class RecommendationList {
  @ApiProperty({ type: [RecommendationDocument], description: 'By client_id and kind.' })
  readonly recommendations!: readonly RecommendationDocument[];

  @ApiCount('Clients that were examined.', 50)
  readonly examined!: number;

  @ApiCount('Clients whose usage or history is too incomplete to recommend anything.')
  readonly unproven!: number;

  @ApiProperty({
    type: [String],
    description: 'Days for which some of those clients lack counts.',
    example: [],
  })
  readonly incomplete_days!: readonly string[];

  @ApiPropertyOptional({ description: 'The cursor of the next page; absent on the last one.' })
  readonly next?: string;
}
