import type { Locator, Page } from 'playwright-core';
import { startTour } from './support/console-tour.js';
import { eventually } from '@svc/test-servers';

const tour = startTour();

/** More tab stops than any of these screens has. */
const MOST_STOPS = 80;

const hasFocus = async (target: Locator) =>
  target.evaluate((element) => element === element.ownerDocument.activeElement);

/** Presses Tab until the target has the focus. */
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

/** Opens a client's menu and chooses an action. */
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

test('a client can be registered, disabled, enabled and deleted by keyboard alone', async () => {
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
  // The focus moves to the title of the list.
  await page.locator('h1:focus').waitFor();
  await page.close();
});

const focusIsOn = async (target: Locator) =>
  eventually(async () => expect(await hasFocus(target)).toBe(true));

test('rows can be selected, acted upon and deselected by keyboard', async () => {
  for (const number of [1, 2, 3]) await tour.registry.register({ client_name: `Row ${number}` });
  const { page } = tour;
  await tour.open('/clients?q=row&sort=client_name');
  const link = (number: number) => page.getByRole('link', { name: `Row ${number}` });
  const bar = page.getByRole('region', { name: 'Selected clients' });
  await link(3).waitFor();
  // The list is one tab stop.
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

  // With the checkboxes too; the bar precedes the list.
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await bar.getByText('1 selected').waitFor();
  await page.keyboard.press('Shift+Tab');
  await focusIsOn(bar.getByRole('button', { name: 'Delete' }));
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('To confirm, type the number').waitFor();
  // Escape closes only the dialog.
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await focusIsOn(bar.getByRole('button', { name: 'Delete' }));
  await bar.getByText('1 selected').waitFor();
  await page.keyboard.press('Escape');
  await bar.waitFor({ state: 'hidden' });
  await page.locator('[role=grid] :focus').waitFor();
});

test('a slash moves to the search box wherever its key is, but not from a dialog', async () => {
  const { page } = tour;
  await tour.registry.register({ client_name: 'Slashed' });
  await tour.open('/clients?q=slashed');
  await page.getByRole('checkbox', { name: 'Select Slashed' }).click();
  const box = page.getByRole('combobox', { name: 'Search clients' });
  await page
    .getByRole('region', { name: 'Selected clients' })
    .getByRole('button', { name: 'Delete' })
    .click();
  const cancel = page.getByRole('dialog').getByRole('button', { name: 'Cancel' });
  await cancel.focus();
  await page.keyboard.press('/');
  expect(await hasFocus(cancel)).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  // A German keyboard.
  await page.evaluate(`document.activeElement.dispatchEvent(
    new KeyboardEvent('keydown', { key: '/', code: 'Digit7', shiftKey: true, bubbles: true, cancelable: true }))`);
  await focusIsOn(box);
  await page.keyboard.type('/');
  expect(await box.inputValue()).toBe('slashed/');
});

test('selecting the first row does not move the rows', async () => {
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

test.each(['Filter', 'Views', 'Columns', 'Account: bootstrap'])(
  'the popover of "%s" takes the focus, and Escape returns it to the button, which says whether it is open',
  async (name) => {
    const { page } = tour;
    await tour.open('/clients');
    const button = page.getByRole('button', { name, exact: true });
    // Twice: it loads the first time.
    for (let round = 0; round < 2; round += 1) {
      await press(page, button);
      await eventually(async () => expect(await button.getAttribute('aria-expanded')).toBe('true'));
      const popover = page.locator(`[id="${await button.getAttribute('aria-controls')}"]`);
      await popover.waitFor();
      await eventually(async () => expect(await popover.and(page.locator(':focus-within')).count()).toBe(1));
      await page.keyboard.press('Escape');
      await popover.waitFor({ state: 'hidden' });
      await focusIsOn(button);
      expect(await button.getAttribute('aria-expanded')).toBe('false');
      await page.keyboard.press('Shift+Tab');
    }
  },
);

/** Every kind of dialog and its opener. */
const DIALOGS = [
  { path: '/clients/opened', opens: 'Delete', from: 'More actions' },
  { path: '/clients/opened', opens: 'Rotate secret', from: 'More actions' },
  { path: '/tokens', opens: 'Create token' },
  { path: '/tokens', opens: 'Revoke bootstrap' },
  { path: '/clients', opens: 'Jump to… Ctrl K' },
] as const;

test.each(DIALOGS)(
  'closing the dialog of "$opens" returns the focus to its opener',
  async ({ path, opens, ...menu }) => {
    const { page } = tour;
    if (path.endsWith('opened')) {
      await tour.registry
        .register({
          client_name: 'Opened',
          preferred_client_id: 'opened',
          token_endpoint_auth_method: 'client_secret_basic',
        })
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

/** A screenshot: contrast themes override CSS. */
const drawn = async (target: Locator) => (await target.screenshot()).toString('base64');

type Style = Readonly<Record<'outlineStyle' | 'backgroundColor', string>>;

const styleOf = async (target: Locator, property: keyof Style) =>
  target.evaluate((element, name) => {
    const { getComputedStyle } = globalThis as unknown as { getComputedStyle: (of: unknown) => Style };
    return getComputedStyle(element)[name];
  }, property);

describe('in a contrast theme', () => {
  beforeEach(async () => tour.page.emulateMedia({ forcedColors: 'active' }));

  test('selected checkboxes, rows and pages are visible', async () => {
    for (const name of ['Chosen', 'Other']) await tour.registry.register({ client_name: name });
    await tour.open('/clients');
    const box = (name: string) => tour.page.getByRole('checkbox', { name: `Select ${name}` });
    await box('Chosen').click();
    await tour.page.mouse.move(0, 0);
    await tour.page.getByRole('heading', { level: 1 }).focus();
    expect(await drawn(box('Chosen'))).not.toBe(await drawn(box('Other')));
    const outlineOf = async (name: string) =>
      styleOf(tour.page.getByRole('row', { name: new RegExp(name) }), 'outlineStyle');
    expect([await outlineOf('Chosen'), await outlineOf('Other')]).toEqual(['solid', 'none']);
    const places = tour.page.getByRole('navigation', { name: 'Navigation' });
    const backgroundOf = async (place: string) =>
      styleOf(places.getByRole('link', { name: place }), 'backgroundColor');
    expect(await backgroundOf('Clients')).not.toBe(await backgroundOf('Changes'));
  });

  test('selected radio buttons and focused inputs are visible', async () => {
    const id = await tour.registry.register({ client_name: 'Themed' });
    await tour.open(`/clients/${id}`);
    await tour.page.getByRole('button', { name: 'Edit Redirects' }).click();
    const radio = (name: string) => tour.page.getByRole('radio', { name });
    await radio('Exact match').waitFor();
    expect(await drawn(radio('Exact match'))).not.toBe(await drawn(radio('Prefix match')));
    await tour.page.getByRole('button', { name: 'Cancel' }).click();
    await tour.page.getByRole('button', { name: 'Edit Identity' }).click();
    const name = tour.page.getByRole('textbox', { name: 'Name', exact: true });
    await tour.page.getByRole('textbox', { name: 'Home page' }).focus();
    const before = await styleOf(name, 'outlineStyle');
    await name.focus();
    expect([before, await styleOf(name, 'outlineStyle')]).toEqual(['none', 'solid']);
  });
});
