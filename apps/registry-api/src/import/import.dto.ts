import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { CHANGE_KINDS, type ChangeKind } from '../clients/client-change.entity.js';
import { ToBoolean } from '../http/query-values.js';

/** Query of `POST /clients/import`. */
export class ImportQuery {
  @ApiPropertyOptional({ type: 'boolean', default: false, description: 'Only report what would be done.' })
  @ToBoolean()
  @IsBoolean({ message: 'dry_run must be true or false' })
  @IsOptional()
  dry_run?: boolean;

  @ApiPropertyOptional({
    type: 'boolean',
    default: false,
    description: 'Delete the Clients that the body does not list, after everything else has succeeded.',
  })
  @ToBoolean()
  @IsBoolean({ message: 'prune must be true or false' })
  @IsOptional()
  prune?: boolean;
}

export interface ImportOptions {
  /** Only report what would be done. */
  readonly dryRun: boolean;
  /** Delete the Clients that the import does not list. */
  readonly prune: boolean;
}

export function toImportOptions({ dry_run: dryRun = false, prune = false }: ImportQuery): ImportOptions {
  return { dryRun, prune };
}

/** What an import did, or would do, to one Client. */
export class ImportedClientDocument {
  @ApiProperty({ example: 'shop-web' })
  readonly client_id!: string;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Its line, counted from 1; absent for a deletion.',
    example: 1,
  })
  readonly line?: number | undefined;

  @ApiProperty({
    enum: CHANGE_KINDS.filter((kind) => kind !== 'secret_rotated'),
    isArray: true,
    example: ['registered'],
  })
  readonly changes!: readonly ChangeKind[];

  @ApiPropertyOptional({
    description: 'For a new Client; no other response contains it. Absent in a dry run.',
  })
  readonly client_secret?: string;
}

/** The counts of an import. */
export class ImportSummary {
  @ApiProperty({ description: 'Nothing was changed: this is what would be done.', example: false })
  readonly dry_run!: boolean;

  @ApiProperty({ example: false })
  readonly prune!: boolean;

  @ApiCount('New Clients.', 1)
  readonly registered!: number;

  @ApiCount('Clients whose metadata differed.')
  readonly updated!: number;

  @ApiCount('Clients that were disabled before.')
  readonly enabled!: number;

  @ApiCount('Clients, including new ones, that were enabled before.')
  readonly disabled!: number;

  @ApiCount('Clients that the body did not list; with prune only.')
  readonly deleted!: number;

  @ApiCount('Clients that had nothing to change.')
  readonly unchanged!: number;
}

/** What `POST /clients/import` answers. */
export class ImportAnswer extends ImportSummary {
  @ApiProperty({
    type: [ImportedClientDocument],
    description: 'Each Client that changed, in the order of the lines; then those that were deleted.',
  })
  readonly clients!: readonly ImportedClientDocument[];
}

function ApiCount(description: string, example = 0) {
  return ApiProperty({ type: 'integer', minimum: 0, description, example });
}
