import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { parseSessionExpiration } from '@svc/client-metadata';
import { IsOptional, IsString, Length, Matches, MaxLength, ValidateBy } from 'class-validator';
import type { AddedUri } from './temporary-uris.js';

/** How long a redirect URI may last, in seconds. */
export const TEMPORARY_LIFE = { least: 60, most: 90 * 24 * 3600 };

const MAX_URI_LENGTH = 2_048;

/** Body of `POST /client/{client_id}/redirect_uris`. */
export class AddRedirectUriBody {
  @ApiProperty({ maxLength: MAX_URI_LENGTH, example: 'https://pr-41.preview.shop.example/cb' })
  @IsString()
  @MaxLength(MAX_URI_LENGTH)
  redirect_uri!: string;

  @ApiPropertyOptional({
    oneOf: [{ type: 'number' }, { type: 'string' }],
    example: '7d',
    description:
      'When it expires: seconds from now, or a number and a unit (s, m, h, d, w), from 1 minute to 90 days. Absent: never.',
  })
  @ValidateBy({
    name: 'isLife',
    validator: {
      validate: (value: unknown) => lifeOf(value) !== undefined,
      defaultMessage: () =>
        'expires_in must be a number of seconds, or a number and a unit such as 7d, from 1m to 90d',
    },
  })
  @IsOptional()
  expires_in?: number | string | null;

  @ApiPropertyOptional({
    type: 'string',
    maxLength: 200,
    description: 'What it is for. Stored with the expiry, so only with expires_in.',
    example: 'preview of pull request 41',
  })
  @IsString()
  @Length(1, 200)
  @Matches(/^\P{Cc}*$/u, { message: 'note must not have control characters' })
  @IsOptional()
  note?: string | null;
}

/** Query of `DELETE /client/{client_id}/redirect_uris`. */
export class RemoveRedirectUriQuery {
  @ApiProperty({ maxLength: MAX_URI_LENGTH, example: 'https://pr-41.preview.shop.example/cb' })
  @IsString()
  @Length(1, MAX_URI_LENGTH)
  redirect_uri!: string;
}

export function toAddedUri(
  { redirect_uri: uri, expires_in, note }: AddRedirectUriBody,
  now: number,
): AddedUri {
  const seconds = lifeOf(expires_in ?? undefined);
  return {
    uri,
    ...(seconds !== undefined && { expiresAt: new Date(now + seconds * 1000) }),
    ...(typeof note === 'string' && { note }),
  };
}

function lifeOf(value: unknown): number | undefined {
  const seconds = parseSessionExpiration(value);
  return typeof seconds === 'number' && seconds >= TEMPORARY_LIFE.least && seconds <= TEMPORARY_LIFE.most
    ? seconds
    : undefined;
}
