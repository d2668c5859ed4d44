import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/**
 * Delays what the page's scripts request, as on a slow network, so that placeholders are visible. Unlike `page.route`, it
 * leaves the HTTP cache on, and with it the compiled scripts.
 */
export async function delayRequests(page: Page, ms: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  session.on('Fetch.requestPaused', ({ requestId }) => {
    // The page may be closed meanwhile.
    void sleep(ms)
      .then(async () => session.send('Fetch.continueRequest', { requestId }))
      .catch(() => undefined);
  });
  await session.send('Fetch.enable', { patterns: [{ resourceType: 'Fetch' }] });
}
