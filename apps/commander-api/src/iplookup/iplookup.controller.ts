import type { Readable } from 'node:stream';
import { applyDecorators, Controller, Delete, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
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
import { CurrentPrincipal, type Principal, RequireScope } from '@svc/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RawBody } from '../http/raw-body.js';
import {
  type BuildParameters,
  CsvBuildParameters,
  MaxmindBuildParameters,
  VendorBuildParameters,
} from './build/build-parameters.dto.js';
import type { BuildKind } from './build/build-flags.js';
import { readBuildRequest } from './build/build-request.js';
import { AuditLog, senderOf } from '../audit/audit-log.js';
import { type AllowedLookup, LookupGate, TargetLookup } from './files/allowed-lookup.js';
import { IplookupService, type SentInput } from './iplookup.service.js';
import { LookupList, LookupSummary } from './files/lookup.dto.js';
import { sendLookupFile } from './files/send-lookup-file.js';
import { toSummaryJson } from './files/http-names.js';
import { type Requester, requesterOf } from '../http/requester.js';

const UPLOAD_TYPES = ['text/csv', 'application/gzip', 'application/zip'];

const DESCRIPTION =
  'Send either a JSON body with the options and the name of a file in the configured folder, or the CSV itself as the body (plain, gzipped or zipped) with the options in the query, including file_name or lookup_name. The previous lookup stays in place until the new one is complete. The build stops if the client disconnects.';

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'Options or rows are invalid; the first 20 errors are listed.',
  403: 'The token lacks the scope; or it is for some lookups only, and the input is not in the body or join is used.',
  404: 'Input file not found, or the token may not build this lookup.',
  408: 'The upload was too slow.',
  409: 'A build requested with this token is running or waiting, or four builds in all are.',
  413: 'The input is too large, or needs too much memory.',
  415: 'The body is neither JSON nor CSV.',
  422: 'The new lookup fails guards, which are listed; the previous one is kept.',
  500: 'The lookup file cannot be written; the previous one is kept.',
  503: 'A folder is not configured, three uploads are already in progress, or the build took longer than 15 minutes.',
  507: 'The disk is almost full; the previous lookup is kept.',
};

/** Decorators of the endpoints that build a lookup. */
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
      description: 'What happened to the rows, and what the lookup contains.',
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
@ApiExtraModels(CsvBuildParameters, VendorBuildParameters, MaxmindBuildParameters)
@Controller('iplookup')
export class IplookupController {
  constructor(
    private readonly lookups: IplookupService,
    private readonly gate: LookupGate,
    private readonly audit: AuditLog,
  ) {}

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
    return this.build('csv', CsvBuildParameters, query, request, requesterOf(request, reply));
  }

  @BuildEndpoint(
    'from-vendor',
    'buildLookupFromVendor',
    "Build a lookup from a vendor's CSV file",
    VendorBuildParameters,
  )
  async fromVendor(
    @Query() query: VendorBuildParameters,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LookupSummary> {
    return this.build('vendor', VendorBuildParameters, query, request, requesterOf(request, reply));
  }

  @BuildEndpoint(
    'from-maxmind',
    'buildLookupFromMaxmind',
    "Build a lookup from one of MaxMind's databases in CSV format, a zip archive",
    MaxmindBuildParameters,
  )
  async fromMaxmind(
    @Query() query: MaxmindBuildParameters,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LookupSummary> {
    return this.build('maxmind', MaxmindBuildParameters, query, request, requesterOf(request, reply));
  }

  @Get()
  @RequireScope('iplookup:read')
  @ApiOperation({
    operationId: 'listLookups',
    summary: 'List the lookup files',
    description: 'Those that the token may use, sorted by name, with size and time of modification.',
  })
  @ApiOkResponse({ type: LookupList, description: 'The lookup files.' })
  async list(@CurrentPrincipal() caller: Principal): Promise<LookupList> {
    return { lookups: await this.lookups.list(caller) };
  }

  @Get(':name')
  @RequireScope('iplookup:read')
  @ApiOperation({
    operationId: 'downloadLookup',
    summary: 'Download a lookup file',
    description: 'By the name of the lookup or of its file; the whole file, or a range of it.',
  })
  @ApiParam(NAME_PARAM)
  @ApiResponse({ status: 200, description: 'The file.', headers: FILE_HEADERS, content: FILE })
  @ApiResponse({
    status: 206,
    description: 'The requested range.',
    headers: { ...FILE_HEADERS, 'Content-Range': header('bytes 0-99/1757') },
    content: FILE,
  })
  @ApiResponse({ status: 304, description: 'The file still has this ETag.', headers: FILE_HEADERS })
  @ApiResponse({ status: 404, description: 'There is no such lookup, or the token may not use it.' })
  @ApiResponse({ status: 416, description: 'The file is shorter than the requested range.' })
  async download(
    @TargetLookup() name: AllowedLookup,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await sendLookupFile(await this.lookups.open(name), request, reply);
  }

  @Delete(':name')
  @HttpCode(204)
  @RequireScope('iplookup:write')
  @ApiOperation({
    operationId: 'deleteLookup',
    summary: 'Delete a lookup file',
    description:
      'By the name of the lookup, whose plain and gzipped files are both deleted, or of one file. Downloads in progress are completed.',
  })
  @ApiParam(NAME_PARAM)
  @ApiResponse({ status: 204, description: 'Deleted.' })
  @ApiResponse({ status: 404, description: 'There is no such lookup, or the token may not use it.' })
  async delete(@TargetLookup() name: AllowedLookup, @Req() request: FastifyRequest): Promise<void> {
    await this.audit.observe(
      'lookup.delete',
      senderOf(request),
      name,
      async () => this.lookups.delete(name),
      (files) => ({ files }),
    );
  }

  private async build<T extends BuildParameters>(
    kind: BuildKind,
    type: new () => T,
    query: T,
    request: FastifyRequest,
    caller: Requester,
  ): Promise<LookupSummary> {
    const wanted = readBuildRequest(type, query, request);
    this.gate.assertBuild(request, wanted);
    const length = request.headers['content-length'];
    const toInput = (): SentInput => ({
      content: request.body as Readable,
      length: length === undefined ? undefined : Number(length),
    });
    const summary = await this.audit.observe(
      'lookup.build',
      senderOf(request),
      wanted.flags.lookupName ?? wanted.flags.zoneName ?? wanted.fileName,
      async () =>
        wanted.upload
          ? this.lookups.buildFromBody(kind, wanted.fileName, wanted.flags, toInput(), caller)
          : this.lookups.buildFromFile(kind, wanted.fileName, wanted.flags, caller),
      ({ lookup, bytes, records }) => ({ lookup, bytes, records }),
    );
    return toSummaryJson(summary);
  }
}
