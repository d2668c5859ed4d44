import type { Logger } from 'pino';

/** A shutdown that takes longer is aborted, because something hangs. */
const SHUTDOWN_DEADLINE_MS = 30_000;

/** How long a process may keep running after its service was closed. */
const LINGER_MS = 500;

/**
 * Runs a service until SIGTERM or SIGINT, then closes it. The process exits with status 0, or with 1 if closing fails or takes
 * too long.
 */
export function runUntilSignal(service: { close(): Promise<void> }, logger: Logger): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error('shutdown took too long');
      process.exit(1);
    }, SHUTDOWN_DEADLINE_MS).unref();
    service
      .close()
      .then(
        () => logger.info('stopped'),
        (err: unknown) => {
          logger.error({ err }, 'shutdown failed');
          process.exitCode = 1;
        },
      )
      // Nothing that is still pending matters, such as an export of traces to a collector that does not respond.
      .finally(() => setTimeout(() => process.exit(), LINGER_MS).unref());
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
