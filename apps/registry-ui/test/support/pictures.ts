import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** Where pictures of the screens are put, when they are wanted: `docs/images`. */
const FOLDER = process.env['SCREENSHOTS'];

/** Screens of which the documentation shows the dark one, too. */
const ALSO_DARK: readonly string[] = ['overview', 'clients'];

/** Puts a picture of the page as it is where pictures are wanted, as `ui-` and its name. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (!FOLDER) return;
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: `${FOLDER}/ui-${name}.png` });
  if (!ALSO_DARK.includes(name)) return;
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: `${FOLDER}/ui-${name}-dark.png` });
  await page.emulateMedia({ colorScheme: 'light' });
}
