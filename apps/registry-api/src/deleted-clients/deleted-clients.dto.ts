import { ApiProperty } from '@nestjs/swagger';
import type { Capabilities, ClientDocument } from '@svc/client-metadata';
import { toClientDocument } from '../clients/client-document.js';
import { NumberedPage } from '../http/paging.js';
import { schemaRef } from '../openapi/operation-parts.js';
import type { StoredDeletedClient } from './deleted-client.store.js';

/** Who deleted a Client. */
class DeletedBy {
  @ApiProperty({
    description:
      "Id of the token, or `oidc:` and the subject of an issuer's access token, `registration:` and a client_id, or `registry`.",
    example: '5f1d3a9c0b7e2468',
  })
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
    description: 'It can be restored until then.',
    example: '2026-12-21T08:00:00.000Z',
  })
  readonly restorable_until!: string;

  @ApiProperty({
    oneOf: [schemaRef('Client')],
    description: 'The client as it would come back: disabled and without secrets.',
  })
  readonly client!: ClientDocument;
}

/** A page of deleted Clients. */
export class DeletedClientPage extends NumberedPage {
  @ApiProperty({ type: [DeletedClientDocument], description: 'Latest deletion first.' })
  readonly clients!: readonly DeletedClientDocument[];
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
