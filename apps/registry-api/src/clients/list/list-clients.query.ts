import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { ToBoolean, ToInteger } from '../../http/query-values.js';
import { ClientFilterQuery } from './client-filter.query.js';
import { type Sort, SORTS } from './client-order.js';
import { MAX_CURSOR_LENGTH } from './list-cursor.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** Query of `GET /client`. */
export class ListClientsQuery extends ClientFilterQuery {
  @ApiPropertyOptional({
    enum: SORTS,
    default: 'created_at',
    description: 'A minus: the last first. Names are sorted without regard to case.',
  })
  @IsIn(SORTS)
  @IsOptional()
  sort: Sort = 'created_at';

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })
  @ToInteger()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @IsOptional()
  limit: number = DEFAULT_LIMIT;

  @ApiPropertyOptional({ description: '`next` of the page before, with the same sort and filters.' })
  @IsString()
  @MaxLength(MAX_CURSOR_LENGTH)
  @IsOptional()
  cursor?: string;

  @ApiPropertyOptional({ type: 'boolean', default: false, description: 'Tell the total, too.' })
  @ToBoolean()
  @IsBoolean({ message: 'count must be true or false' })
  @IsOptional()
  count: boolean = false;
}
