import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { ToInteger } from './query-values.js';

/** Query of a list ordered by its entries' numbers, which serve as cursors. */
export class NumberedQuery {
  @ApiPropertyOptional({ type: 'integer', description: '`next` of the previous page.' })
  @ToInteger()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  @IsOptional()
  cursor?: number;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** The same with the usual limit. */
export class NumberedPageQuery extends NumberedQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })
  @ToInteger()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @IsOptional()
  limit: number = DEFAULT_LIMIT;
}

/** A page of such a list. */
export class NumberedPage {
  @ApiPropertyOptional({
    type: 'integer',
    description: 'The cursor of the next page; absent on the last one.',
    example: 41,
  })
  readonly next?: number;
}
