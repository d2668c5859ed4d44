import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ClientMetadata } from '@svc/client-metadata';
import type { Zone } from '../audit/lookup-file.js';
import { ChangeDocument } from '../changes/change.dto.js';
import { Actor } from '../http/current-caller.js';
import { NumberedPage } from '../http/paging.js';
import { schemaRef } from '../openapi/operation-parts.js';

export class LocatedActor extends Actor {
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'What AUDIT_IP_LOOKUP has for the address now, by column; absent if it has nothing.',
    example: { site: 'Depot' },
  })
  readonly zone?: Zone;
}

const METADATA_VALUE = [
  { type: 'string' },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'array', items: { type: 'string' } },
  { type: 'array', items: { type: 'object', additionalProperties: { type: 'string' } } },
  { type: 'object', additionalProperties: { type: 'string' } },
];

/** What a change did to one field. A side without a value is absent. */
export class FieldChange {
  @ApiProperty({ example: 'client_name' })
  readonly field!: string;

  @ApiPropertyOptional({
    anyOf: METADATA_VALUE,
    description: 'Absent when there was no value.',
    example: 'My web application',
  })
  readonly before?: unknown;

  @ApiPropertyOptional({
    anyOf: METADATA_VALUE,
    description: 'Absent when there is no value.',
    example: 'Shop',
  })
  readonly after?: unknown;
}

/** A change of one Client, with what it did to the metadata. */
export class HistoryEntry extends ChangeDocument {
  @ApiProperty({ type: LocatedActor, description: 'Who made the change.' })
  declare readonly actor: LocatedActor;

  @ApiProperty({ type: [FieldChange], description: 'The metadata that differs; never a secret.' })
  readonly changed!: readonly FieldChange[];
}

/** A Client's metadata after one of its changes. */
export class HistoryVersion extends ChangeDocument {
  @ApiProperty({
    oneOf: [schemaRef('ClientUpdate')],
    description:
      'What `PUT /client/{client_id}` takes to put this version back: all metadata after the change, or before a deletion. ' +
      'Never a secret; without redirect URIs that had an expiry, which would become permanent.',
  })
  readonly metadata!: Partial<ClientMetadata>;
}

/** A page of a Client's history. */
export class HistoryPage extends NumberedPage {
  @ApiProperty({ type: [HistoryEntry], description: 'Latest first.' })
  readonly changes!: readonly HistoryEntry[];
}
