import { type DynamicModule, Module } from '@nestjs/common';
import { type createLogger, type Metrics, TOKEN_VERIFIER, type TokenVerifier } from '@svc/service-kit';
import { AuditLog } from '../audit/audit-log.js';
import { RefusalLog } from '../audit/refusal-log.js';
import type { CommanderConfig } from '../config/commander-config.js';

/** The server's log. */
export type Logger = ReturnType<typeof createLogger>;

/** Nest's injection token for the {@link CommanderConfig}. */
export const COMMANDER_CONFIG = Symbol('CommanderConfig');

/** Nest's injection token for the {@link Logger}. */
export const LOGGER = Symbol('Logger');

/** Nest's injection token for the server's {@link Metrics}, to which modules add their own. */
export const METRICS = Symbol('Metrics');

/** What the server is started with. */
export interface Providers {
  readonly config: CommanderConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly verifier: TokenVerifier;
  readonly audit: AuditLog;
  readonly refusals: RefusalLog;
}

/** Provides every module with what the server is started with. */
@Module({})
export class ProvidersModule {
  static register({ config, logger, metrics, verifier, audit, refusals }: Providers): DynamicModule {
    return {
      module: ProvidersModule,
      global: true,
      providers: [
        { provide: COMMANDER_CONFIG, useValue: config },
        { provide: LOGGER, useValue: logger },
        { provide: METRICS, useValue: metrics },
        { provide: TOKEN_VERIFIER, useValue: verifier },
        { provide: AuditLog, useValue: audit },
        { provide: RefusalLog, useValue: refusals },
      ],
      exports: [COMMANDER_CONFIG, LOGGER, METRICS, TOKEN_VERIFIER, AuditLog, RefusalLog],
    };
  }
}
