import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { ToInteger } from '../http/query-values.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

const STATES = ['living', 'ended'] as const;
const FATES = ['keep', 'revoke'] as const;

/** Query of `GET /token`. */
export class ListTokensQuery {
  @ApiPropertyOptional({
    enum: STATES,
    default: 'living',
    description:
      '`living`: all that can be used, on one page. `ended`: those that were revoked or have expired.',
  })
  @IsIn(STATES)
  @IsOptional()
  state: (typeof STATES)[number] = 'living';

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
    description: 'Ended tokens to a page.',
  })
  @ToInteger()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @IsOptional()
  limit: number = DEFAULT_LIMIT;

  @ApiPropertyOptional({
    description: 'Of ended tokens, those that were made before this one: `next` of the page before.',
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
    description:
      '`revoke`: the tokens that it has made end with it, and those that they have made, and so on.',
  })
  @IsIn(FATES)
  @IsOptional()
  descendants: (typeof FATES)[number] = 'keep';
}
