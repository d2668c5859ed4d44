import { type DynamicModule, Module } from '@nestjs/common';
import type { createLogger } from '@svc/service-kit';

/** The server's log. */
export type Logger = ReturnType<typeof createLogger>;

/** Nest's injection token for the {@link Logger}. */
export const LOGGER = Symbol('Logger');

/** Hands the log to every module. */
@Module({})
export class LoggerModule {
  static register(logger: Logger): DynamicModule {
    return {
      module: LoggerModule,
      global: true,
      providers: [{ provide: LOGGER, useValue: logger }],
      exports: [LOGGER],
    };
  }
}
