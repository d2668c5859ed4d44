import { setTimeout as sleep } from 'node:timers/promises';

const DEADLINE_MS = 20_000;
const PAUSE_MS = 50;

/** Repeats a check until it passes. @throws {unknown} its last error, after 20 seconds */
export async function eventually(check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
