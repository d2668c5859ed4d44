import { Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import { RequireScope } from '@svc/service-kit';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RawBody } from '../http/raw-body.js';
import { requesterOf } from '../http/requester.js';
import { refuseBody } from '../http/requests-without-options.js';
import { AuditLog, senderOf } from '../audit/audit-log.js';
import { type AllowedLookup, TargetLookup } from './files/allowed-lookup.js';
import { IplookupService } from './iplookup.service.js';
import { toVersionJson } from './rollback/run-rollback.js';

class VersionDocument {
  @ApiProperty({ type: 'integer', minimum: 1, example: 3 })
  readonly version!: number;

  @ApiProperty({ type: 'integer', minimum: 0, example: 1757 })
  readonly bytes!: number;

  @ApiProperty({
    format: 'date-time',
    description: 'When the version was written.',
    example: '2026-11-21T08:00:00.000Z',
  })
  readonly modified!: string;
}

class VersionList {
  @ApiProperty({ example: 'sites.mmdb' })
  readonly file!: string;

  @ApiProperty({ type: [VersionDocument], description: 'Newest first.' })
  readonly versions!: readonly VersionDocument[];
}

/** A version that is back. */
class RollbackDocument extends VersionDocument {
  @ApiProperty({ example: 'sites.mmdb' })
  readonly file!: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The number that the replaced file has as a version; null if there was none.',
    example: 4,
  })
  readonly replaced!: number | null;
}

class RollbackQuery {
  @ApiPropertyOptional({
    type: Number,
    minimum: 1,
    description: 'The version to restore (default: the newest).',
  })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly to?: number;
}

const NAME_PARAM = { name: 'name', description: 'Name of the lookup, or of its file.', example: 'sites' };

/** Former versions of lookups. */
@ApiTags('iplookup')
@Controller('iplookup/:name')
export class VersionsController {
  constructor(
    private readonly lookups: IplookupService,
    private readonly audit: AuditLog,
  ) {}

  @Get('versions')
  @RequireScope('iplookup:read')
  @ApiOperation({
    operationId: 'listLookupVersions',
    summary: 'List the previous versions of a lookup',
    description: 'At most iplookup.keep_versions of them.',
  })
  @ApiParam(NAME_PARAM)
  @ApiOkResponse({ type: VersionList, description: 'The previous versions.' })
  @ApiResponse({ status: 404, description: 'There is no such lookup, or the token may not use it.' })
  async list(@TargetLookup() name: AllowedLookup): Promise<VersionList> {
    const { file, versions } = await this.lookups.versions(name);
    return { file, versions: versions.map(toVersionJson) };
  }

  @Post('rollback')
  @RawBody('raw')
  @HttpCode(200)
  @RequireScope('iplookup:write')
  @ApiOperation({
    operationId: 'rollBackLookup',
    summary: 'Restore a previous version of a lookup',
    description:
      'The current file becomes a version, so that another rollback undoes this one. Waits for builds in progress.',
  })
  @ApiParam(NAME_PARAM)
  @ApiOkResponse({ type: RollbackDocument, description: 'The restored version.' })
  @ApiResponse({
    status: 404,
    description: 'There is no such lookup or version, or the token may not use the lookup.',
  })
  async rollback(
    @TargetLookup() name: AllowedLookup,
    @Query() { to }: RollbackQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RollbackDocument> {
    refuseBody(request);
    return this.audit.observe(
      'lookup.rollback',
      senderOf(request),
      name,
      async () => this.lookups.rollBack(name, to, requesterOf(request, reply)),
      ({ file, version, replaced }) => ({ file, version, replaced }),
    );
  }
}
