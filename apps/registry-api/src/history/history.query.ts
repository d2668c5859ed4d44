import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

const toInteger = ({ value }: { value: unknown }) =>
  /^\d{1,16}$/.test(String(value)) ? Number(value) : value;

/** Query of `GET /client/{client_id}/history`. */
export class HistoryQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })
  @Transform(toInteger)
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @IsOptional()
  limit: number = DEFAULT_LIMIT;

  @ApiPropertyOptional({ type: 'integer', description: '`next` of the page before.' })
  @Transform(toInteger)
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  @IsOptional()
  cursor?: number;
}
