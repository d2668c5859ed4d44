import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { isOn, IsSwitch } from './switch-query.js';
import type { RollbackRequest } from './library-tasks.js';

/** Options of a rollback, as the query of a request. */
export class RollbackQuery {
  @ApiPropertyOptional({ type: Number, minimum: 1, description: 'How many loads to go back; 1 when absent.' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  readonly steps?: number;

  @ApiPropertyOptional({ type: Number, minimum: 1, description: 'Number of the load to go back to.' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  readonly to?: number;

  @ApiPropertyOptional({ type: Boolean, description: 'Plan, and write nothing.' })
  @IsSwitch()
  readonly dry_run?: string;

  @ApiPropertyOptional({
    type: Number,
    minimum: 0,
    maximum: 3600,
    description: 'Seconds to wait for another load.',
  })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(3600)
  readonly wait?: number;
}

export function toRollbackRequest({ steps, to, dry_run, wait = 0 }: RollbackQuery): RollbackRequest {
  return { steps, to, dryRun: isOn(dry_run), waitMs: wait * 1000 };
}
