import type { Readable } from 'node:stream';
import { applyDecorators, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiOperation,
  ApiProduces,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { RequireScope } from '@svc/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RawBody } from '../http/raw-body.js';
import { type BuildParameters, CsvBuildParameters, VendorBuildParameters } from './build-parameters.dto.js';
import { readBuildRequest } from './build-request.js';
import { IplookupService, type SentInput } from './iplookup.service.js';
import { toJsonRecord } from './record-json.js';
import { sendLookupFile } from './send-lookup-file.js';
import { toSummaryJson } from './http-names.js';

const UPLOAD_TYPES = ['text/csv', 'application/gzip', 'application/zip'];

const DESCRIPTION =
  'Either with a JSON body that names a file in the configured folder and holds the options, or with the CSV itself as the body (plain, gzipped or zipped) and the options as the query, among them file_name or lookup_name. The former lookup stands until the new one is complete. The build ends when the caller leaves.';

const ANSWERS: Readonly<Record<number, string>> = {
  200: 'What became of the rows, and what the lookup holds.',
  400: 'Options or rows are not valid; the first 20 faults are listed.',
  404: 'There is no such input file.',
  408: 'The input came too slowly.',
  409: 'Another lookup is being built.',
  413: 'The input is too large, or needs too much memory.',
  415: 'The body is neither JSON nor CSV.',
  500: 'The lookup file cannot be written; the former one stands.',
  503: 'A folder is not configured, two inputs are being received already, or the build took longer than 15 minutes.',
  507: 'The disk has too little room; the former lookup stands.',
};

/** What the two endpoints that build a lookup have in common. */
function BuildEndpoint(path: string, summary: string, parameters: new () => BuildParameters) {
  return applyDecorators(
    Post(path),
    HttpCode(200),
    RawBody('parsed', 'slowly'),
    RequireScope('iplookup:write'),
    ApiOperation({ summary, description: DESCRIPTION }),
    ApiConsumes('application/json', ...UPLOAD_TYPES),
    ApiBody({ schema: { $ref: getSchemaPath(parameters) } }),
    ...Object.entries(ANSWERS).map(([status, description]) =>
      ApiResponse({ status: Number(status), description }),
    ),
  );
}

@ApiTags('iplookup')
@ApiExtraModels(CsvBuildParameters, VendorBuildParameters)
@Controller('iplookup')
export class IplookupController {
  constructor(private readonly lookups: IplookupService) {}

  @BuildEndpoint('from-csv', 'Build a lookup from a CSV file with a header', CsvBuildParameters)
  async fromCsv(
    @Query() query: CsvBuildParameters,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    return this.build('csv', CsvBuildParameters, query, request, whenLeft(reply));
  }

  @BuildEndpoint('from-vendor', "Build a lookup from one of the vendor's CSV files", VendorBuildParameters)
  async fromVendor(
    @Query() query: VendorBuildParameters,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    return this.build('vendor', VendorBuildParameters, query, request, whenLeft(reply));
  }

  @Get()
  @RequireScope('iplookup:read')
  @ApiOperation({ summary: 'List the lookup files' })
  async list(): Promise<unknown> {
    return { lookups: await this.lookups.list() };
  }

  @Get(':name')
  @RequireScope('iplookup:read')
  @ApiOperation({
    summary: 'Download a lookup file, by the name of the lookup or the file; whole or a range',
  })
  @ApiProduces('application/octet-stream', 'application/gzip')
  @ApiResponse({ status: 200, description: 'The file.' })
  @ApiResponse({ status: 206, description: 'The range asked for.' })
  @ApiResponse({ status: 304, description: 'The file is still the one with this ETag.' })
  @ApiResponse({ status: 404, description: 'There is no such lookup.' })
  @ApiResponse({ status: 416, description: 'The file is shorter than the range asked for.' })
  async download(
    @Param('name') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await sendLookupFile(await this.lookups.open(name), request, reply);
  }

  @Get(':name/:ip')
  @RequireScope('iplookup:read')
  @ApiOperation({ summary: 'Look one address up' })
  @ApiResponse({
    status: 200,
    description: 'The record, or null, and the network around the address it holds for.',
  })
  @ApiResponse({ status: 400, description: 'It is not an IP address.' })
  @ApiResponse({ status: 404, description: 'There is no such lookup.' })
  async find(@Param('name') name: string, @Param('ip') ip: string): Promise<unknown> {
    const { network, record } = await this.lookups.find(name, ip);
    return { ip, network, record: toJsonRecord(record) };
  }

  private async build<T extends BuildParameters>(
    kind: 'csv' | 'vendor',
    type: new () => T,
    query: T,
    request: FastifyRequest,
    left: AbortSignal,
  ): Promise<unknown> {
    const wanted = readBuildRequest(type, query, request);
    const length = request.headers['content-length'];
    const toInput = (archive: boolean): SentInput => ({
      content: request.body as Readable,
      length: length === undefined ? undefined : Number(length),
      archive,
    });
    const summary = wanted.upload
      ? await this.lookups.buildFromBody(kind, wanted.fileName, wanted.flags, toInput(wanted.archive), left)
      : await this.lookups.buildFromFile(kind, wanted.fileName, wanted.flags, left);
    return toSummaryJson(summary);
  }
}

/** Aborts when the caller has gone before the answer, or with it. */
function whenLeft({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  // A caller may leave while the token is verified.
  if (raw.destroyed) left.abort();
  else raw.once('close', () => left.abort());
  return left.signal;
}
