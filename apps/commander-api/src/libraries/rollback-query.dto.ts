import { ApiPropertyOptional } from '@nestjs/swagger';
import { Problem } from '@svc/service-kit';
import type { RollbackRequest } from './library-tasks.js';
import { IsCount, RunQuery, toRunOptions } from './run-query.dto.js';

/** Options of a rollback, as the query of a request. */
export class RollbackQuery extends RunQuery {
  @ApiPropertyOptional({ type: Number, minimum: 1, description: 'How many loads to go back; 1 when absent.' })
  @IsCount(1)
  readonly steps?: number;

  @ApiPropertyOptional({ type: Number, minimum: 1, description: 'Number of the load to go back to.' })
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
