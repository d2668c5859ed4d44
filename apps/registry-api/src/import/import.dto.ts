import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { isLabelValue } from '@svc/client-metadata';
import { ApiCount, Problem } from '@svc/service-kit';
import { IsBoolean, IsInt, IsOptional, Min, ValidateBy } from 'class-validator';
import { managerOfSet } from '../clients/client-managers.js';
import type { Manager, PlannedChange } from '../clients/planned-change.js';
import type { Caller } from '../http/current-caller.js';
import { ToBoolean, ToInteger } from '../http/query-values.js';

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
    description:
      'Delete the clients of the set that the body does not list, after everything else has succeeded. Requires `set`.',
  })
  @ToBoolean()
  @IsBoolean({ message: 'prune must be true or false' })
  @IsOptional()
  prune?: boolean;

  @ApiPropertyOptional({
    type: 'string',
    maxLength: 63,
    description:
      'The set of declarations that the body contains: it manages the clients that it registers. 1 to 63 letters, digits, ' +
      '- _ and . that begin and end with a letter or digit.',
    example: 'shop',
  })
  @ValidateBy({
    name: 'isSetName',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && value !== '' && isLabelValue(value),
      defaultMessage: () =>
        'set must be 1 to 63 letters, digits, - _ and ., and begin and end with a letter or digit',
    },
  })
  @IsOptional()
  set?: string;

  @ApiPropertyOptional({
    type: 'boolean',
    default: false,
    description:
      'Take over listed clients that something else manages: with `set`, clients outside the set; without `set`, clients in ' +
      'any set. If false, they are conflicts.',
  })
  @ToBoolean()
  @IsBoolean({ message: 'take_over must be true or false' })
  @IsOptional()
  take_over?: boolean;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description:
      'How many clients must be deleted, such as the `deleted` of a dry run: if more or fewer would be, nothing is changed.',
  })
  @ToInteger()
  @Min(0)
  @IsInt()
  @IsOptional()
  expected_deleted?: number;
}

export interface ImportOptions {
  /** Only report what would be done. */
  readonly dryRun: boolean;
  /** Delete the Clients of the set that the import does not list. */
  readonly prune: boolean;
  /** How many must be deleted. */
  readonly expectedDeleted?: number | undefined;
  readonly set?: string | undefined;
  /** What manages the Clients that are registered or taken over. */
  readonly manager: Manager;
  readonly takesOver: boolean;
  /** Whether the caller may import client secrets. */
  readonly importsSecrets: boolean;
}

/** @throws {Problem} 400 */
export function toImportOptions(
  {
    dry_run: dryRun = false,
    prune = false,
    take_over: takesOver = false,
    expected_deleted: expectedDeleted,
    set,
  }: ImportQuery,
  { importsSecrets = false }: Pick<Caller, 'importsSecrets'>,
): ImportOptions {
  if (prune && set === undefined) throw pruneWithoutSet();
  const manager = set === undefined ? 'import' : managerOfSet(set);
  return { dryRun, prune, expectedDeleted, set, manager, takesOver, importsSecrets };
}

/** It would delete the Clients of everyone else. */
function pruneWithoutSet(): Problem {
  const message = 'prune requires set: it deletes only clients of the set';
  return new Problem({
    status: 400,
    detail: `${message}.`,
    errors: [{ field: '/prune', code: 'combination', message }],
  });
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
    enum: ['registered', 'updated', 'deleted', 'enabled', 'disabled'],
    isArray: true,
    example: ['registered'],
  })
  readonly changes!: readonly PlannedChange['kind'][];

  @ApiPropertyOptional({
    description: 'Something else managed it before: users, developers, an import or another set.',
    example: true,
  })
  readonly taken_over?: boolean;

  @ApiPropertyOptional({
    description:
      'For a new client; no other response contains it. Absent in a dry run, and if the import contains its secret.',
  })
  readonly client_secret?: string;

  @ApiPropertyOptional({ description: 'Its secret is the one that the import contains.', example: true })
  readonly client_secret_imported?: true;
}

/** The counts of an import. */
export class ImportSummary {
  @ApiProperty({ description: 'Nothing was changed: this is what would be done.', example: false })
  readonly dry_run!: boolean;

  @ApiProperty({ example: false })
  readonly prune!: boolean;

  @ApiPropertyOptional({ description: 'The set, if one was named.', example: 'shop' })
  readonly set?: string;

  @ApiCount('New clients.', 1)
  readonly registered!: number;

  @ApiCount('Clients whose metadata differed.')
  readonly updated!: number;

  @ApiCount('Clients that were disabled before.')
  readonly enabled!: number;

  @ApiCount('Clients that are now disabled: those that were enabled before, and new ones.')
  readonly disabled!: number;

  @ApiCount('Clients that others managed before; they are also in `updated`.')
  readonly taken_over!: number;

  @ApiCount('Clients of the set that the body did not list; with prune only.')
  readonly deleted!: number;

  @ApiCount('Clients that had nothing to change.')
  readonly unchanged!: number;
}

/** Response of `POST /clients/import`. */
export class ImportAnswer extends ImportSummary {
  @ApiProperty({
    type: [ImportedClientDocument],
    description: 'Each client that changed, in the order of the lines; then those that were deleted.',
  })
  readonly clients!: readonly ImportedClientDocument[];
}
