import { pino, type DestinationStream, type Logger, type LevelWithSilent } from 'pino';
import { LogDestination } from './log-destination.js';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Members that never reach a log, at the top and one level down, however they got into a log call. */
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

/**
 * JSON lines on standard output: `level`, `time` (ISO 8601), `service`, `msg` and what the call adds. Lines that come fast
 * are gathered for at most 50 ms, unless one is `warn` or worse.
 *
 * @param destination where lines go; tests pass their own
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
      serializers: { err: pino.stdSerializers.errWithCause },
    },
    destination ?? new LogDestination(pino.destination({ dest: 1, sync: true })),
  );
}
