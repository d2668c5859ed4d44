import { Body, Controller, Delete, Get, Header, Headers, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScope, RequireToken } from '@svc/service-kit';
import type { FastifyReply } from 'fastify';
import { TakesIdempotencyKey } from '../idempotency/takes-idempotency-key.js';
import { schemaRef } from '../openapi/schema-ref.js';
import { CreateTokenBody, lifetimeOf } from './create-token.body.js';
import {
  MADE_TOKEN,
  OWN_TOKEN,
  type OwnTokenDocument,
  REVOCATION,
  TOKEN,
  TOKEN_LIST,
  TOKEN_WITH_DESCENDANTS,
  type TokenDocument,
  toTokenDocument,
} from './token-document.js';
import { ListTokensQuery, RevokeTokenQuery } from './token-queries.js';
import { type MadeTokenOnce, TokensService } from './tokens.service.js';

@ApiTags('tokens')
@Controller('token')
export class TokensController {
  constructor(private readonly tokens: TokensService) {}

  @Get()
  @Header('cache-control', 'no-store')
  @RequireScope('tokens:write')
  @ApiOperation({
    summary: 'List API tokens, newest first: those that can be used, or those that have ended.',
    description: 'Ended tokens can be read for as long as changes are kept (CHANGE_RETENTION_DAYS).',
  })
  @ApiResponse({ status: 200, schema: TOKEN_LIST })
  @ApiResponse({ status: 400, schema: schemaRef('Problem') })
  @ApiResponse({
    status: 404,
    description: 'No API token has the id of `before`.',
    schema: schemaRef('Problem'),
  })
  async list(@Query() { state, limit, before }: ListTokensQuery): Promise<TokenList> {
    if (state === 'living') return { tokens: (await this.tokens.living()).map(toTokenDocument) };
    const { tokens, hasMore } = await this.tokens.ended(limit, before);
    const next = hasMore ? tokens.at(-1)?.id : undefined;
    return { tokens: tokens.map(toTokenDocument), ...(next !== undefined && { next }) };
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

  @Get(':id')
  @Header('cache-control', 'no-store')
  @RequireScope('tokens:write')
  @ApiOperation({ summary: 'Read an API token, ended or not, and the tokens made with it that can be used.' })
  @ApiResponse({ status: 200, schema: TOKEN_WITH_DESCENDANTS })
  @ApiResponse({ status: 404, schema: schemaRef('Problem') })
  async find(@Param('id') id: string): Promise<TokenDocument & { descendants: TokenDocument[] }> {
    const document = toTokenDocument(await this.tokens.find(id));
    return { ...document, descendants: (await this.tokens.livingDescendants(id)).map(toTokenDocument) };
  }

  @Post()
  @Header('cache-control', 'no-store')
  @RequireScope('tokens:write')
  @ApiOperation({
    summary: 'Make an API token. The answer is the only one that holds its value.',
    description:
      'It ends no later than the token it is made with; made with an access token of an issuer, no later than ' +
      'OIDC_TOKEN_MAX_LIFETIME from now. `expires_at` of the answer says when.',
  })
  @TakesIdempotencyKey(
    'For 24 h the same key and body make one token: with its value the first time only, then with Idempotency-Replayed.',
  )
  @ApiResponse({
    status: 201,
    description: 'With Idempotency-Replayed, the token without its value.',
    schema: { anyOf: [MADE_TOKEN, TOKEN] },
  })
  @ApiResponse({ status: 400, schema: schemaRef('Problem') })
  @ApiResponse({ status: 403, description: 'A scope that you lack.', schema: schemaRef('Problem') })
  @ApiResponse({
    status: 409,
    description: 'There are too many tokens, or the Idempotency-Key is taken by another request.',
    schema: schemaRef('Problem'),
  })
  async create(
    @Body() body: CreateTokenBody,
    @CurrentPrincipal() principal: Principal,
    @Headers('idempotency-key') key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TokenDocument & { token?: string }> {
    const { name, scopes } = body;
    const wanted = { name, scopes, lifetime: lifetimeOf(body) };
    const { token, value }: MadeTokenOnce =
      key === undefined
        ? await this.tokens.create(wanted, principal)
        : await this.tokens.createOnce(wanted, principal, key);
    void reply.header('location', `/token/${token.id}`);
    if (value === undefined) void reply.header('idempotency-replayed', 'true');
    return { ...toTokenDocument(token), ...(value !== undefined && { token: value }) };
  }

  @Delete(':id')
  @Header('cache-control', 'no-store')
  @RequireScope('tokens:write')
  @ApiOperation({
    summary: 'Revoke an API token, alone or with the tokens made with it.',
    description: 'One that has ended already stays as it is; its descendants can still be listed or revoked.',
  })
  @ApiResponse({ status: 200, description: 'The token has ended.', schema: REVOCATION })
  @ApiResponse({ status: 404, schema: schemaRef('Problem') })
  async revoke(@Param('id') id: string, @Query() query: RevokeTokenQuery): Promise<RevocationDocument> {
    const { revoked, descendants } = await this.tokens.revoke(id, query.descendants === 'revoke');
    return { revoked: revoked.map(toTokenDocument), descendants: descendants.map(toTokenDocument) };
  }
}

interface TokenList {
  readonly tokens: TokenDocument[];
  readonly next?: string;
}

interface RevocationDocument {
  readonly revoked: TokenDocument[];
  readonly descendants: TokenDocument[];
}
