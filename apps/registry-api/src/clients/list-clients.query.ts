import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** Query of `GET /client`. */
export class ListClientsQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })
  @Transform(({ value }) => (/^\d{1,9}$/.test(String(value)) ? Number(value) : (value as unknown)))
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @IsOptional()
  limit: number = DEFAULT_LIMIT;

  @ApiPropertyOptional({ description: '`next` of the page before.' })
  @IsString()
  @MaxLength(512)
  @IsOptional()
  cursor?: string;
}
