import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiCount } from '@svc/service-kit';

/** Objects whose members depend on the input. */
const ApiObjects = (description: string) =>
  ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description,
    example: [],
  });

/** A stored lookup file. */
export class LookupFileDocument {
  @ApiProperty({ example: 'sites' })
  readonly name!: string;

  @ApiProperty({ example: 'sites.mmdb' })
  readonly file!: string;

  @ApiCount('Size of the file.', 1757)
  readonly bytes!: number;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T08:00:00.000Z' })
  readonly modified!: string;

  @ApiProperty({ example: false })
  readonly gzip!: boolean;
}

export class LookupList {
  @ApiProperty({ type: [LookupFileDocument] })
  readonly lookups!: readonly LookupFileDocument[];
}

/** What a lookup says about one address. */
export class AddressRecord {
  @ApiProperty({ example: '10.1.2.3' })
  readonly ip!: string;

  @ApiProperty({
    description: 'The network around the address that the record applies to.',
    example: '10.1.0.0/16',
  })
  readonly network!: string;

  @ApiProperty({
    anyOf: [{ type: 'object', additionalProperties: true }, { type: 'null' }],
    description: 'The values by column; null for an address without a record.',
    example: { site: 'Depot' },
  })
  readonly record!: Readonly<Record<string, unknown>> | null;
}

/** Counts of the input's rows and of the lookup's content. */
export class LookupSummary {
  @ApiProperty({ description: 'The lookup file.', example: 'sites.mmdb' })
  readonly file!: string;

  @ApiProperty({ example: 'sites' })
  readonly lookup!: string;

  @ApiCount('Size of the lookup file.', 1757)
  readonly bytes!: number;

  @ApiProperty({ example: 0.114 })
  readonly seconds!: number;

  @ApiCount('Rows read, without the header and blank lines.', 7)
  readonly rows!: number;

  @ApiCount('Rows in the lookup.', 7)
  readonly kept!: number;

  @ApiCount('Rows dropped because of empty cells.')
  readonly dropped!: number;

  @ApiCount('Rows whose cells are all empty.')
  readonly empty_rows!: number;

  @ApiCount('Rows with some empty cells.')
  readonly partly_empty_rows!: number;

  @ApiCount('Invalid rows, skipped on request.')
  readonly skipped!: number;

  @ApiObjects('The first of the skipped rows.')
  readonly skipped_rows!: readonly object[];

  @ApiCount('IPv6 rows, which an IPv4 lookup cannot contain.')
  readonly left_out!: number;

  @ApiCount('Rows that continue the previous one with the same values.')
  readonly merged!: number;

  @ApiCount('Rows that begin inside another row.')
  readonly overlaps!: number;

  @ApiObjects('The first of the overlaps, by their lines.')
  readonly overlapping!: readonly object[];

  @ApiCount(
    'Rows that are overridden by a later row with more addresses; overlap=specific lets them win. Not counted beyond a million.',
  )
  readonly overridden_specific!: number;

  @ApiObjects('Rows that override more than 100 earlier ones, and more than 1 % of all; at most five.')
  readonly overriding!: readonly object[];

  @ApiObjects('Missing join keys: values without a row in a joined file, by joined file.')
  readonly missing_keys!: readonly object[];

  @ApiCount('Nodes of the search tree.', 226)
  readonly nodes!: number;

  @ApiCount('Distinct records.', 7)
  readonly records!: number;

  @ApiProperty({ type: 'integer', description: 'Bits of a record in the search tree.', example: 24 })
  readonly record_size!: number;

  @ApiProperty({ type: 'integer', enum: [4, 6], example: 6 })
  readonly ip_version!: 4 | 6;

  @ApiObjects('What each guard found.')
  readonly guards!: readonly object[];

  @ApiPropertyOptional({
    description: 'The name of the token that replaced the previous lookup although guards failed.',
  })
  readonly forced_by?: string;
}
