import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isDatabaseAway } from './is-database-away.js';

/** From one attempt to the next, in milliseconds: short at first, since a database often comes a moment later. */
const PAUSES = { first: 250, longest: 2_000 };

/**
 * Connects, again and again while the database is away, for at most `waitMs` milliseconds; 0 tries once. So a service
 * and its database may start together, in any order.
 *
 * @throws what the last attempt threw; at once where waiting does not help, such as for a wrong password
 */
export async function waitForDatabase(
  connect: () => Promise<unknown>,
  waitMs: number,
  logger: Logger,
): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (let pause = PAUSES.first; ; pause = Math.min(2 * pause, PAUSES.longest)) {
    try {
      await connect();
      return;
    } catch (error) {
      const left = deadline - performance.now();
      if (left <= 0 || !isDatabaseAway(error)) throw error;
      if (pause === PAUSES.first) {
        const { code, message } = error as NodeJS.ErrnoException;
        logger.warn({ reason: code ?? message, seconds: waitMs / 1000 }, 'waiting for the database');
      }
      await sleep(Math.min(pause, left));
    }
  }
}
