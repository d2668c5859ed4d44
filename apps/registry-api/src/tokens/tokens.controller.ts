import { Body, Controller, Delete, Get, Header, Headers, Ip, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScope, RequireToken } from '@svc/service-kit';
import type { FastifyReply } from 'fastify';
import { toRegistryPrincipal } from '../http/registry-principal.js';
import { TakesIdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import { locationHeader, REPLAYED } from '../openapi/operation-parts.js';
import {
  CreatedToken,
  CreateTokenBody,
  lifetimeOf,
  ListTokensQuery,
  OwnTokenDocument,
  Revocation,
  RevokeTokenQuery,
  TokenList,
  TokenWithDescendants,
  toTokenDocument,
} from './token.dto.js';
import { restrictionsIn, selectorMembers } from './token-restrictions.dto.js';
import { type TokenCreatedOnce, TokensService } from './tokens.service.js';

const ID_PARAM = { name: 'id', description: 'Id of the token.', example: '5f1d3a9c0b7e2468' } as const;

@ApiTags('tokens')
@Controller('token')
export class TokensController {
  constructor(private readonly tokens: TokensService) {}

  @Get()
  @Header('cache-control', 'no-store')
  @RequireScope('tokens:write')
  @ApiOperation({
    operationId: 'listTokens',
    summary: 'List API tokens, newest first',
    description:
      'Usable tokens or, with `state=ended`, revoked and expired ones, which are kept as long as changes are ' +
      '(CHANGE_RETENTION_DAYS). A token that reaches only some clients sees only the tokens created with it, directly or ' +
      'through others.',
  })
  @ApiOkResponse({ type: TokenList, description: 'The tokens, without their values.' })
  @ApiResponse({ status: 404, description: 'No API token has the id given in `before`.' })
  async list(
    @Query() { state, limit, before }: ListTokensQuery,
    @CurrentPrincipal() principal: Principal,
  ): Promise<TokenList> {
    const caller = toRegistryPrincipal(principal);
    if (state === 'living') return { tokens: (await this.tokens.living(caller)).map(toTokenDocument) };
    const { tokens, hasMore } = await this.tokens.ended(caller, limit, before);
    const next = hasMore ? tokens.at(-1)?.id : undefined;
    return { tokens: tokens.map(toTokenDocument), ...(next !== undefined && { next }) };
  }

  @Get('self')
  @Header('cache-control', 'no-store')
  @RequireToken()
  @ApiOperation({
    operationId: 'getOwnToken',
    summary: 'Read the token of this request',
    description:
      "Its name, scopes and expiry. Any valid token will do, including the issuer's access tokens.",
  })
  @ApiOkResponse({ type: OwnTokenDocument, description: "What this request's token may do." })
  @ApiResponse({ status: 403, description: 'ADMIN_ALLOWED_ZONES keeps the caller out.' })
  async self(@CurrentPrincipal() principal: Principal): Promise<OwnTokenDocument> {
    const { id, name, scopes, selector, networks } = toRegistryPrincipal(principal);
    const token = await this.tokens.own(id);
    return {
      ...{ name, scopes },
      ...(token && { id, expires_at: token.expiresAt?.toISOString() ?? null }),
      ...selectorMembers(selector),
      ...(networks && { networks }),
    };
  }

  @Get(':id')
  @Header('cache-control', 'no-store')
  @RequireScope('tokens:write')
  @ApiOperation({
    operationId: 'getToken',
    summary: 'Read an API token',
    description: 'Usable or ended, with the usable tokens created with it.',
  })
  @ApiParam(ID_PARAM)
  @ApiOkResponse({ type: TokenWithDescendants, description: 'The token, without its value.' })
  @ApiResponse({ status: 404, description: 'No API token has this id.' })
  async find(
    @Param('id') id: string,
    @CurrentPrincipal() principal: Principal,
  ): Promise<TokenWithDescendants> {
    const document = toTokenDocument(await this.tokens.find(id, toRegistryPrincipal(principal)));
    return { ...document, descendants: (await this.tokens.livingDescendants({ id })).map(toTokenDocument) };
  }

  @Post()
  @Header('cache-control', 'no-store')
  @RequireScope('tokens:write')
  @ApiOperation({
    operationId: 'createToken',
    summary: 'Create an API token',
    description:
      'Only this response contains its value. The token expires no later than the token that creates it; created with an ' +
      'access token of an issuer, no later than OIDC_TOKEN_MAX_LIFETIME from now. `expires_at` in the response says when.',
  })
  @TakesIdempotencyKey(
    'For 24 h the same key and body create one token: repeated requests return it without its value, with Idempotency-Replayed.',
  )
  @ApiResponse({
    status: 201,
    type: CreatedToken,
    description: 'The token and its value.',
    headers: { ...locationHeader('/token/5f1d3a9c0b7e2468'), ...REPLAYED },
  })
  @ApiResponse({
    status: 403,
    description:
      'The token lacks the scope that WWW-Authenticate names, or the new token would have a scope that yours lacks, or reach more than yours; or ADMIN_ALLOWED_ZONES keeps the caller out.',
  })
  @ApiResponse({
    status: 409,
    description:
      'There are too many tokens, the chain of tokens, each created with the previous one, is too long, or the ' +
      'Idempotency-Key was used for another request, or for a token that has ended since.',
  })
  async create(
    @Body() body: CreateTokenBody,
    @CurrentPrincipal() principal: Principal,
    @Ip() address: string,
    @Headers('idempotency-key') key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedToken> {
    const { name, scopes } = body;
    const wanted = { name, scopes, lifetime: lifetimeOf(body), restrictions: restrictionsIn(body) };
    const grantor = { ...toRegistryPrincipal(principal), address };
    const { token, value }: TokenCreatedOnce =
      key === undefined
        ? await this.tokens.create(wanted, grantor)
        : await this.tokens.createOnce(wanted, grantor, key);
    void reply.header('location', `/token/${token.id}`);
    if (value === undefined) void reply.header('idempotency-replayed', 'true');
    return { ...toTokenDocument(token), ...(value !== undefined && { token: value }) };
  }

  @Delete(':id')
  @Header('cache-control', 'no-store')
  @RequireScope('tokens:write')
  @ApiOperation({
    operationId: 'revokeToken',
    summary: 'Revoke an API token, alone or with the tokens created with it',
    description: 'A token that has ended stays as it is; its descendants can still be listed and revoked.',
  })
  @ApiParam(ID_PARAM)
  @ApiOkResponse({ type: Revocation, description: 'The token has ended.' })
  @ApiResponse({ status: 404, description: 'No API token has this id.' })
  async revoke(
    @Param('id') id: string,
    @Query() query: RevokeTokenQuery,
    @CurrentPrincipal() principal: Principal,
    @Ip() address: string,
  ): Promise<Revocation> {
    const caller = { ...toRegistryPrincipal(principal), address };
    const revoked = await this.tokens.revoke(id, query.descendants === 'revoke', caller);
    const descendants = await this.tokens.livingDescendants({ id });
    return { revoked: revoked.map(toTokenDocument), descendants: descendants.map(toTokenDocument) };
  }
}
