import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { ToInteger } from '../http/query-values.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

/** Query of `GET /clients/changes`. */
export class ListChangesQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description:
      'The last change seen: those after it follow. Without it a page begins with the oldest change that is kept, and a ' +
      'stream with the next one to come.',
  })
  @ToInteger()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  @IsOptional()
  since?: number;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
    description: 'Changes to a page; a stream has no end.',
  })
  @ToInteger()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @IsOptional()
  limit: number = DEFAULT_LIMIT;
}
