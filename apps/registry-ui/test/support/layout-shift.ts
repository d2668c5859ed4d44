import type { Page } from 'playwright-core';

/** Records layout shifts without user input, from the first paint on. */
export async function countLayoutShifts(page: Page): Promise<void> {
  await page.addInitScript(`
    window.moved = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.moved += value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
}

/** The total layout shift; Core Web Vitals call 0.1 good. */
export async function layoutShift(page: Page): Promise<number> {
  return page.evaluate<number>('window.moved');
}
