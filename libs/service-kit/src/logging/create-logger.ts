import { pino, type DestinationStream, type Logger, type LevelWithSilent } from 'pino';
import { escapeControls } from '@svc/foundation';
import { LogDestination } from './log-destination.js';
import type { LoggerService } from '@nestjs/common';
import { activeSpanFields } from '../tracing/spans.js';
import { isTracingConfigured } from '../tracing/start-tracing.js';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Redacted wherever they occur, down to the second level below the top. */
const SECRET_MEMBERS = [
  'authorization',
  'cookie',
  'password',
  'token',
  'secret',
  'client_secret',
  'registration_access_token',
  'key',
];

/** Shared by all loggers, so that their lines stay in order. */
let standardOutput: LogDestination | undefined;

/**
 * Logs JSON lines to stdout: `level`, `time` (ISO 8601), `service`, `msg` and the fields of each call. Lines are buffered for at
 * most 50 ms, unless one is `warn` or worse.
 *
 * @param destination stdout by default; tests pass their own
 */
export function createLogger(
  service: string,
  level: LevelWithSilent,
  destination?: DestinationStream,
): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: SECRET_MEMBERS.flatMap((member) => [member, `*.${member}`, `*.*.${member}`]),
        censor: '[redacted]',
      },
      // JSON escapes C0 controls only.
      hooks: { streamWrite: escapeControls },
      serializers: { err: pino.stdSerializers.errWithCause },
      ...(isTracingConfigured() && { mixin: () => ({ ...activeSpanFields() }) }),
    },
    destination ?? (standardOutput ??= new LogDestination(pino.destination({ dest: 1, sync: true }))),
  );
}

/** Forwards Nest's messages to pino; those of its start only at `debug`. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, stack?: unknown, context?: unknown): void {
    this.logger.error({ context, stack }, String(message));
  }

  fatal(message: unknown, context?: unknown): void {
    this.logger.fatal({ context }, String(message));
  }
}
