import { asksFor } from '@svc/foundation';
import { Controller, Get, Headers, HttpCode, Post, Put, Query, Req, Res } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { RequireScope } from '@svc/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { senderOf } from '../audit/audit-log.js';
import { NoQuery, refuseBody } from '../http/requests-without-options.js';
import { RawBody } from '../http/raw-body.js';
import { diffMarkdown } from './diff-markdown.js';
import { ServedLibrary } from './served-library.js';
import { LibraryStatusDocument, LoadHistoryDocument } from './library-status.dto.js';
import { LoadReportDocument, LoadStreamLine, PlanDocument } from './load-report.dto.js';
import { streamLoad } from './load-stream.js';
import {
  DiffQuery,
  LoadQuery,
  RollbackQuery,
  StatusQuery,
  toLoadRequest,
  toRollbackRequest,
  wantsDrift,
} from './library-queries.dto.js';
import { LIBRARY_PATHS, TargetLibrary } from './target-library.js';

const NDJSON = 'application/x-ndjson';
const MARKDOWN = 'text/markdown';

const STREAM = {
  schema: { $ref: getSchemaPath(LoadStreamLine) },
  example: { progress: { phase: 'writing', done: 20, total: 43 } },
};

const NO_LIBRARY = 'There is no such library, or the token may not use it.';

const HAS_PARAMETERS = { status: 400, description: 'The request has a parameter, but none is supported.' };

const UNVERIFIED = {
  status: 422,
  description:
    'With `source.verify`: no allowed signer signed the commit, or it does not descend from the one loaded last; nothing was written.',
};

@ApiTags('library')
@Controller([...LIBRARY_PATHS])
@ApiResponse({ status: 404, description: NO_LIBRARY })
export class LibrariesController {
  @Put('load')
  @RawBody('raw')
  @RequireScope('library:write')
  @ApiOperation({
    operationId: 'loadLibrary',
    summary: 'Load the configured source into the configured destination',
    description:
      'Takes no body. With `Accept: application/x-ndjson`, progress is streamed as lines of JSON; the last line is the report or the problem. A load continues if the client disconnects.',
  })
  @ApiExtraModels(LoadReportDocument, LoadStreamLine)
  @ApiResponse({
    status: 200,
    description: 'The report: what was created, updated and deleted.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(LoadReportDocument) } },
      [NDJSON]: STREAM,
    },
  })
  @ApiResponse({
    status: 400,
    description:
      'The source has errors (the first hundred are listed), an option is invalid, or the request has a body; nothing was written.',
  })
  @ApiResponse({
    status: 409,
    description:
      'Another load (or another dry run, for a dry run) is in progress, the library was changed in the meantime, or the destination was loaded from another source.',
  })
  @ApiResponse(UNVERIFIED)
  @ApiResponse({ status: 502, description: 'The source cannot be read.' })
  @ApiResponse({ status: 503, description: 'The destination does not respond, or is not configured.' })
  async load(
    @TargetLibrary() library: ServedLibrary,
    @Query() query: LoadQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    refuseBody(request);
    const wanted = toLoadRequest(query);
    if (!asksFor(request.headers.accept, NDJSON)) return library.load(wanted, senderOf(request));
    const place = { instance: request.url.split('?')[0] ?? '', requestId: request.id };
    const stream = await streamLoad((onProgress) => library.load(wanted, senderOf(request), onProgress), {
      ...place,
      waits: wanted.waitMs > 0,
    });
    void reply.type(NDJSON);
    return stream;
  }

  @Get('status')
  @RequireScope('library:read')
  @ApiOperation({
    operationId: 'getLibraryStatus',
    summary: 'Read the status of the library',
    description: 'The last load into the destination, and whether a load is running or was interrupted.',
  })
  @ApiOkResponse({ type: LibraryStatusDocument, description: 'The status.' })
  @ApiResponse({ status: 503, description: 'The destination does not respond, or is not configured.' })
  async status(
    @TargetLibrary() library: ServedLibrary,
    @Query() query: StatusQuery,
  ): Promise<LibraryStatusDocument> {
    return library.status(wantsDrift(query));
  }

  @Get('diff')
  @RequireScope('library:read')
  @ApiOperation({
    operationId: 'diffLibrary',
    summary: 'List what a load would change',
    description:
      'A dry run of a load: nothing is written. With `ref`, what merging that branch would change.',
  })
  @ApiOkResponse({
    description:
      'A report with `dry_run` and the list of changes; or a comment on a merge request, as Markdown.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(PlanDocument) } },
      [MARKDOWN]: { schema: { type: 'string' }, example: '### A load would change nothing' },
    },
  })
  @ApiResponse({
    status: 400,
    description: 'The source has errors (the first hundred are listed), or the parameter is invalid.',
  })
  @ApiResponse({ status: 409, description: 'Another diff or dry run is in progress.' })
  @ApiResponse({
    status: 502,
    description: 'The source cannot be read, or has no such branch, tag or commit.',
  })
  async diff(
    @TargetLibrary() library: ServedLibrary,
    @Query() { ref }: DiffQuery,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PlanDocument | string> {
    const report = await library.diff(ref);
    if (!asksFor(accept, MARKDOWN)) return report;
    void reply.type(`${MARKDOWN}; charset=utf-8`);
    return `${diffMarkdown(report)}\n`;
  }

  @Get('history')
  @RequireScope('library:read')
  @ApiOperation({
    operationId: 'listLoads',
    summary: 'List the last ten loads',
    description: 'Newest first: what each load wrote, and its source.',
  })
  @ApiOkResponse({ type: LoadHistoryDocument, description: 'The loads.' })
  @ApiResponse(HAS_PARAMETERS)
  async history(
    @TargetLibrary() library: ServedLibrary,
    @Query() _query: NoQuery,
  ): Promise<LoadHistoryDocument> {
    return { loads: await library.history() };
  }

  @Post('rollback')
  @RawBody('raw')
  @HttpCode(200)
  @RequireScope('library:write')
  @ApiOperation({
    operationId: 'rollBackLibrary',
    summary: 'Restore an earlier load',
    description: 'By its number, or by how many loads to go back; without either, the previous load.',
  })
  @ApiOkResponse({ type: PlanDocument, description: 'The report of the load that restored the earlier one.' })
  @ApiResponse({
    status: 404,
    description: `There is no such load to roll back to, or no copy of it. ${NO_LIBRARY}`,
  })
  @ApiResponse({
    status: 409,
    description: 'Another load is in progress or, unless `to` is given, has finished during the request.',
  })
  @ApiResponse({ status: 422, description: 'With `source.verify`: that load was not verified.' })
  @ApiResponse({ status: 502, description: 'Without a copy of the load, the source cannot be read.' })
  async rollback(
    @TargetLibrary() library: ServedLibrary,
    @Query() query: RollbackQuery,
    @Req() request: FastifyRequest,
  ): Promise<PlanDocument> {
    refuseBody(request);
    return library.rollback(toRollbackRequest(query), senderOf(request));
  }
}
