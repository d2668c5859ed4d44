import { Body, Controller, Header, Headers, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { NeedsPlace, RequireScope } from '@svc/service-kit';
import type { FastifyReply } from 'fastify';
import { type Caller, CurrentCaller } from '../http/current-caller.js';
import { TakesIdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import { REPLAYED } from '../openapi/operation-parts.js';
import { toBulkAnswer, toBulkProblem } from './bulk-answer.js';
import { BulkPlaces } from './bulk-places.js';
import { BulkRefusedError } from './bulk-planner.js';
import { toBulkRequest } from './bulk-request.js';
import { BulkAnswer, BulkRequestBody } from './bulk.dto.js';
import { BulkService } from './bulk.service.js';

/** If operations were refused with different statuses, the response is 400. */
const ALL_ALIKE = 'An atomic request: every operation that failed would get this response on its own.';

@ApiTags('clients')
@Controller('clients/bulk')
export class BulkController {
  constructor(
    private readonly bulk: BulkService,
    private readonly places: BulkPlaces,
  ) {}

  @Post()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @RequireScope('clients:write')
  @NeedsPlace(BulkPlaces)
  @ApiOperation({
    operationId: 'changeClients',
    summary: 'Register, update, delete, enable and disable many clients',
    description: 'Up to 1,000 operations: all or none of them or, with `atomic: false`, each valid one.',
  })
  @TakesIdempotencyKey(
    'For 24 h the same key and body are carried out once: repeated requests return the first response, without secrets ' +
      'and lists of errors, with Idempotency-Replayed. Not with dry_run.',
  )
  @ApiBody({ type: BulkRequestBody })
  @ApiOkResponse({ type: BulkAnswer, description: 'The result of each operation.', headers: REPLAYED })
  @ApiResponse({
    status: 400,
    description: 'The request is invalid, or operations of an atomic one cannot be carried out.',
  })
  @ApiResponse({ status: 404, description: ALL_ALIKE })
  @ApiResponse({
    status: 409,
    description: `${ALL_ALIKE} Or the Idempotency-Key was used for another request.`,
  })
  @ApiResponse({ status: 412, description: ALL_ALIKE })
  @ApiResponse({ status: 413, description: 'More than 16 MiB.' })
  @ApiResponse({ status: 428, description: ALL_ALIKE })
  async run(
    @Body() body: unknown,
    @CurrentCaller() actor: Caller,
    @Headers('idempotency-key') key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BulkAnswer> {
    const request = toBulkRequest(body);
    const leave = this.places.take(actor);
    try {
      if (key === undefined) return toBulkAnswer(request, await this.bulk.run(request, actor));
      const { answer, isReplayed } = await this.bulk.runOnce(request, key, actor);
      if (isReplayed) void reply.header('idempotency-replayed', 'true');
      return answer;
    } catch (error) {
      throw error instanceof BulkRefusedError ? toBulkProblem(error) : error;
    } finally {
      leave();
    }
  }
}
