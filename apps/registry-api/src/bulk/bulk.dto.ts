import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Violation } from '@svc/service-kit';
import { schemaRef } from '../openapi/operation-parts.js';

export const MAX_OPERATIONS = 1_000;

const OPERATIONS = ['register', 'update', 'delete', 'enable', 'disable'] as const;

/** One operation, for the API document: `toBulkRequest` validates it. */
export class BulkOperationBody {
  @ApiProperty({ enum: OPERATIONS, example: 'disable' })
  readonly op!: (typeof OPERATIONS)[number];

  @ApiPropertyOptional({ description: 'The client_id; omit it to register.', example: 'shop-web' })
  readonly client_id?: string;

  @ApiPropertyOptional({
    allOf: [schemaRef('ClientRegistration')],
    description: 'For a registration, or for an update that replaces.',
  })
  readonly client?: object;

  @ApiPropertyOptional({
    allOf: [schemaRef('ClientPatch')],
    description: 'For an update that changes some members (RFC 7396).',
  })
  readonly patch?: object;

  @ApiPropertyOptional({ description: 'Like the header If-Match.', example: '"42-9f86d081884c"' })
  readonly if_match?: string;
}

/** Body of `POST /clients/bulk`, for the API document. */
export class BulkRequestBody {
  @ApiPropertyOptional({ default: true, description: 'All operations or none.' })
  readonly atomic?: boolean;

  @ApiPropertyOptional({ default: false, description: 'Only report what would be done.' })
  readonly dry_run?: boolean;

  @ApiProperty({
    type: [BulkOperationBody],
    minItems: 1,
    maxItems: MAX_OPERATIONS,
    example: [{ op: 'disable', client_id: 'shop-web', if_match: '"42-9f86d081884c"' }],
  })
  readonly operations!: readonly BulkOperationBody[];
}

/** Why an operation failed. */
export class BulkProblem {
  @ApiProperty({ description: 'OAuth error code.', example: 'not_found' })
  readonly error!: string;

  @ApiProperty({ example: 'There is no client with this client_id.' })
  readonly detail!: string;

  @ApiPropertyOptional({ type: [Violation] })
  readonly errors?: readonly Violation[];
}

/** The outcome of one operation. */
export class BulkResult {
  @ApiProperty({ type: 'integer', description: 'Index of the operation.', example: 0 })
  readonly index!: number;

  @ApiProperty({ enum: OPERATIONS, example: 'disable' })
  readonly op!: (typeof OPERATIONS)[number];

  @ApiPropertyOptional({
    description: 'Absent if the operation names none and none has been generated yet.',
    example: 'shop-web',
  })
  readonly client_id?: string;

  @ApiProperty({ type: 'integer', description: 'The status of the operation alone.', example: 200 })
  readonly status!: number;

  @ApiPropertyOptional({ description: 'False when there was nothing to change.' })
  readonly changed?: boolean;

  @ApiPropertyOptional({ description: 'ETag of the client after the operation.', example: '"43"' })
  readonly etag?: string;

  @ApiPropertyOptional({ description: 'For a registration; no other response contains it.' })
  readonly client_secret?: string;

  @ApiPropertyOptional({ type: BulkProblem, description: 'Why the operation failed.', example: undefined })
  readonly problem?: BulkProblem;
}

/** Response of `POST /clients/bulk`. */
export class BulkAnswer {
  @ApiProperty()
  readonly atomic!: boolean;

  @ApiProperty({ example: false })
  readonly dry_run!: boolean;

  @ApiProperty({ type: 'integer', example: 1 })
  readonly succeeded!: number;

  @ApiProperty({ type: 'integer', description: 'Always 0 where the operations are atomic.', example: 0 })
  readonly failed!: number;

  @ApiProperty({
    type: [BulkResult],
    description: 'One for each operation, in order.',
    example: [{ index: 0, op: 'disable', client_id: 'shop-web', status: 200, changed: true, etag: '"43"' }],
  })
  readonly results!: readonly BulkResult[];
}
