import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Problem } from '@svc/service-kit';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import type { RollbackRequest } from './library-tasks.js';
import type { LoadRequest } from './run-load.js';

const LONGEST_WAIT_S = 3_600;

const OFF = ['false', '0', 'no'];

/** A query parameter that is on or off: `?dry_run` alone means on. */
const IsSwitch = () => applyDecorators(IsOptional(), IsIn(['', 'true', '1', 'yes', ...OFF]));

function isOn(value: string | undefined): boolean {
  return value !== undefined && !OFF.includes(value);
}

/** A whole number, which may be left out. */
const IsCount = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  applyDecorators(
    IsOptional(),
    Type(() => Number),
    IsInt(),
    Min(min),
    Max(max),
  );

/** What may be said of anything that writes the library, as the query of a request. */
class RunQuery {
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

function toRunOptions({ dry_run, wait = 0 }: RunQuery): { dryRun: boolean; waitMs: number } {
  return { dryRun: isOn(dry_run), waitMs: wait * 1000 };
}

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

/** Options of a rollback, as the query of a request. */
export class RollbackQuery extends RunQuery {
  @ApiPropertyOptional({ type: Boolean, description: 'Plan, and write nothing.', example: true })
  declare readonly dry_run?: string;

  @ApiPropertyOptional({ type: Number, minimum: 1, description: 'How many loads to go back; 1 when absent.' })
  @IsCount(1)
  readonly steps?: number;

  @ApiPropertyOptional({
    type: Number,
    minimum: 1,
    description: 'Number of the load to go back to.',
    example: 1,
  })
  @IsCount(1)
  readonly to?: number;
}

/** @throws {Problem} 400 when both ways of naming the load are used */
export function toRollbackRequest(query: RollbackQuery): RollbackRequest {
  if (query.steps !== undefined && query.to !== undefined) {
    throw new Problem({ status: 400, detail: 'Name the load by "steps" or by "to", not by both.' });
  }
  return { ...toRunOptions(query), steps: query.steps, to: query.to };
}

/** Options of a look at the destination, as the query of a request. */
export class StatusQuery {
  @ApiPropertyOptional({ type: Boolean, description: 'Read the library, and list what others changed.' })
  @IsSwitch()
  readonly drift?: string;
}

export function wantsDrift({ drift }: StatusQuery): boolean {
  return isOn(drift);
}

/** The query of a request without options: any is refused. */
export class NoQuery {}

/**
 * Everything that can be said of a request to the library stands in its query: a body would be ignored, and what it asks
 * for (a dry run) not done.
 *
 * @throws {Problem} 400
 */
export function refuseBody({ headers }: Pick<FastifyRequest, 'headers'>): void {
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
  throw new Problem({ status: 400, detail: 'This request has no body; options go in the query.' });
}
