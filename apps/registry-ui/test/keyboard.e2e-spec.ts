import type { Locator, Page } from 'playwright-core';
import { startTour } from './support/console-tour.js';
import { eventually } from './support/eventually.js';

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
  await press(page, page.getByRole('button', { name: 'Copy secret' }));
  await press(page, page.getByRole('link', { name: 'View client' }));
  await page.getByRole('heading', { level: 1, name: 'By hand' }).waitFor();

  await act(page, 'Disable');
  await press(page, page.getByRole('button', { name: 'Undo' }));
  await page.getByText('By hand enabled').waitFor();
  await act(page, 'Delete');
  await page.getByRole('dialog').getByLabel("To confirm, type the client's name").waitFor();
  await page.keyboard.type('By hand');
  await page.keyboard.press('Enter');
  await page.getByText('By hand deleted').waitFor();
  // Where the list begins, and not nowhere.
  await page.locator('h1:focus').waitFor();
  await page.close();
});

const focusIsOn = async (target: Locator) =>
  eventually(async () => expect(await hasFocus(target)).toBe(true));

test('the keyboard selects rows, reaches what can be done with them, and lets go of them', async () => {
  for (const number of [1, 2, 3]) await tour.registry.register({ client_name: `Row ${number}` });
  const { page } = tour;
  await tour.open('/clients?q=row&sort=client_name');
  const link = (number: number) => page.getByRole('link', { name: `Row ${number}` });
  const bar = page.getByRole('region', { name: 'Selected clients' });
  await link(3).waitFor();
  // The whole list is one stop.
  await tabTo(page, link(1));
  await page.keyboard.press('Tab');
  expect(await page.locator('[role=grid] :focus').count()).toBe(0);
  await page.keyboard.press('Shift+Tab');
  await focusIsOn(link(1));
  await page.keyboard.press('x');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+X');
  await bar.getByText('3 selected').waitFor();
  expect(await page.getByRole('row', { selected: true }).count()).toBe(3);
  await page.keyboard.press('Escape');
  await bar.waitFor({ state: 'hidden' });
  await focusIsOn(link(3));

  // By the boxes, too; one step back from the list is the bar.
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await bar.getByText('1 selected').waitFor();
  await page.keyboard.press('Shift+Tab');
  await focusIsOn(bar.getByRole('button', { name: 'Delete' }));
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('To confirm, type the number').waitFor();
  // Escape closes the dialog alone.
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await focusIsOn(bar.getByRole('button', { name: 'Delete' }));
  await bar.getByText('1 selected').waitFor();
  await page.keyboard.press('Escape');
  await bar.waitFor({ state: 'hidden' });
  await page.locator('[role=grid] :focus').waitFor();
});

test('rows stay where they are when the first of them is selected', async () => {
  await tour.registry.register({ client_name: 'Steady' });
  for (const width of [375, 768, 1280]) {
    await tour.page.setViewportSize({ width, height: 800 });
    await tour.open('/clients?q=steady');
    const row = tour.page.getByRole('row', { name: /Steady/ });
    await row.waitFor();
    const before = await row.boundingBox();
    await row.getByRole('checkbox').click();
    await tour.page.getByText('1 selected').waitFor();
    expect((await row.boundingBox())?.y).toBe(before?.y);
  }
});

/** Every kind of dialog, and what opens it. */
const DIALOGS = [
  { path: '/clients/opened', opens: 'Delete', from: 'More actions' },
  { path: '/clients/opened', opens: 'Rotate secret', from: 'More actions' },
  { path: '/tokens', opens: 'Create token' },
  { path: '/tokens', opens: 'Revoke bootstrap' },
  { path: '/clients', opens: 'Jump to… Ctrl K' },
] as const;

test.each(DIALOGS)(
  'the focus returns from the dialog of "$opens" to what opened it',
  async ({ path, opens, ...menu }) => {
    const { page } = tour;
    if (path.endsWith('opened')) {
      await tour.registry
        .register({ client_name: 'Opened', preferred_client_id: 'opened' })
        .catch(() => undefined);
    }
    await tour.open(path);
    const opener = page.getByRole('button', { name: 'from' in menu ? menu.from : opens, exact: true });
    if ('from' in menu) await act(page, opens);
    else await press(page, opener);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await focusIsOn(opener);
  },
);
