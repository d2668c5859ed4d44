import type { Page } from 'playwright-core';

/** Messages that offer to undo something stay for a minute instead of ten seconds: a busy machine takes longer to reach them. */
export async function keepMessages(page: Page): Promise<void> {
  await page.addInitScript(`{
    const start = setInterval;
    setInterval = (work, delay, ...values) => start(work, delay === 10_000 ? 60_000 : delay, ...values);
  }`);
}
