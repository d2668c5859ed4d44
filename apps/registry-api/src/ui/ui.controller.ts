import { Controller, Get, Headers, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@svc/service-kit';
import type { FastifyReply } from 'fastify';
import { UiFiles } from './ui-files.js';
import { UiPage } from './ui-page.js';

/** The names of assets contain a hash of their content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Serves the console: one page for all its paths, and its assets. */
@ApiExcludeController()
@Public()
@Controller('ui')
export class UiController {
  constructor(
    private readonly files: UiFiles,
    private readonly uiPage: UiPage,
  ) {}

  @Get('assets/:name')
  async asset(
    @Param('name') name: string,
    @Headers('accept-encoding') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const { contentType, plain, gzipped } = this.files.asset(name);
    void reply.type(contentType).headers({ 'cache-control': IMMUTABLE, vary: 'accept-encoding' });
    if (!gzipped || !/\bgzip\b/.test(accepted ?? '')) return plain;
    void reply.header('content-encoding', 'gzip');
    return gzipped();
  }

  @Get(['', '*'])
  page(@Res({ passthrough: true }) reply: FastifyReply): string {
    const { html, policy } = this.uiPage.answer();
    void reply.type('text/html; charset=utf-8').headers({
      'cache-control': 'no-store',
      'content-security-policy': policy,
    });
    return html;
  }
}
