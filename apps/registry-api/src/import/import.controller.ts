import { Readable } from 'node:stream';
import {
  Body,
  Controller,
  Header,
  HttpCode,
  Post,
  Query,
  Req,
  Res,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { bearerTokenOf, closeSignal, RequireScope } from '@svc/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { StreamAccess } from '../changes/stream-access.js';
import type { Transaction } from '../database/transaction.js';
import { type Caller, CurrentCaller } from '../http/current-caller.js';
import { schemaRef } from '../openapi/operation-parts.js';
import { ImportAnswer, ImportQuery, toImportOptions } from './import.dto.js';
import { ImportService } from './import.service.js';

const SCOPE = 'clients:write';

@ApiTags('clients')
@Controller('clients/import')
export class ImportController {
  constructor(
    private readonly imports: ImportService,
    private readonly access: StreamAccess,
  ) {}

  @Post()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @Header('content-type', 'application/json; charset=utf-8')
  @RequireScope(SCOPE)
  @ApiOperation({
    operationId: 'importClients',
    summary: 'Import the clients of an export',
    description: 'All lines or none. A client that already matches its line stays as it is.',
  })
  @ApiConsumes('application/x-ndjson')
  @ApiBody({ schema: schemaRef('ClientUpdate'), description: 'One client per line; up to 100 MiB.' })
  @ApiOkResponse({ type: ImportAnswer, description: 'What was imported.' })
  @ApiResponse({
    status: 400,
    description:
      'Some lines cannot be imported; errors lists each violation with its line. Nothing was changed.',
  })
  @ApiResponse({
    status: 403,
    description:
      'The token lacks the scope that WWW-Authenticate names, or clients:import_secrets, and a line has a secret; or ADMIN_ALLOWED_ZONES keeps the caller out.',
  })
  @ApiResponse({
    status: 409,
    description: 'More or fewer clients would be deleted than `expected_deleted`. Nothing was changed.',
  })
  @ApiResponse({ status: 413, description: 'More than 100 MiB, or more than 250,000 clients.' })
  @ApiResponse({ status: 415, description: 'Not NDJSON.' })
  @ApiResponse({
    status: 503,
    description:
      'Another import is running, concurrent changes interfered, the database does not respond, or the service is overloaded; see Retry-After.',
  })
  async run(
    @Body() body: unknown,
    @Query() query: ImportQuery,
    @CurrentCaller() actor: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    if (!(body instanceof Readable)) throw new UnsupportedMediaTypeException();
    const options = toImportOptions(query, actor);
    const token = await this.access.identify(bearerTokenOf(request)!);
    const assertAllowed = async (transaction: Transaction) =>
      this.access.assertValid(token, [SCOPE], transaction);
    const abandoned = closeSignal(reply);
    const report = await this.imports.import(body, { options, actor, abandoned, assertAllowed });
    return report.toJson();
  }
}
