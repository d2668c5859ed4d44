import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Problem } from '@svc/service-kit';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import type { RollbackRequest } from './library-tasks.js';
import type { LoadRequest } from './run-load.js';

const LONGEST_WAIT_S = 3_600;

const OFF = ['false', '0', 'no'];

/** A boolean query parameter: `?dry_run` alone means true. */
const IsSwitch = () => applyDecorators(IsOptional(), IsIn(['', 'true', '1', 'yes', ...OFF]));

function isOn(value: string | undefined): boolean {
  return value !== undefined && !OFF.includes(value);
}

/** An optional integer. */
const IsCount = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  applyDecorators(
    IsOptional(),
    Type(() => Number),
    IsInt(),
    Min(min),
    Max(max),
  );

/** Query of every request that writes the library. */
class RunQuery {
  @ApiPropertyOptional({ type: Boolean, description: 'Plan without writing.' })
  @IsSwitch()
  readonly dry_run?: string;

  @ApiPropertyOptional({
    type: Number,
    minimum: 0,
    maximum: LONGEST_WAIT_S,
    description: 'Maximum number of seconds to wait for another load to finish (default: 0).',
  })
  @IsCount(0, LONGEST_WAIT_S)
  readonly wait?: number;
}

function toRunOptions({ dry_run, wait = 0 }: RunQuery): { dryRun: boolean; waitMs: number } {
  return { dryRun: isOn(dry_run), waitMs: wait * 1000 };
}

/** Query of a load. */
export class LoadQuery extends RunQuery {
  @ApiPropertyOptional({
    enum: ['owned', 'all', 'none'],
    description:
      'Remove what loads created (owned, the default), everything the source lacks (all), or nothing (none).',
  })
  @IsOptional()
  @IsIn(['owned', 'all', 'none'])
  readonly prune?: 'owned' | 'all' | 'none';

  @ApiPropertyOptional({ type: Boolean, description: 'Accept an empty source, which empties the library.' })
  @IsSwitch()
  readonly allow_empty?: string;

  @ApiPropertyOptional({
    type: Boolean,
    description: 'Do nothing if the source is at the revision of the last load.',
  })
  @IsSwitch()
  readonly if_changed?: string;

  @ApiPropertyOptional({
    type: Boolean,
    description: 'Replace a library that came from another source (address or subfolder).',
  })
  @IsSwitch()
  readonly take_over?: string;

  @ApiPropertyOptional({
    type: Boolean,
    description:
      'With `source.verify`: accept a commit that does not descend from the one loaded last, and record that.',
  })
  @IsSwitch()
  readonly allow_older?: string;

  @ApiPropertyOptional({
    type: Boolean,
    description: 'Create the chroot in `destination.urls` if it does not exist.',
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
    allowOlder: isOn(query.allow_older),
    createChroot: isOn(query.create_chroot),
  };
}

/** Query of a rollback. */
export class RollbackQuery extends RunQuery {
  @ApiPropertyOptional({ type: Boolean, description: 'Plan without writing.', example: true })
  declare readonly dry_run?: string;

  @ApiPropertyOptional({ type: Number, minimum: 1, description: 'How many loads to go back (default: 1).' })
  @IsCount(1)
  readonly steps?: number;

  @ApiPropertyOptional({
    type: Number,
    minimum: 1,
    description: 'Number of the load to restore.',
    example: 1,
  })
  @IsCount(1)
  readonly to?: number;
}

/** @throws {Problem} 400 if both `steps` and `to` are given */
export function toRollbackRequest(query: RollbackQuery): RollbackRequest {
  if (query.steps !== undefined && query.to !== undefined) {
    throw new Problem({ status: 400, detail: 'Pass either "steps" or "to", not both.' });
  }
  return { ...toRunOptions(query), steps: query.steps, to: query.to };
}

/** Query of a diff. */
export class DiffQuery {
  @ApiPropertyOptional({
    type: String,
    maxLength: 255,
    description: 'Branch, tag or commit of a Git source to compare instead of `source.ref`.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  @Matches(/^[^\s\p{C}]+$/u, { message: 'ref must be a branch, tag or commit' })
  readonly ref?: string;
}

/** Query of the status. */
export class StatusQuery {
  @ApiPropertyOptional({
    type: Boolean,
    description: 'Read the library, and list changes made since the last load.',
  })
  @IsSwitch()
  readonly drift?: string;
}

export function wantsDrift({ drift }: StatusQuery): boolean {
  return isOn(drift);
}
