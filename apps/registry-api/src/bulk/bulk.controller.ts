import { Body, Controller, Header, Headers, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '@svc/service-kit';
import type { FastifyReply } from 'fastify';
import { type Actor, CurrentActor } from '../http/current-actor.js';
import { TakesIdempotencyKey } from '../idempotency/takes-idempotency-key.js';
import { schemaRef } from '../openapi/schema-ref.js';
import { toBulkAnswer, toBulkProblem } from './bulk-answer.js';
import { toBulkRequest } from './bulk-request.js';
import { BULK_ANSWER, BULK_REQUEST } from './bulk-schemas.js';
import { BulkRefusedError } from './bulk.errors.js';
import { BulkService } from './bulk.service.js';
import { IdempotentBulkService } from './idempotent-bulk.service.js';

/** Else the request as a whole answers with 400. */
const WHERE_ALL =
  'Of operations to be carried out together some cannot be, and each of these would answer so on its own.';

@ApiTags('clients')
@Controller('clients/bulk')
export class BulkController {
  constructor(
    private readonly bulk: BulkService,
    private readonly idempotent: IdempotentBulkService,
  ) {}

  @Post()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @RequireScope('clients:write')
  @ApiOperation({ summary: 'Register, update, delete, enable and disable up to 1,000 Clients at once.' })
  @TakesIdempotencyKey(
    'For 24 h the same key and body are carried out once: a repetition gets the first answer, without secrets and lists of ' +
      'errors, and Idempotency-Replayed. Not with dry_run.',
  )
  @ApiBody({ schema: BULK_REQUEST })
  @ApiResponse({ status: 200, schema: BULK_ANSWER })
  @ApiResponse({
    status: 400,
    description: 'Of operations to be carried out together some cannot be, or the request is not sound.',
    schema: schemaRef('Problem'),
  })
  @ApiResponse({ status: 404, description: WHERE_ALL, schema: schemaRef('Problem') })
  @ApiResponse({
    status: 409,
    description: `${WHERE_ALL} Or the Idempotency-Key is taken by another request.`,
    schema: schemaRef('Problem'),
  })
  @ApiResponse({ status: 412, description: WHERE_ALL, schema: schemaRef('Problem') })
  @ApiResponse({ status: 413, description: 'More than 16 MiB.', schema: schemaRef('Problem') })
  @ApiResponse({ status: 428, description: WHERE_ALL, schema: schemaRef('Problem') })
  async run(
    @Body() body: unknown,
    @CurrentActor() actor: Actor,
    @Headers('idempotency-key') key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReturnType<typeof toBulkAnswer>> {
    const request = toBulkRequest(body);
    try {
      if (key === undefined) return toBulkAnswer(request, await this.bulk.run(request, actor));
      const { answer, isReplayed } = await this.idempotent.run(request, key, actor);
      if (isReplayed) void reply.header('idempotency-replayed', 'true');
      return answer;
    } catch (error) {
      throw error instanceof BulkRefusedError ? toBulkProblem(error) : error;
    }
  }
}
