import type { Logger } from 'pino';

/** A shutdown that takes longer is given up: something hangs, and the supervisor should know. */
const SHUTDOWN_DEADLINE_MS = 30_000;

/**
 * Keeps a service up until SIGTERM or SIGINT, then closes it and lets the process end with status 0; with 1 when
 * closing fails or takes too long.
 */
export function runUntilSignal(service: { close(): Promise<void> }, logger: Logger): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error('stopping took too long');
      process.exit(1);
    }, SHUTDOWN_DEADLINE_MS).unref();
    service.close().then(
      () => logger.info('stopped'),
      (err: unknown) => {
        logger.error({ err }, 'stopping failed');
        process.exitCode = 1;
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
