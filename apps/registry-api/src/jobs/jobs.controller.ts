import { Readable } from 'node:stream';
import { Body, Controller, Get, Header, Headers, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { metadataNames, quote } from '@svc/client-metadata';
import { pointerTo, preferredFormat } from '@svc/foundation';
import { Problem, RequireScope } from '@svc/service-kit';
import type { FastifyReply } from 'fastify';
import { type Caller, CurrentCaller } from '../http/current-caller.js';
import { NDJSON_TYPES } from '../http/ndjson-types.js';
import { NO_IDEMPOTENCY_KEY } from '../idempotency/idempotency-key.decorator.js';
import { linkHeader, locationHeader } from '../openapi/operation-parts.js';
import { toJob, toJobResult } from './job-document.js';
import {
  Job,
  JobList,
  JobResult,
  JobResultList,
  ListJobsQuery,
  ListResultsQuery,
  NewJob,
} from './job.dto.js';
import type { StoredJob } from './job-statements.js';
import { JobsService } from './jobs.service.js';

const FORMATS = {
  json: ['application/json'],
  ndjson: NDJSON_TYPES,
} as const;

const ID_PARAM = {
  name: 'id',
  description: 'Number of the job.',
  schema: { type: 'integer' },
  example: 17,
} as const;

const NO_JOB =
  'There is no such job, or the token may not see it: one that reaches only some clients sees only the jobs that it started.';

const TOO_MANY =
  'The token has too many open jobs; too many requests from this token or address, or too many invalid tokens; see Retry-After.';

/** Results per read of a stream. */
const BATCH = 500;

/** The parameter that each action requires besides the Clients. */
const NEEDS: Readonly<Partial<Record<string, 'patch' | 'warning'>>> = { patch: 'patch', fix: 'warning' };

@ApiTags('clients')
@ApiExtraModels(JobResultList, JobResult)
@Controller('clients/jobs')
export class JobsController {
  constructor(private readonly jobs: JobsService) {}

  @Post()
  @HttpCode(202)
  @Header('cache-control', 'no-store')
  @RequireScope('clients:write')
  @ApiOperation({
    operationId: 'startJob',
    summary: 'Change all clients that match a filter',
    description:
      'In the background: enables, disables, deletes or patches up to 100,000 clients, or fixes a warning in them. The job covers the clients that match when it starts; those that change before their turn are left as they are, and counted as failed.',
  })
  @ApiAcceptedResponse({
    type: Job,
    description: 'The job has started.',
    headers: locationHeader('/clients/jobs/17'),
  })
  @ApiResponse({ status: 429, description: TOO_MANY })
  async start(
    @Body() body: NewJob,
    @CurrentCaller() actor: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Job> {
    assertComplete(body);
    return started(await this.jobs.start(body, actor), reply);
  }

  @Get()
  @Header('cache-control', 'no-store')
  @RequireScope('clients:read')
  @ApiOperation({
    operationId: 'listJobs',
    summary: 'List jobs',
    description: 'All of them or, for tokens that reach only some clients, those the token started.',
  })
  @ApiOkResponse({
    type: JobList,
    description: 'The jobs, latest first.',
    headers: linkHeader('/clients/jobs?limit=50&cursor=17'),
  })
  async list(
    @Query() { limit, cursor, dry_runs: dryRuns }: ListJobsQuery,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JobList> {
    const found = await this.jobs.list(caller, dryRuns, limit + 1, cursor);
    const jobs = found.slice(0, limit).map(toJob);
    const next = found.length > limit ? jobs.at(-1)?.id : undefined;
    if (next === undefined) return { jobs };
    const more = dryRuns ? '&dry_runs=true' : '';
    void reply.header('link', `</clients/jobs?limit=${limit}${more}&cursor=${next}>; rel="next"`);
    return { jobs, next };
  }

  @Get(':id')
  @Header('cache-control', 'no-store')
  @RequireScope('clients:read')
  @ApiOperation({
    operationId: 'getJob',
    summary: 'Read a job',
    description: 'Its progress and counts.',
  })
  @ApiParam(ID_PARAM)
  @ApiOkResponse({ type: Job, description: 'The job.' })
  @ApiResponse({ status: 404, description: NO_JOB })
  async find(@Param('id') id: string, @CurrentCaller() caller: Caller): Promise<Job> {
    return toJob(await this.jobs.find(id, caller));
  }

  @Get(':id/results')
  @Header('cache-control', 'no-store')
  @Header('vary', 'accept')
  @RequireScope('clients:read')
  @ApiOperation({
    operationId: 'listJobResults',
    summary: 'Read the results of a job',
    description: 'The result for each client. Page by page, or all as NDJSON if Accept asks for it.',
  })
  @ApiParam(ID_PARAM)
  @ApiResponse({
    status: 200,
    description: 'A page of results, or one per line.',
    headers: linkHeader('/clients/jobs/17/results?limit=50&cursor=50'),
    content: {
      'application/json': { schema: { $ref: getSchemaPath(JobResultList) } },
      'application/x-ndjson': { schema: { $ref: getSchemaPath(JobResult) } },
    },
  })
  @ApiResponse({ status: 404, description: NO_JOB })
  @ApiResponse({ status: 406, description: 'Accept allows neither JSON nor NDJSON.' })
  async results(
    @Param('id') id: string,
    @Query() query: ListResultsQuery,
    @CurrentCaller() caller: Caller,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JobResultList | Readable> {
    const format = preferredFormat(accept, FORMATS);
    if (!format) throw new Problem({ status: 406, detail: 'Results are JSON or NDJSON.' });
    await this.jobs.find(id, caller);
    if (format === 'json') return this.page(id, query, reply);
    void reply.header('content-type', `${FORMATS.ndjson[0]}; charset=utf-8`);
    return Readable.from(this.lines(id, query), { objectMode: false });
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @RequireScope('clients:write')
  @ApiOperation({
    operationId: 'cancelJob',
    summary: 'Cancel a job',
    description:
      'It stops after the clients that it is changing; what it has changed stays, and can be undone.',
  })
  @ApiParam(ID_PARAM)
  @ApiOkResponse({ type: Job, description: 'The job; unchanged if it had ended.' })
  @ApiResponse(NO_IDEMPOTENCY_KEY)
  @ApiResponse({ status: 404, description: NO_JOB })
  async cancel(@Param('id') id: string, @CurrentCaller() caller: Caller): Promise<Job> {
    return toJob(await this.jobs.cancel(id, caller));
  }

  @Post(':id/undo')
  @HttpCode(202)
  @Header('cache-control', 'no-store')
  @RequireScope('clients:write')
  @ApiOperation({
    operationId: 'undoJob',
    summary: 'Undo a job',
    description:
      'A job that restores the previous version of each client that has not changed since; the others fail. Deleted clients come back disabled and without secrets.',
  })
  @ApiParam(ID_PARAM)
  @ApiAcceptedResponse({
    type: Job,
    description: 'The job that undoes it has started.',
    headers: locationHeader('/clients/jobs/18'),
  })
  @ApiResponse(NO_IDEMPOTENCY_KEY)
  @ApiResponse({ status: 404, description: NO_JOB })
  @ApiResponse({ status: 409, description: 'The job has not ended, or has changed nothing.' })
  @ApiResponse({ status: 429, description: TOO_MANY })
  async undo(
    @Param('id') id: string,
    @CurrentCaller() actor: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Job> {
    return started(await this.jobs.undo(id, actor), reply);
  }

  private async page(
    id: string,
    { result, limit, cursor }: ListResultsQuery,
    reply: FastifyReply,
  ): Promise<JobResultList> {
    const found = await this.jobs.results(id, result, limit + 1, cursor && cursor - 1);
    const items = found.slice(0, limit);
    const results = items.map(toJobResult);
    // The cursor is the number of the page's last Client, from 1.
    const next = found.length > limit ? items.at(-1)!.position + 1 : undefined;
    if (next === undefined) return { results };
    const only = result === undefined ? '' : `&result=${result}`;
    void reply.header(
      'link',
      `</clients/jobs/${id}/results?limit=${limit}${only}&cursor=${next}>; rel="next"`,
    );
    return { results, next };
  }

  private async *lines(id: string, { result }: ListResultsQuery): AsyncGenerator<string, void> {
    for (let after = -1; ;) {
      const items = await this.jobs.results(id, result, BATCH, after);
      if (items.length > 0) yield items.map((item) => `${JSON.stringify(toJobResult(item))}\n`).join('');
      if (items.length < BATCH) return;
      after = items.at(-1)!.position;
    }
  }
}

function started(job: StoredJob, reply: FastifyReply): Job {
  void reply.header('location', `/clients/jobs/${job.id}`);
  return toJob(job);
}

/** @throws {Problem} 400 */
function assertComplete(body: NewJob): void {
  const needed = NEEDS[body.action];
  const errors = (['patch', 'warning'] as const).flatMap((name) => {
    if ((body[name] !== undefined) === (needed === name)) return [];
    const message =
      needed === name
        ? `${name} is required for ${body.action}`
        : `${name} cannot be used with the action ${body.action}`;
    return [{ field: `/${name}`, code: needed === name ? 'required' : 'combination', message }];
  });
  errors.push(...unknownMembers(body.patch ?? {}));
  if (body.filter === undefined && body.client_ids === undefined)
    errors.push({ field: '/filter', code: 'required', message: 'filter, client_ids or both are required' });
  if (errors.length > 0) throw new Problem({ status: 400, detail: errors[0]!.message, errors });
}

/** Nothing but metadata is stored in a job, since others can read it. */
function unknownMembers(patch: object): { field: string; code: string; message: string }[] {
  const known = new Set(metadataNames(patch));
  return Object.keys(patch)
    .filter((name) => !known.has(name))
    .map((name) => ({
      field: pointerTo('patch', name),
      code: 'unknown_field',
      message: `${quote(name)} is not a field that a patch can change`,
    }));
}
