import { Readable } from 'node:stream';
import {
  Body,
  Controller,
  Header,
  HttpCode,
  Post,
  Query,
  Res,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '@svc/service-kit';
import type { FastifyReply } from 'fastify';
import { type Actor, CurrentActor } from '../http/current-actor.js';
import { schemaRef } from '../openapi/schema-ref.js';
import { IMPORT_ANSWER } from './import-schemas.js';
import { ImportQuery, toImportOptions } from './import.query.js';
import { ImportService } from './import.service.js';

@ApiTags('clients')
@Controller('clients/import')
export class ImportController {
  constructor(private readonly imports: ImportService) {}

  @Post()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @Header('content-type', 'application/json; charset=utf-8')
  @RequireScope('clients:write')
  @ApiOperation({ summary: 'Make Clients as the lines of an export say: all of them, or none.' })
  @ApiConsumes('application/x-ndjson')
  @ApiBody({ schema: schemaRef('Client'), description: 'One Client on each line; up to 100 MiB.' })
  @ApiResponse({ status: 200, schema: IMPORT_ANSWER })
  @ApiResponse({
    status: 400,
    description: 'Lines that cannot be imported, each fault at its line; nothing was changed.',
    schema: schemaRef('Problem'),
  })
  @ApiResponse({
    status: 413,
    description: 'More than 100 MiB, or 250,000 Clients.',
    schema: schemaRef('Problem'),
  })
  @ApiResponse({ status: 415, description: 'Not NDJSON.', schema: schemaRef('Problem') })
  @ApiResponse({
    status: 503,
    description: 'Another import is under way, or other changes were in the way; see Retry-After.',
    schema: schemaRef('Problem'),
  })
  async run(
    @Body() body: unknown,
    @Query() query: ImportQuery,
    @CurrentActor() actor: Actor,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    if (!(body instanceof Readable)) throw new UnsupportedMediaTypeException();
    const options = toImportOptions(query);
    const report = await this.imports.import(body, { options, actor, abandoned: closing(reply) });
    return report.toJson();
  }
}

/** Tells when the connection ends, which before the answer means that nobody waits for it. */
function closing({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => controller.abort());
  return controller.signal;
}
