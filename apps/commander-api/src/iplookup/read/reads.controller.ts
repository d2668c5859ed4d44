import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '@svc/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AllowedLookup, TargetLookup } from '../files/allowed-lookup.js';
import { AddressRecord } from '../files/lookup.dto.js';
import { asAttachment, noContent } from '../files/send-lookup-file.js';
import { LookupReadsService } from './lookup-reads.service.js';
import {
  AddressList,
  AddressRecords,
  DiffDocument,
  DiffQuery,
  DumpQuery,
  ExplanationDocument,
  InspectionDocument,
  InspectQuery,
  VerificationDocument,
} from './reads.dto.js';
import { requesterOf } from '../../http/requester.js';

const NAME_PARAM = { name: 'name', description: 'Name of the lookup.', example: 'sites' };
const IP_PARAM = { name: 'ip', description: 'An IPv4 or IPv6 address.', example: '10.1.2.3' };
const NOT_FOUND = { status: 404, description: 'There is no such lookup, or the token may not use it.' };
const BUSY = {
  status: 503,
  description: 'No folder is configured, three lookups are already being read, or reading took too long.',
};
const DAMAGED = { status: 500, description: 'The lookup file is damaged.' };

/** What lookups contain. */
@ApiTags('iplookup')
@Controller('iplookup')
export class ReadsController {
  constructor(private readonly lookups: LookupReadsService) {}

  @Post(':name/addresses')
  @HttpCode(200)
  @RequireScope('iplookup:read')
  @ApiOperation({
    operationId: 'lookUpAddresses',
    summary: 'Look up many addresses',
    description: 'Up to 10,000; the results are in the order of the request.',
  })
  @ApiParam(NAME_PARAM)
  @ApiOkResponse({
    type: AddressRecords,
    description: 'The record of each address, or null, and its network.',
  })
  @ApiResponse(NOT_FOUND)
  async findMany(@TargetLookup() name: AllowedLookup, @Body() { ips }: AddressList): Promise<AddressRecords> {
    return { addresses: await this.lookups.find(name, ips) };
  }

  @Get(':name/inspect')
  @RequireScope('iplookup:read')
  @ApiOperation({
    operationId: 'inspectLookup',
    summary: 'Summarise a lookup',
    description: 'Its metadata, and how many networks and addresses each value of a column covers.',
  })
  @ApiParam(NAME_PARAM)
  @ApiOkResponse({ type: InspectionDocument, description: 'The summary.' })
  @ApiResponse({ status: 400, description: 'No record has the column.' })
  @ApiResponse(NOT_FOUND)
  @ApiResponse(DAMAGED)
  @ApiResponse(BUSY)
  async inspect(
    @TargetLookup() name: AllowedLookup,
    @Query() { column }: InspectQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return this.lookups.inspect(name, column, requesterOf(request, reply));
  }

  @Get(':name/verify')
  @RequireScope('iplookup:read')
  @ApiOperation({
    operationId: 'verifyLookup',
    summary: 'Validate a lookup file',
    description: 'By the rules of the strictest MaxMind DB readers.',
  })
  @ApiParam(NAME_PARAM)
  @ApiOkResponse({ type: VerificationDocument, description: 'The problems found, if any.' })
  @ApiResponse(NOT_FOUND)
  @ApiResponse(BUSY)
  async verify(
    @TargetLookup() name: AllowedLookup,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return this.lookups.verify(name, requesterOf(request, reply));
  }

  @Get(':name/diff/:other')
  @RequireScope('iplookup:read')
  @ApiOperation({
    operationId: 'diffLookups',
    summary: 'Compare two lookups',
    description: 'How many networks were added, removed and changed, and the first of them.',
  })
  @ApiParam({ ...NAME_PARAM, description: 'Name of the old lookup.' })
  @ApiParam({ name: 'other', description: 'Name of the new lookup.', example: 'sites' })
  @ApiOkResponse({ type: DiffDocument, description: 'The differences.' })
  @ApiResponse(NOT_FOUND)
  @ApiResponse(DAMAGED)
  @ApiResponse(BUSY)
  async diff(
    @TargetLookup() name: AllowedLookup,
    @TargetLookup('other') other: AllowedLookup,
    @Query() { limit = 20 }: DiffQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return this.lookups.diff(name, other, limit, requesterOf(request, reply));
  }

  @Get(':name/explain/:ip')
  @RequireScope('iplookup:read')
  @ApiOperation({
    operationId: 'explainAddress',
    summary: "Show where an address's values come from",
    description: 'In a declared lookup: the source of each value, and the line in it.',
  })
  @ApiParam(NAME_PARAM)
  @ApiParam(IP_PARAM)
  @ApiOkResponse({ type: ExplanationDocument, description: 'The values; none if there is no record.' })
  @ApiResponse({ status: 400, description: 'The path parameter ip is not an IP address.' })
  @ApiResponse({
    ...NOT_FOUND,
    description: 'There is no such lookup, it is not declared, or the token may not use it.',
  })
  @ApiResponse({ status: 409, description: 'The lookup was not built as it is declared now.' })
  @ApiResponse(DAMAGED)
  @ApiResponse(BUSY)
  async explain(
    @TargetLookup() name: AllowedLookup,
    @Param('ip') ip: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return this.lookups.explain(name, ip, requesterOf(request, reply));
  }

  @Get(':name/dump')
  @RequireScope('iplookup:read')
  @ApiOperation({
    operationId: 'dumpLookup',
    summary: 'Convert a lookup to CSV',
    description: 'With ip_from and ip_to, or one column of networks. The response is streamed.',
  })
  @ApiParam(NAME_PARAM)
  @ApiResponse({
    status: 200,
    description: 'The rows.',
    content: {
      'text/csv': {
        schema: { type: 'string' },
        example: 'ip_from,ip_to,site\n10.1.0.0,10.1.255.255,Depot\n',
      },
    },
  })
  @ApiResponse({ status: 400, description: 'The records have too many different columns.' })
  @ApiResponse(NOT_FOUND)
  @ApiResponse(DAMAGED)
  @ApiResponse(BUSY)
  async dump(
    @TargetLookup() name: AllowedLookup,
    @Query() { cidr }: DumpQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const located = await this.lookups.locate(name);
    const csv = located.file.replace(/\.mmdb(\.gz)?$/, '.csv');
    const form = cidr === true ? 'cidr' : 'range';
    const content =
      noContent(request.method) ?? (await this.lookups.dump(located, form, requesterOf(request, reply)));
    void reply.type('text/csv; charset=utf-8').header('content-disposition', asAttachment(csv));
    await reply.send(content);
  }

  @Get(':name/:ip')
  @RequireScope('iplookup:read')
  @ApiOperation({
    operationId: 'lookUpAddress',
    summary: 'Look up an address',
    description: "The address's record, and the network it applies to.",
  })
  @ApiParam(NAME_PARAM)
  @ApiParam(IP_PARAM)
  @ApiOkResponse({ type: AddressRecord, description: 'The record, or null, and its network.' })
  @ApiResponse({ status: 400, description: 'The path parameter ip is not an IP address.' })
  @ApiResponse(NOT_FOUND)
  async find(@TargetLookup() name: AllowedLookup, @Param('ip') ip: string): Promise<AddressRecord> {
    const [found] = await this.lookups.find(name, [ip]);
    return found!;
  }
}
