import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FIXABLE_WARNINGS } from '@svc/client-metadata';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  Matches,
  Min,
  ValidateNested,
} from 'class-validator';
import { CLIENT_ID } from '../clients/credentials.js';
import { ClientFilterQuery } from '../clients/list/list-clients.query.js';
import { FieldChange } from '../history/history.dto.js';
import { MayBeAbsent } from '../http/may-be-absent.js';
import { NumberedPage, NumberedPageQuery } from '../http/paging.js';
import { ToBoolean } from '../http/query-values.js';
import { schemaRef } from '../openapi/operation-parts.js';
import {
  JOB_ACTIONS,
  JOB_RESULTS,
  JOB_STATES,
  type JobAction,
  type JobResultKind,
  type JobState,
} from './client-job.entity.js';

const STARTED = JOB_ACTIONS.filter((action) => action !== 'undo');

const MAX_IDS = 500;

/** Body of `POST /clients/jobs`. */
export class NewJob {
  @ApiProperty({ enum: STARTED, example: 'disable' })
  @IsIn(STARTED)
  action!: Exclude<JobAction, 'undo'>;

  @ApiPropertyOptional({
    type: ClientFilterQuery,
    description: 'Change the clients that match: the filters of GET /client. Empty: all.',
    example: { label: ['team:shop'], enabled: true },
  })
  @IsObject()
  @ValidateNested()
  @Type(() => ClientFilterQuery)
  @MayBeAbsent()
  filter?: ClientFilterQuery;

  @ApiPropertyOptional({
    type: 'string',
    isArray: true,
    maxItems: MAX_IDS,
    description: 'Change only these clients, as far as they match.',
    example: undefined,
  })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_IDS)
  @ArrayUnique()
  @Matches(CLIENT_ID, { each: true, message: 'client_ids must be 1 to 255 printable ASCII characters each' })
  @MayBeAbsent()
  client_ids?: string[];

  @ApiPropertyOptional({
    allOf: [schemaRef('ClientPatch')],
    description: 'For `patch`: what to change in each client (RFC 7396).',
    example: undefined,
  })
  @IsObject()
  @MayBeAbsent()
  patch?: object;

  @ApiPropertyOptional({
    enum: FIXABLE_WARNINGS,
    description: 'For `fix`: the code of the warning to resolve.',
    example: undefined,
  })
  @IsIn(FIXABLE_WARNINGS)
  @MayBeAbsent()
  warning?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description:
      'How many clients must match, such as the `total` of a dry run: if more or fewer do, the job fails and changes none.',
    example: undefined,
  })
  @Min(0)
  @IsInt()
  @MayBeAbsent()
  expected_total?: number;

  @ApiPropertyOptional({ default: false, description: 'Only find out what would change.' })
  @IsBoolean()
  @MayBeAbsent()
  dry_run?: boolean;
}

/** Query of `GET /clients/jobs`. */
export class ListJobsQuery extends NumberedPageQuery {
  @ApiPropertyOptional({ type: 'boolean', default: false, description: 'Dry runs, too.' })
  @ToBoolean()
  @IsBoolean({ message: 'dry_runs must be true or false' })
  @IsOptional()
  dry_runs: boolean = false;
}

/** Query of `GET /clients/jobs/{id}/results`. */
export class ListResultsQuery extends NumberedPageQuery {
  @ApiPropertyOptional({ enum: JOB_RESULTS, description: 'Only these results.' })
  @IsIn(JOB_RESULTS)
  @IsOptional()
  result?: JobResultKind;
}

/** Who started a job. */
export class JobActor {
  @ApiProperty({
    description: "Id of the token, or `oidc:` and the subject of an issuer's access token.",
    example: '5f1d3a9c0b7e2468',
  })
  readonly id!: string;

  @ApiProperty({ description: "The token's name at the time.", example: 'deployment pipeline' })
  readonly name!: string;
}

export class JobProblem {
  @ApiProperty({ description: 'OAuth error code.', example: 'invalid_token' })
  readonly error!: string;

  @ApiProperty({ example: 'The token that started the job was revoked or has expired.' })
  readonly detail!: string;
}

/** A change of many Clients in the background. */
export class Job {
  @ApiProperty({ type: 'integer', example: 17 })
  readonly id!: number;

  @ApiProperty({ enum: JOB_ACTIONS, example: 'disable' })
  readonly action!: JobAction;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'The filters of the clients it changes; absent for an undo.',
    example: { label: ['team:shop'], enabled: true },
  })
  readonly filter?: object;

  @ApiPropertyOptional({
    type: 'string',
    isArray: true,
    description: 'It changes only these clients.',
    example: undefined,
  })
  readonly client_ids?: readonly string[];

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'The merge patch, for the action `patch`.',
    example: undefined,
  })
  readonly patch?: object;

  @ApiPropertyOptional({ description: 'The code of the warning, for the action `fix`.', example: undefined })
  readonly warning?: string;

  @ApiProperty({ description: 'It only finds out what would change.', example: false })
  readonly dry_run!: boolean;

  @ApiProperty({
    enum: JOB_STATES,
    description: '`collecting`: finding the clients; `running`: changing them. The other states are final.',
    example: 'finished',
  })
  readonly state!: JobState;

  @ApiPropertyOptional({ type: JobProblem, description: 'Why it failed.', example: undefined })
  readonly problem?: JobProblem;

  @ApiProperty({
    type: 'integer',
    description: 'How many matching clients have been found so far.',
    example: 3,
  })
  readonly total!: number;

  @ApiProperty({ type: 'integer', example: 2 })
  readonly changed!: number;

  @ApiProperty({ type: 'integer', description: 'Clients that had nothing to change.', example: 1 })
  readonly unchanged!: number;

  @ApiProperty({ type: 'integer', example: 0 })
  readonly failed!: number;

  @ApiProperty({ type: JobActor })
  readonly created_by!: JobActor;

  @ApiProperty({ format: 'date-time', example: '2026-11-22T18:00:00.000Z' })
  readonly created_at!: string;

  @ApiPropertyOptional({ format: 'date-time', example: '2026-11-22T18:00:09.000Z' })
  readonly finished_at?: string;

  @ApiPropertyOptional({ type: 'integer', description: 'The job that it undoes.', example: undefined })
  readonly undoes?: number;

  @ApiPropertyOptional({ type: 'integer', description: 'The job that last undid it.', example: undefined })
  readonly undone_by?: number;
}

export class JobList extends NumberedPage {
  @ApiProperty({ type: [Job], description: 'Latest first.' })
  readonly jobs!: readonly Job[];
}

/** What a job did to one Client. */
export class JobResult {
  @ApiProperty({ example: 'shop-web' })
  readonly client_id!: string;

  @ApiPropertyOptional({ description: 'Its name at the start.', example: 'Shop' })
  readonly client_name?: string;

  @ApiProperty({ enum: JOB_RESULTS, example: 'changed' })
  readonly result!: JobResultKind;

  @ApiPropertyOptional({ description: 'ETag of the client after the change.', example: '"43-9f86d081884c"' })
  readonly etag?: string;

  @ApiPropertyOptional({ type: JobProblem, description: 'Why it failed.', example: undefined })
  readonly problem?: JobProblem;

  @ApiPropertyOptional({
    type: [FieldChange],
    description: 'Only for a dry run: what would change, for the first clients.',
    example: undefined,
  })
  readonly changes?: readonly FieldChange[];
}

export class JobResultList extends NumberedPage {
  @ApiProperty({ type: [JobResult], description: 'In the order in which the clients are changed.' })
  readonly results!: readonly JobResult[];
}
