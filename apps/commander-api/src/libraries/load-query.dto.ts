import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import type { LoadRequest } from './run-load.js';
import { RunQuery, toRunOptions } from './run-query.dto.js';
import { isOn, IsSwitch } from './switch-query.js';

/** Options of a load, as the query of a request. */
export class LoadQuery extends RunQuery {
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

  @ApiPropertyOptional({ type: Boolean, description: 'Replace the library of another source.' })
  @IsSwitch()
  readonly take_over?: string;

  @ApiPropertyOptional({
    type: Boolean,
    description: 'Make the chroot of `destination.urls` where it does not exist.',
  })
  @IsSwitch()
  readonly create_chroot?: string;
}

export function toLoadRequest(query: LoadQuery): LoadRequest {
  return {
    ...toRunOptions(query),
    prune: query.prune ?? 'owned',
    allowEmpty: isOn(query.allow_empty),
    ifChanged: isOn(query.if_changed),
    takeOver: isOn(query.take_over),
    createChroot: isOn(query.create_chroot),
  };
}
