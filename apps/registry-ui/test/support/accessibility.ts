import axe from 'axe-core';
import type { Page } from 'playwright-core';

const SCHEMES = ['light', 'dark'] as const;

/** WCAG 2.2 AA and the practices that axe recommends beside it. */
const OPTIONS = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
};

/** What axe finds wrong with the page as it is, in both colour schemes: one line each. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
    // The new colours are drawn two frames later.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(OPTIONS)})`);
    faults.push(
      ...violations.flatMap(({ id, nodes }) =>
        nodes.map(
          ({ target, failureSummary }) => `${colorScheme}: ${id}: ${target.join(' ')}: ${failureSummary}`,
        ),
      ),
    );
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return faults;
}
