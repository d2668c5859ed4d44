import type { Locator, Page } from 'playwright-core';
import { startTour } from './support/console-tour.js';

const tour = startTour();

/** More stops than any of these screens has. */
const MOST_STOPS = 80;

const hasFocus = async (target: Locator) =>
  target.evaluate((element) => element === element.ownerDocument.activeElement);

/** Leads the focus on by Tab until it is there. */
const tabTo = async (page: Page, target: Locator) => {
  await target.waitFor();
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    await page.keyboard.press('Tab');
    if (await hasFocus(target)) return;
  }
  throw new Error(`Tab does not lead to ${target.toString()}`);
};

const press = async (page: Page, target: Locator) => {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
};

/** Opens the menu of a Client's actions, and chooses one. */
const act = async (page: Page, name: string) => {
  await press(page, page.getByRole('button', { name: 'More actions' }));
  const item = page.getByRole('menuitem', { name });
  await item.waitFor();
  for (let steps = 0; !(await hasFocus(item)); steps += 1) {
    if (steps > MOST_STOPS) throw new Error(`the arrow keys do not lead to ${name}`);
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
};

test('who has a keyboard alone signs in, registers a Client, disables it, takes that back and deletes it', async () => {
  const page = await tour.browser.newPage();
  await page.goto(`${tour.registry.url}/ui/register`);
  await page.getByLabel('API token', { exact: true }).waitFor();
  await page.keyboard.type(tour.registry.token);
  await page.keyboard.press('Enter');
  await press(page, page.getByRole('link', { name: /^Web application with a secret/ }));
  await tabTo(page, page.getByRole('textbox', { name: 'Name', exact: true }));
  await page.keyboard.type('By hand');
  await tabTo(page, page.getByRole('textbox', { name: 'Redirect URIs, 1', exact: true }));
  await page.keyboard.type('https://hand.example/cb');
  await press(page, page.getByRole('button', { name: 'Register', exact: true }));
  await press(page, page.getByRole('button', { name: 'Copy the secret' }));
  await press(page, page.getByRole('link', { name: 'Open the Client' }));
  await page.getByRole('heading', { level: 1, name: 'By hand' }).waitFor();

  await act(page, 'Disable');
  await press(page, page.getByRole('button', { name: 'Undo' }));
  await page.getByText('By hand is enabled').waitFor();
  await act(page, 'Delete');
  await page.getByRole('dialog').getByLabel('Type its name to confirm').waitFor();
  await page.keyboard.type('By hand');
  await page.keyboard.press('Enter');
  await page.getByText('By hand is deleted').waitFor();
  // Where the list begins, and not nowhere.
  await page.locator('h1:focus').waitFor();
  await page.close();
});
