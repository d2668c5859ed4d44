import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { isOn, IsSwitch } from './switch-query.js';

const LONGEST_WAIT_S = 3_600;

/** A whole number, which may be left out. */
export const IsCount = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  applyDecorators(
    IsOptional(),
    Type(() => Number),
    IsInt(),
    Min(min),
    Max(max),
  );

/** What may be said of anything that writes the library, as the query of a request. */
export class RunQuery {
  @ApiPropertyOptional({ type: Boolean, description: 'Plan, and write nothing.' })
  @IsSwitch()
  readonly dry_run?: string;

  @ApiPropertyOptional({
    type: Number,
    minimum: 0,
    maximum: LONGEST_WAIT_S,
    description: 'Seconds to wait for another load.',
  })
  @IsCount(0, LONGEST_WAIT_S)
  readonly wait?: number;
}

export function toRunOptions({ dry_run, wait = 0 }: RunQuery): { dryRun: boolean; waitMs: number } {
  return { dryRun: isOn(dry_run), waitMs: wait * 1000 };
}
