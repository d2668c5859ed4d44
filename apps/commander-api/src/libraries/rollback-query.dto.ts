import { ApiPropertyOptional } from '@nestjs/swagger';
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

export function toRollbackRequest(query: RollbackQuery): RollbackRequest {
  return { ...toRunOptions(query), steps: query.steps, to: query.to };
}
