import { randomBytes } from 'node:crypto';
import { isLoopbackSocket } from '@svc/foundation';
import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiResponse, ApiTags } from '@nestjs/swagger';
import { countAsInvalidToken, Problem, Public } from '@svc/service-kit';
import type { FastifyRequest } from 'fastify';
import { eachChunk, RawBody } from '../http/raw-body.js';
import { HookProof } from './hook-proof.js';
import { LibrariesService } from './libraries.service.js';
import { LIBRARY_PATHS, libraryNameOf } from './target-library.js';

/** GitHub's limit. The body is hashed while it is received, and not kept. */
const MAX_HOOK_BYTES = 25 * 1024 * 1024;

/** The outcome of a hook. */
class HookAnswer {
  @ApiProperty({ description: 'False for a hook that is not a push.' })
  readonly loading!: boolean;
}

@ApiTags('library')
@Controller(LIBRARY_PATHS.map((path) => `${path}/webhook`))
export class LibraryWebhookController {
  constructor(private readonly libraries: LibrariesService) {}

  @Post()
  @Public()
  @RawBody('raw')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'receivePush',
    summary: 'Receive a push hook of a Git server, and load the configured source',
    description:
      'The hook proves knowledge of `source.webhook_secret` by a signature with HMAC-SHA-256 (GitHub, Gitea, Forgejo, Bitbucket), in `X-Gitlab-Token` (GitLab), or as the password of basic authentication (Azure DevOps; over TLS or from loopback). Its content has no influence on what is loaded. A push is loaded as soon as the source and the destination are reachable.',
  })
  @ApiResponse({
    status: 202,
    type: HookAnswer,
    description: 'The hook is authentic; if it is a push, its load has been started.',
  })
  @ApiResponse({
    status: 403,
    description:
      'The signature or token is invalid, basic authentication was used without TLS, or there is no library of this name with a secret.',
  })
  @ApiResponse({ status: 404, description: 'The unnamed library has no secret.' })
  @ApiResponse({ status: 413, description: 'The body is larger than 25 MiB.' })
  async receive(@Req() request: FastifyRequest, @Body() body: unknown): Promise<HookAnswer> {
    const name = libraryNameOf(request);
    const library = this.libraries.findForHook(name);
    const secret = library?.settings.source.webhook_secret;
    if (name === undefined && secret === undefined)
      throw new Problem({ status: 404, detail: 'There is no such endpoint.' });
    // Only callers who know its secret learn that a named library exists: no hook matches a random secret.
    const proof = this.proofOf(request, secret ?? randomBytes(32).toString('hex'));
    await eachChunk(body, MAX_HOOK_BYTES, (chunk) => proof.update(chunk));
    if (!proof.isGenuine()) throw refusal(request);
    const loading = proof.isPush();
    if (loading) library?.loadForHook(request.ip);
    return { loading };
  }

  /** @throws {Problem} 403 */
  private proofOf(request: FastifyRequest, secret: string): HookProof {
    const { headers, protocol, ip } = request;
    if (HookProof.isBasic(headers) && protocol !== 'https' && !isLoopbackSocket(ip)) {
      throw new Problem({
        status: 403,
        detail: 'A hook with basic authentication requires TLS or a loopback connection.',
      });
    }
    const proof = HookProof.from(headers, secret);
    if (!proof) throw refusal(request);
    return proof;
  }
}

/** Wrong secrets are throttled and counted like invalid tokens. */
function refusal(request: FastifyRequest): Problem {
  countAsInvalidToken(request);
  return new Problem({
    status: 403,
    detail: 'The hook has an invalid signature or token, or the library has no secret.',
  });
}
