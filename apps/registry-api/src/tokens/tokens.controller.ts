import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScope, RequireToken } from '@svc/service-kit';
import type { FastifyReply } from 'fastify';
import { schemaRef } from '../openapi/schema-ref.js';
import { CreateTokenBody, lifetimeOf } from './create-token.body.js';
import {
  MADE_TOKEN,
  OWN_TOKEN,
  type OwnTokenDocument,
  TOKEN_LIST,
  type TokenDocument,
  toTokenDocument,
} from './token-document.js';
import { TokensService } from './tokens.service.js';

@ApiTags('tokens')
@Controller('token')
export class TokensController {
  constructor(private readonly tokens: TokensService) {}

  @Get()
  @Header('cache-control', 'no-store')
  @RequireScope('tokens:write')
  @ApiOperation({ summary: 'List the API tokens, the newest first.' })
  @ApiResponse({ status: 200, schema: TOKEN_LIST })
  async list(): Promise<{ tokens: TokenDocument[] }> {
    return { tokens: (await this.tokens.list()).map(toTokenDocument) };
  }

  @Get('self')
  @Header('cache-control', 'no-store')
  @RequireToken()
  @ApiOperation({ summary: 'What the token of this very request may do; any valid token may ask.' })
  @ApiResponse({ status: 200, schema: OWN_TOKEN })
  @ApiResponse({
    status: 403,
    description: 'ADMIN_ALLOWED_ZONES keeps the caller out.',
    schema: schemaRef('Problem'),
  })
  async self(@CurrentPrincipal() { id, name, scopes }: Principal): Promise<OwnTokenDocument> {
    const expiresAt = await this.tokens.expiryOf(id);
    return { name, scopes, ...(expiresAt !== undefined && { expires_at: expiresAt?.toISOString() ?? null }) };
  }

  @Post()
  @Header('cache-control', 'no-store')
  @RequireScope('tokens:write')
  @ApiOperation({ summary: 'Make an API token. The answer is the only one that holds its value.' })
  @ApiResponse({ status: 201, schema: MADE_TOKEN })
  @ApiResponse({ status: 400, schema: schemaRef('Problem') })
  @ApiResponse({ status: 403, description: 'A scope that you lack.', schema: schemaRef('Problem') })
  async create(
    @Body() body: CreateTokenBody,
    @CurrentPrincipal() principal: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TokenDocument & { token: string }> {
    const { name, scopes } = body;
    const made = await this.tokens.create({ name, scopes, lifetime: lifetimeOf(body) }, principal);
    void reply.header('location', `/token/${made.token.id}`);
    return { ...toTokenDocument(made.token), token: made.value };
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('tokens:write')
  @ApiOperation({ summary: 'Revoke an API token.' })
  @ApiResponse({ status: 204, description: 'The token is revoked.' })
  @ApiResponse({ status: 404, schema: schemaRef('Problem') })
  async revoke(@Param('id') id: string): Promise<void> {
    await this.tokens.revoke(id);
  }
}
