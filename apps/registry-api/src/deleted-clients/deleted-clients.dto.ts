import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Capabilities, ClientDocument } from '@svc/client-metadata';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { toClientDocument } from '../clients/client-document.js';
import { ToInteger } from '../http/query-values.js';
import { schemaRef } from '../openapi/operation-parts.js';
import type { StoredDeletedClient } from './deleted-client.store.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** Query of `GET /deleted-clients`. */
export class ListDeletedClientsQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })
  @ToInteger()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @IsOptional()
  limit: number = DEFAULT_LIMIT;

  @ApiPropertyOptional({ type: 'integer', description: '`next` of the previous page.' })
  @ToInteger()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  @IsOptional()
  cursor?: number;
}

/** Who deleted a Client. */
class DeletedBy {
  @ApiProperty({ description: 'Id of the token.', example: '5f1d3a9c0b7e2468' })
  readonly id!: string;

  @ApiProperty({ description: "The token's name at the time.", example: 'deployment pipeline' })
  readonly name!: string;
}

/** A deleted Client that can be restored. */
export class DeletedClientDocument {
  @ApiProperty({ example: 'shop-web' })
  readonly client_id!: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T08:00:00.000Z' })
  readonly deleted_at!: string;

  @ApiProperty({ type: DeletedBy })
  readonly deleted_by!: DeletedBy;

  @ApiProperty({
    format: 'date-time',
    description: 'Until when it can be restored.',
    example: '2026-12-21T08:00:00.000Z',
  })
  readonly restorable_until!: string;

  @ApiProperty({
    oneOf: [schemaRef('Client')],
    description: 'The Client as it would come back: disabled and without secrets.',
  })
  readonly client!: ClientDocument;
}

/** A page of deleted Clients. */
export class DeletedClientPage {
  @ApiProperty({ type: [DeletedClientDocument], description: 'Latest deletion first.' })
  readonly clients!: readonly DeletedClientDocument[];

  @ApiPropertyOptional({
    type: 'integer',
    description: 'The cursor of the next page; absent on the last one.',
    example: 41,
  })
  readonly next?: number;
}

export function toDeletedClientDocument(
  deleted: StoredDeletedClient,
  restorableUntil: Date,
  capabilities: Capabilities,
): DeletedClientDocument {
  return {
    client_id: deleted.clientId,
    deleted_at: deleted.deletedAt.toISOString(),
    deleted_by: { id: deleted.deletedBy, name: deleted.deletedByName },
    restorable_until: restorableUntil.toISOString(),
    client: toClientDocument(deleted, capabilities),
  };
}
