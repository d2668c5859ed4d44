import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import type { LoadRequest } from './run-load.js';
import { isOn, IsSwitch } from './switch-query.js';

/** Options of a load, as the query of a request. */
export class LoadQuery {
  @ApiPropertyOptional({ type: Boolean, description: 'Plan, and write nothing.' })
  @IsSwitch()
  readonly dry_run?: string;

  @ApiPropertyOptional({
    enum: ['owned', 'all', 'none'],
    description: 'Remove what loads put there (the default), whatever the source lacks, or nothing.',
  })
  @IsOptional()
  @IsIn(['owned', 'all', 'none'])
  readonly prune?: 'owned' | 'all' | 'none';

  @ApiPropertyOptional({ type: Boolean, description: 'Accept a source without files.' })
  @IsSwitch()
  readonly allow_empty?: string;

  @ApiPropertyOptional({ type: Boolean, description: 'Stop at the revision of the last load.' })
  @IsSwitch()
  readonly if_changed?: string;

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

export function toLoadRequest(query: LoadQuery): LoadRequest {
  return {
    dryRun: isOn(query.dry_run),
    prune: query.prune ?? 'owned',
    allowEmpty: isOn(query.allow_empty),
    ifChanged: isOn(query.if_changed),
    waitMs: (query.wait ?? 0) * 1000,
  };
}
