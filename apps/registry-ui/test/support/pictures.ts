import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** The folder for screenshots, if wanted: `docs/images`. */
const FOLDER = process.env['SCREENSHOTS'];

/** Screens that the documentation also shows in dark mode. */
const ALSO_DARK: readonly string[] = ['overview', 'clients'];

/** Saves a screenshot as `ui-<name>.png`, if wanted. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (!FOLDER) return;
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: `${FOLDER}/ui-${name}.png` });
  if (!ALSO_DARK.includes(name)) return;
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: `${FOLDER}/ui-${name}-dark.png` });
  await page.emulateMedia({ colorScheme: 'light' });
}
