import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Minified, which the browser parses in less than half the time. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 AA, and axe's best practices. */
const ALL_RULES = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
};

/** Only what depends on the colour scheme. */
const COLOUR_RULES = { runOnly: ['color-contrast', 'link-in-text-block'], resultTypes: ['violations'] };

const SCHEMES = [
  { colorScheme: 'dark', rules: COLOUR_RULES },
  { colorScheme: 'light', rules: ALL_RULES },
] as const;

/**
 * Waits for transitions to end: axe would measure intermediate states. Infinite animations, such as the pulse of a
 * skeleton, are ignored.
 */
const SETTLED = `(async () => {
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  const passing = () => document.getAnimations().filter(
    (animation) => animation.playState === 'running' && Number.isFinite(animation.effect.getComputedTiming().endTime),
  );
  // A change of scheme renders one frame later, and starts its transitions in the next.
  for (let still = 0; still < 2; still += 1) {
    await frame();
    const animations = passing();
    if (animations.length === 0) continue;
    await Promise.allSettled(animations.map(({ finished }) => finished));
    still = -1;
  }
})()`;

/** Axe violations of the current page in both colour schemes, one per line. It ends in the light scheme. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const { colorScheme, rules } of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
    found.push(...(await violationsOf(page, rules, colorScheme)));
  }
  return found;
}

/** Axe violations in a contrast theme, where the system's few colours replace ours. It ends in our colours. */
export async function contrastThemeViolations(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  const found = await violationsOf(page, COLOUR_RULES, 'contrast theme');
  await page.emulateMedia({ forcedColors: 'none' });
  return found;
}

async function violationsOf(page: Page, rules: object, scheme: string): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
  await page.evaluate(SETTLED);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(rules)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${scheme}: ${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

const WIDTHS = [360, 768, 1920, 2560];

/** The page passes axe in both colour schemes and fits every window. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await accessibilityViolations(page)).toEqual([]);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    expect([width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width]);
  }
}
