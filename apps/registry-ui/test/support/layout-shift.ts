import type { Page } from 'playwright-core';

/** Counts, from the first paint on, how far things move that nobody asked to move. */
export async function countLayoutShifts(page: Page): Promise<void> {
  await page.addInitScript(`
    window.moved = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.moved += value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
}

/** How far things have moved: 0.1 is what Core Web Vitals call good. */
export async function layoutShift(page: Page): Promise<number> {
  return page.evaluate<number>('window.moved');
}
