import { ApiPropertyOptional } from '@nestjs/swagger';
import { parseSessionExpiration } from '@svc/client-metadata';
import { IsOptional, ValidateBy } from 'class-validator';

/** Longer, and two secrets would be the usual state. In seconds. */
const MAX_OVERLAP = 365 * 24 * 3600;

/** Body of `POST /client/{client_id}/reset_secret`; it may be left out. */
export class ResetSecretBody {
  @ApiPropertyOptional({
    oneOf: [{ type: 'number' }, { type: 'string' }],
    default: 0,
    example: '24 h',
    description:
      'How long the former secret stays valid: 0, or seconds, or a number and a unit (s, m, h, d, w, y), up to 1 year.',
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

/** In seconds. */
export function overlapOf(body: ResetSecretBody | undefined): number {
  return secondsOf(body?.overlap ?? 0) ?? 0;
}

function secondsOf(value: unknown): number | undefined {
  if (value === 0) return 0;
  const seconds = parseSessionExpiration(value);
  return typeof seconds === 'number' && seconds <= MAX_OVERLAP ? seconds : undefined;
}
