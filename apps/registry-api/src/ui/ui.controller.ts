import { Controller, Get, Headers, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@svc/service-kit';
import type { FastifyReply } from 'fastify';
import { type ContentCoding, UiFiles } from './ui-files.js';
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
    const { contentType, plain, compressed } = this.files.asset(name);
    void reply.type(contentType).headers({ 'cache-control': IMMUTABLE, vary: 'accept-encoding' });
    const coding = codingFor(accepted ?? '');
    if (!compressed || !coding) return plain;
    void reply.header('content-encoding', coding);
    return compressed(coding);
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

const CODINGS: readonly ContentCoding[] = ['br', 'gzip'];

/** The best coding that an Accept-Encoding header allows. */
function codingFor(accepted: string): ContentCoding | undefined {
  const offers = accepted.split(',').map((offer) => offer.split(';').map((part) => part.trim()));
  return CODINGS.find((coding) =>
    offers.some(([name, quality = '']) => name === coding && !/^q=0(\.0*)?$/.test(quality)),
  );
}
