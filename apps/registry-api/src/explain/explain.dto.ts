import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { RedirectMatch } from '@svc/client-metadata';
import { IsString, MaxLength } from 'class-validator';
import { ChangeDocument } from '../changes/change.dto.js';
import { RedirectUriMatch, RequestError } from '../checks/checks.dto.js';
import { FieldChange } from '../history/history.dto.js';

/** Longer than browsers and servers commonly accept. */
const MAX_URL_LENGTH = 32_768;

/** Body of `POST /clients/explain`. */
export class ExplainBody {
  @ApiProperty({
    maxLength: MAX_URL_LENGTH,
    description:
      'The address of the authorization request as the browser shows it, or its query alone. Values of parameters that no check needs, such as state, may be left out; the registry ignores them.',
    example:
      'https://login.example/authorize?response_type=code&client_id=shop-web&redirect_uri=https%3A%2F%2Fshop.example%2Fcb%2F',
  })
  @IsString()
  @MaxLength(MAX_URL_LENGTH)
  url!: string;
}

/** Something that the check does not cover, but that may be the reason. */
export class RequestNote {
  @ApiProperty({ enum: ['fragment', 'encoded_twice', 'response_mode'], example: 'fragment' })
  readonly code!: string;

  @ApiProperty({ example: 'browsers do not send what follows # in the URL' })
  readonly message!: string;
}

/** The registered redirect URI that resembles the requested one most. */
export class NearestRedirectUri {
  @ApiProperty({ example: 'https://shop.example/cb' })
  readonly redirect_uri!: string;

  @ApiPropertyOptional({
    description: 'The one common mistake that explains the difference; absent: none does.',
    example: 'a slash at the end',
  })
  readonly difference?: string;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Length of the common prefix, in UTF-16 code units.',
    example: 23,
  })
  readonly common_start!: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Length of the common suffix beyond it.',
    example: 0,
  })
  readonly common_end!: number;
}

/** The change that broke a request. */
export class BreakingChange extends ChangeDocument {
  @ApiProperty({ type: [FieldChange], description: 'What it changed of the fields that checks compare.' })
  readonly changed!: readonly FieldChange[];
}

/** What the kept history says about a refused request. */
export const HISTORY_FINDINGS = ['changed', 'expired', 'never_valid', 'unknown'] as const;

/** Why an authorization request is refused. */
export class Explanation {
  @ApiProperty({ example: 'shop-web' })
  readonly client_id!: string;

  @ApiPropertyOptional({ description: 'Absent when the client was deleted.', example: 'Shop' })
  readonly client_name?: string;

  @ApiProperty({ example: false })
  readonly valid!: boolean;

  @ApiProperty({
    type: [RequestError],
    description: 'Every violated rule. client_deleted: the client no longer exists.',
  })
  readonly errors!: readonly RequestError[];

  @ApiProperty({ type: [RequestNote], description: 'Hints, and what the check does not cover.', example: [] })
  readonly notes!: readonly RequestNote[];

  @ApiPropertyOptional({ description: 'As requested, decoded once.', example: 'https://shop.example/cb/' })
  readonly redirect_uri?: string;

  @ApiPropertyOptional({ type: RedirectUriMatch, description: 'How it was compared.' })
  readonly redirect_uri_match?: RedirectMatch;

  @ApiPropertyOptional({
    type: NearestRedirectUri,
    description: 'Present when the requested redirect URI matches none and at least one is registered.',
  })
  readonly nearest?: NearestRedirectUri;

  @ApiPropertyOptional({
    format: 'date-time',
    description:
      'When such a request was last accepted, as far as usage is kept; absent: not since `recorded_since`.',
    example: '2026-11-24T09:11:40.000Z',
  })
  readonly last_worked_at?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'When the recording of usage began; absent: it never did, or the client is deleted.',
    example: '2026-10-01T08:00:00.000Z',
  })
  readonly recorded_since?: string;

  @ApiPropertyOptional({
    enum: HISTORY_FINDINGS,
    description:
      'changed: `broken_by` broke it; expired: the redirect URI expired at `expired_at`; never_valid: the registry never accepted it; unknown: the history does not say, or is not kept that long. Absent when the request is valid.',
    example: 'changed',
  })
  readonly history?: (typeof HISTORY_FINDINGS)[number];

  @ApiPropertyOptional({ type: BreakingChange, description: 'The change that broke it.' })
  readonly broken_by?: BreakingChange;

  @ApiPropertyOptional({ format: 'date-time', description: 'When the temporary redirect URI ended.' })
  readonly expired_at?: string;
}
