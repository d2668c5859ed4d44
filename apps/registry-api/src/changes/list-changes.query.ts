import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

/** Digits only: `1e3`, `0x1` and the empty string are no numbers here. */
const toNumber = ({ value }: { value: unknown }) =>
  typeof value === 'string' && /^\d{1,17}$/.test(value) ? Number(value) : value;

/** Query of `GET /clients/changes`. */
export class ListChangesQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description:
      'The last change seen: those after it follow. Without it a page begins with the oldest change that is kept, and a ' +
      'stream with the next one to come.',
  })
  @Transform(toNumber)
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
  @Transform(toNumber)
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @IsOptional()
  limit: number = DEFAULT_LIMIT;
}
