import type { Readable } from 'node:stream';
import { applyDecorators, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
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
import { AddressRecord, LookupList, LookupSummary } from './lookup.dto.js';
import { toJsonRecord } from './record-json.js';
import { sendLookupFile } from './send-lookup-file.js';
import { toSummaryJson } from './http-names.js';

const UPLOAD_TYPES = ['text/csv', 'application/gzip', 'application/zip'];

const DESCRIPTION =
  'Either with a JSON body that names a file in the configured folder and holds the options, or with the CSV itself as the body (plain, gzipped or zipped) and the options as the query, among them file_name or lookup_name. The former lookup stands until the new one is complete. The build ends when the caller leaves.';

const REFUSALS: Readonly<Record<number, string>> = {
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
function BuildEndpoint(
  path: string,
  operationId: string,
  summary: string,
  parameters: new () => BuildParameters,
) {
  return applyDecorators(
    Post(path),
    HttpCode(200),
    RawBody('parsed', 'slowly'),
    RequireScope('iplookup:write'),
    ApiOperation({ operationId, summary, description: DESCRIPTION }),
    ApiConsumes('application/json', ...UPLOAD_TYPES),
    // For JSON; `describeCommander` describes the other types.
    ApiBody({ schema: { $ref: getSchemaPath(parameters) } }),
    ApiOkResponse({
      type: LookupSummary,
      description: 'What became of the rows, and what the lookup holds.',
    }),
    ...Object.entries(REFUSALS).map(([status, description]) =>
      ApiResponse({ status: Number(status), description }),
    ),
  );
}

const NAME_PARAM = { name: 'name', description: 'Name of the lookup.', example: 'sites' };

const header = (example: string) => ({ schema: { type: 'string', example } }) as const;

const FILE_HEADERS = {
  ETag: header('"6d-1757"'),
  'Last-Modified': header('Sat, 21 Nov 2026 08:00:00 GMT'),
  'Accept-Ranges': header('bytes'),
};

const FILE = { 'application/octet-stream': {}, 'application/gzip': {} };

@ApiTags('iplookup')
@ApiExtraModels(CsvBuildParameters, VendorBuildParameters)
@Controller('iplookup')
export class IplookupController {
  constructor(private readonly lookups: IplookupService) {}

  @BuildEndpoint(
    'from-csv',
    'buildLookupFromCsv',
    'Build a lookup from a CSV file with a header',
    CsvBuildParameters,
  )
  async fromCsv(
    @Query() query: CsvBuildParameters,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LookupSummary> {
    return this.build('csv', CsvBuildParameters, query, request, whenLeft(reply));
  }

  @BuildEndpoint(
    'from-vendor',
    'buildLookupFromVendor',
    "Build a lookup from one of the vendor's CSV files",
    VendorBuildParameters,
  )
  async fromVendor(
    @Query() query: VendorBuildParameters,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LookupSummary> {
    return this.build('vendor', VendorBuildParameters, query, request, whenLeft(reply));
  }

  @Get()
  @RequireScope('iplookup:read')
  @ApiOperation({
    operationId: 'listLookups',
    summary: 'List the lookup files',
    description: 'By name, with their size and age.',
  })
  @ApiOkResponse({ type: LookupList, description: 'The lookup files.' })
  async list(): Promise<LookupList> {
    return { lookups: await this.lookups.list() };
  }

  @Get(':name')
  @RequireScope('iplookup:read')
  @ApiOperation({
    operationId: 'downloadLookup',
    summary: 'Download a lookup file',
    description: 'By the name of the lookup or of the file; whole or a range.',
  })
  @ApiParam(NAME_PARAM)
  @ApiResponse({ status: 200, description: 'The file.', headers: FILE_HEADERS, content: FILE })
  @ApiResponse({
    status: 206,
    description: 'The range asked for.',
    headers: { ...FILE_HEADERS, 'Content-Range': header('bytes 0-99/1757') },
    content: FILE,
  })
  @ApiResponse({ status: 304, description: 'The file still has this ETag.', headers: FILE_HEADERS })
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
  @ApiOperation({
    operationId: 'lookUpAddress',
    summary: 'Look up an address',
    description: 'The record of the address, and the network that it holds for.',
  })
  @ApiParam(NAME_PARAM)
  @ApiParam({ name: 'ip', description: 'An IPv4 or IPv6 address.', example: '10.1.2.3' })
  @ApiOkResponse({ type: AddressRecord, description: 'The record, or null, and its network.' })
  @ApiResponse({ status: 400, description: 'This is not an IP address.' })
  @ApiResponse({ status: 404, description: 'There is no such lookup.' })
  async find(@Param('name') name: string, @Param('ip') ip: string): Promise<AddressRecord> {
    const { network, record } = await this.lookups.find(name, ip);
    return { ip, network, record: toJsonRecord(record) };
  }

  private async build<T extends BuildParameters>(
    kind: 'csv' | 'vendor',
    type: new () => T,
    query: T,
    request: FastifyRequest,
    left: AbortSignal,
  ): Promise<LookupSummary> {
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
