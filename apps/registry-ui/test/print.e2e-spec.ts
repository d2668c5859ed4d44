import type { Page } from 'playwright-core';
import { startTour } from './support/console-tour.js';
import { layoutFailures } from './support/layout.js';

const tour = startTour();

/** A4 between the margins. */
const PAPER = { width: 680, height: 1009 };

/** More than the virtualized list draws. */
const MANY = 60;

const URI = 'https://long-host-name-of-the-shop.example.com/a/path/that/is/long/callback';

beforeAll(async () => {
  for (let number = 1; number <= MANY; number += 1) {
    await tour.registry.register({
      preferred_client_id: `printed-${number}`,
      client_name: `Printed ${number}`,
      redirect_uris: [URI],
    });
  }
});

test('the printed list has all rows and columns with full URIs and exact times, in light colours', async () => {
  await print('/clients', 'Printed 60');
  expect(await tour.page.locator('tbody').getByRole('link').count()).toBe(MANY);
  expect(await tour.page.getByText(URI.replace('https://', '')).first().isVisible()).toBe(true);
  expect(await tour.page.locator('tbody time').last().textContent()).toMatch(/\d{4}, .*\d/);
  await tour.page.evaluate(`dispatchEvent(new Event('afterprint'))`);
  await tour.page.emulateMedia({ media: null });
  const pdf = await tour.page.pdf({ format: 'A4' });
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(2);
  expect(await tour.page.locator('tbody').getByRole('link').count()).toBeLessThan(MANY);
});

test.each([
  ['/clients/printed-1', 'Redirect URI validation'],
  ['/clients/printed-1?tab=history', 'by bootstrap'],
  ['/tokens', 'bootstrap'],
  ['/clients/printed-1?tab=usage', 'Redirect URIs by use'],
  ['/changes', 'Printed 60'],
  ['/activity', 'No activity yet'],
])(
  '%s on paper has its content without navigation or buttons, and nothing is cut off',
  async (path, shown) => {
    await print(path, shown);
  },
);

/** Opens a page in the dark theme, and prints it as far as a page can be examined. */
async function print(path: string, shown: string): Promise<void> {
  const { page } = tour;
  await page.emulateMedia({ colorScheme: 'dark' });
  await tour.open(path);
  await page.getByRole('main').getByText(shown).first().waitFor();
  await page.setViewportSize(PAPER);
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
  expect(await page.getByRole('main').getByText(shown).first().isVisible()).toBe(true);
  expect(await page.getByRole('navigation').count()).toBe(0);
  const buttons = page
    .locator('button:not(th button, [role=tab])')
    .filter({ visible: true, hasNotText: 'not set' });
  expect(await buttons.allTextContents()).toEqual([]);
  expect(await layoutFailures(page)).toEqual([]);
  expect(await cutOff(page)).toEqual([]);
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
}

/** What is wider or higher than its box or the paper. */
async function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(`
    [...document.querySelectorAll('html, main *')]
      .filter((element) => {
        const clips = element.matches('html') || getComputedStyle(element).overflowX !== 'visible';
        return clips && element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1;
      })
      .map((element) => element.outerHTML.slice(0, 120))`);
}
