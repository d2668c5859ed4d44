import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Problem, Public } from '@svc/service-kit';
import type { FastifyRequest } from 'fastify';
import type { CommanderConfig } from '../config/commander-config.js';
import { COMMANDER_CONFIG } from '../config/config.module.js';
import { RawBody, readRawBody } from '../http/raw-body.js';
import { isGenuineHook, isPush } from './is-genuine-hook.js';
import { LibrariesService } from './libraries.service.js';

/** GitHub's hooks have at most 25 MiB, but those of a push that is worth reading are small. */
const MAX_HOOK_BYTES = 1024 * 1024;

@ApiTags('library')
@Controller('library/webhook')
export class LibraryWebhookController {
  constructor(
    @Inject(COMMANDER_CONFIG) private readonly config: CommanderConfig,
    private readonly libraries: LibrariesService,
  ) {}

  @Post()
  @Public()
  @RawBody('raw')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Take a push hook of GitHub or GitLab, and load the configured source',
    description:
      'The hook is proved by its own secret (`source.webhook_secret`). Its content chooses nothing: what is loaded is configured.',
  })
  @ApiResponse({ status: 202, description: 'The hook is genuine; a push is being loaded.' })
  @ApiResponse({ status: 403, description: 'The signature or token is not right.' })
  @ApiResponse({ status: 404, description: 'No secret is configured.' })
  async receive(@Req() request: FastifyRequest, @Body() body: unknown): Promise<{ loading: boolean }> {
    const secret = this.config.source.webhook_secret;
    if (secret === undefined) throw new Problem({ status: 404, detail: 'There is no such endpoint.' });
    const bytes = await readRawBody(body, MAX_HOOK_BYTES);
    if (!isGenuineHook(request.headers, bytes, secret)) {
      throw new Problem({ status: 403, detail: 'The hook does not carry the right signature or token.' });
    }
    const loading = isPush(request.headers);
    if (loading) this.libraries.loadForHook();
    return { loading };
  }
}
