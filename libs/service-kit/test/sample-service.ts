import { Body, Controller, Get, Module, Param, Post, Query, StreamableFile } from '@nestjs/common';
import { IsInt, IsObject, IsOptional, IsString, Max } from 'class-validator';
import { PassThrough, Writable } from 'node:stream';
import {
  type AnonymousAuthorizer,
  type AnonymousPrincipal,
  createLogger,
  createMetrics,
  CurrentPrincipal,
  HealthModule,
  type HttpService,
  type HttpServiceOptions,
  MetricsModule,
  type Principal,
  Problem,
  Public,
  RequireScope,
  RequireScopeOrAnonymous,
  startHttpService,
  TOKEN_VERIFIER,
} from '../src/index.js';

class SampleDto {
  @IsInt()
  @Max(10)
  amount!: number;

  @IsOptional()
  @IsObject()
  labels?: Record<string, string>;
}

class SampleQuery {
  @IsOptional()
  @IsString()
  word?: string;
}

class SampleError extends Error {}

/** More than the operating system buffers before the caller reads, in characters. */
export const LARGE = 32 * 1024 * 1024;

/** Requests for `held`: each is answered once it is released. */
class HeldRequests {
  private readonly waiting = new Set<() => void>();
  private onArrival = (): void => undefined;

  async hold(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.waiting.add(resolve);
      this.onArrival();
    });
  }

  /** Resolves once so many wait. */
  async arrived(count: number): Promise<void> {
    while (this.waiting.size < count) await new Promise<void>((resolve) => (this.onArrival = resolve));
  }

  release(): void {
    for (const answer of this.waiting) answer();
    this.waiting.clear();
  }
}

export const heldRequests = new HeldRequests();

/** Lets callers without a token visit. */
class Visitors implements AnonymousAuthorizer {
  authorizeAnonymous(): AnonymousPrincipal {
    return { id: 'visitor', name: 'visitor', scopes: ['sample:read'], isAnonymous: true };
  }
}

@Controller('sample')
class SampleController {
  @Public()
  @Get('open')
  open() {
    return { open: true };
  }

  @RequireScope('sample:read')
  @Get('me')
  me(@CurrentPrincipal() principal: Principal) {
    return principal;
  }

  @RequireScopeOrAnonymous('sample:read', Visitors)
  @Get('visit')
  visit(@CurrentPrincipal() principal: Principal) {
    return principal;
  }

  @RequireScope('sample:write')
  @Post()
  write(@Body() body: SampleDto) {
    return { amount: body.amount };
  }

  @Public()
  @Post('search')
  search(@Body() { amount, labels }: SampleDto, @Query() { word }: SampleQuery) {
    return { amount, labels, word };
  }

  @Public()
  @Get('fails/:how')
  fails(@Param('how') how: string) {
    if (how === 'mapped') throw new SampleError('the sample is broken');
    throw new Error(`a secret the caller must not see: ${how}`);
  }

  @Public()
  @Get('echo/:id')
  echo(@Param('id') id: string) {
    return { id };
  }

  @Public()
  @Get('slow')
  async slow() {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { slow: true };
  }

  @Public()
  @Get('held')
  async held() {
    await heldRequests.hold();
    return { held: true };
  }

  @Public()
  @Get('large')
  large() {
    return { large: 'x'.repeat(LARGE) };
  }

  @Public()
  @Get('silent')
  silent() {
    const content = new PassThrough();
    content.write('first,');
    setTimeout(() => content.end('last'), 2_000);
    return new StreamableFile(content);
  }

  @Get('undeclared')
  undeclared() {
    return {};
  }
}

/** Whether the service's simulated database is up. */
export const database = { up: true };

/** By their tokens. */
const PRINCIPALS: ReadonlyMap<string, Principal> = new Map([
  ['reader', { id: '1', name: 'reader of samples', scopes: ['sample:read', 'metrics:read'] }],
  ['writer', { id: '2', name: 'writer of samples', scopes: ['sample:write'] }],
]);

@Module({
  imports: [
    HealthModule.register({
      useFactory: () => [
        {
          name: 'database',
          check: async () => (database.up ? undefined : Promise.reject(new Error('down'))),
        },
      ],
    }),
  ],
  controllers: [SampleController],
  providers: [
    Visitors,
    {
      provide: TOKEN_VERIFIER,
      useValue: {
        verify: async (token: string) => PRINCIPALS.get(token),
      },
    },
  ],
})
class SampleModule {}

/** A small service on a free port, with everything it logs. */
export async function startSample(
  options: Partial<HttpServiceOptions> = {},
): Promise<HttpService & { logged: () => Record<string, unknown>[]; raw: () => string }> {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  // Of its own: test files share this module.
  const metrics = createMetrics('sample', '1.2.3');
  const imports = [MetricsModule.register(metrics, 'token')];
  const service = await startHttpService(
    { module: SampleModule, imports },
    {
      address: '127.0.0.1',
      port: 0,
      logger: createLogger('sample', 'info', sink),
      api: { title: 'Sample', description: 'A sample.', version: '1.0.0' },
      metrics,
      drainMs: 0,
      problems: [
        (error) =>
          error instanceof SampleError ? new Problem({ status: 409, detail: error.message }) : undefined,
      ],
      ...options,
    },
  );
  return {
    ...service,
    logged: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    raw: () => lines.join(''),
  };
}
