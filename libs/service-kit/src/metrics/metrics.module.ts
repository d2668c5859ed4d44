import { Controller, type DynamicModule, Get, Header, Headers, Module, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public, RequireScope } from '../access/access.decorators.js';
import type { Metrics } from './metrics.js';

/** `GET /metrics`, with the scope `metrics:read` or, if configured, without a token. */
@Module({})
export class MetricsModule {
  static register(metrics: Metrics, access: 'token' | 'public'): DynamicModule {
    return {
      module: MetricsModule,
      controllers: [controllerFor(metrics, access === 'public' ? Public() : RequireScope('metrics:read'))],
    };
  }
}

function controllerFor(metrics: Metrics, Access: ClassDecorator & MethodDecorator) {
  @Access
  @ApiTags('operations')
  @Controller('metrics')
  class MetricsController {
    @Get()
    @Header('vary', 'Accept')
    @ApiOperation({
      operationId: 'readMetrics',
      summary: 'Read the metrics',
      description:
        'In the text format of Prometheus or, if the caller prefers it, in OpenMetrics, with exemplars that name the traces of requests.',
    })
    @ApiOkResponse({
      description: 'All metrics of this process.',
      content: {
        'text/plain': {
          schema: { type: 'string', example: 'process_resident_memory_bytes 98123776\n' },
        },
        'application/openmetrics-text': {
          schema: { type: 'string', example: 'process_resident_memory_bytes 98123776\n# EOF\n' },
        },
      },
    })
    async read(
      @Headers('accept') accept: string | undefined,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<string> {
      const { contentType, text } = await metrics.expose(accept);
      void reply.type(contentType);
      return text;
    }
  }
  return MetricsController;
}
