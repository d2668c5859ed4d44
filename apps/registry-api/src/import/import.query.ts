import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { ToBoolean } from '../http/query-values.js';
import type { ImportOptions } from './import-options.js';

/** Query of `POST /clients/import`. */
export class ImportQuery {
  @ApiPropertyOptional({ type: 'boolean', default: false, description: 'Only tell what would be done.' })
  @ToBoolean()
  @IsBoolean({ message: 'dry_run must be true or false' })
  @IsOptional()
  dry_run?: boolean;

  @ApiPropertyOptional({
    type: 'boolean',
    default: false,
    description: 'Delete the Clients that are absent in the body, once all else has succeeded.',
  })
  @ToBoolean()
  @IsBoolean({ message: 'prune must be true or false' })
  @IsOptional()
  prune?: boolean;
}

export function toImportOptions({ dry_run: dryRun = false, prune = false }: ImportQuery): ImportOptions {
  return { dryRun, prune };
}
