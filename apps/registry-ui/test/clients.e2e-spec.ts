import { readFile } from 'node:fs/promises';
import { accessibilityFaults } from './support/accessibility.js';
import { eventually } from './support/eventually.js';
import { startTour } from './support/console-tour.js';

const tour = startTour();

const rows = () => tour.page.locator('tbody tr[data-index]');
const links = () => tour.page.getByRole('link', { name: /^Client \d+$/ });

/** The pages of the list that are asked for from now on, by their queries. */
const askedPages = (): string[] => {
  const asked: string[] = [];
  tour.page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/client') asked.push(search);
  });
  return asked;
};

/** Room for names of some thirty characters. */
const LEAST_NAME = 200;

/** So long that the ids of all together do not fit into one address. */
const idOf = (index: number) => `client-${index}-${'x'.repeat(60)}`;

beforeAll(async () => {
  for (let start = 0; start < 250; start += 25) {
    await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        tour.registry.register({
          client_name: `Client ${start + index}`,
          preferred_client_id: idOf(start + index),
          code_challenge_method: 'S256',
        }),
      ),
    );
  }
});

test('the list shows all Clients, page by page, and draws only those in view', async () => {
  const asked = askedPages();
  await tour.open('/clients');
  await tour.page
    .getByRole('link', { name: /^Client \d+$/ })
    .first()
    .waitFor();
  expect(await rows().count()).toBeLessThan(60);
  await tour.page
    .getByRole('link', { name: /^Client \d+$/ })
    .first()
    .focus();
  // The end moves on as pages come in.
  await eventually(async () => {
    await tour.page.keyboard.press('Control+End');
    expect(await tour.page.getByRole('grid').getAttribute('aria-rowcount')).toBe('251');
  });
  expect(asked).toHaveLength(3);
  expect(await rows().count()).toBeLessThan(60);

  // Neither coming back to the window nor changing rows asks for the pages again, or moves the list.
  await tour.page.clock.setSystemTime(Date.now() + 60_000);
  await tour.page.evaluate('dispatchEvent(new Event("visibilitychange"))');
  await tour.page.keyboard.press('x');
  const selected = tour.page.getByRole('region', { name: 'Selected clients' });
  await selected.getByRole('button', { name: 'Disable' }).click();
  await tour.page.getByText('1 client disabled').waitFor();
  const disabled = rows().filter({ hasText: 'Disabled' });
  await disabled.waitFor();
  expect(asked).toHaveLength(3);
  // What had the focus is gone.
  await tour.page.locator('h1:focus').waitFor();
  // Coming back to a list that has changed asks for its first page, and the one that is scrolled to, not for all.
  await disabled.getByRole('link').click();
  await tour.page.getByRole('button', { name: 'More actions' }).click();
  await tour.page.getByRole('menuitem', { name: 'Enable' }).click();
  await tour.page.getByText(/ enabled$/).waitFor();
  await tour.page.goBack();
  await links().first().waitFor();
  await tour.page.getByText('250 clients', { exact: true }).waitFor();
  await tour.page.waitForLoadState('networkidle');
  expect(asked.length).toBeLessThanOrEqual(5);
});

test('a page that fails is asked for again only by hand, and what has come stays', async () => {
  const asked = askedPages();
  let broken = true;
  await tour.page.route(/\/client\?.*cursor=/, async (route) => {
    if (broken) await route.fulfill({ status: 500, json: { detail: 'internal error' } });
    else await route.continue();
  });
  await tour.open('/clients');
  await links().first().focus();
  await tour.page.keyboard.press('Control+End');
  await tour.page.getByRole('alert').getByText('internal error').waitFor();
  // Long enough for a loop to show.
  await tour.page.waitForTimeout(1_000);
  expect(asked).toHaveLength(2);
  expect(await rows().count()).toBeGreaterThan(0);
  broken = false;
  await tour.page.getByRole('button', { name: 'Try again' }).click();
  await tour.page.getByRole('alert').waitFor({ state: 'hidden' });
  expect(asked[2]).toBe(asked[1]);
});

test('the arrow keys lead from row to row and from cell to cell, and Enter opens one', async () => {
  await tour.open('/clients');
  const first = tour.page.getByRole('link', { name: /^Client \d+$/ }).first();
  await first.focus();
  await tour.page.keyboard.press('ArrowDown');
  await tour.page.keyboard.press('ArrowDown');
  const focused = tour.page.locator('tr:focus-within');
  await tour.page.locator('tr[data-index="2"]:focus-within').waitFor();
  const name = await focused.getByRole('link').textContent();
  // Home: the box that selects the row. End: a cell without anything to do in it. Up from the first row: the heading.
  await tour.page.keyboard.press('Home');
  await tour.page.locator('tr[data-index="2"] input:focus').waitFor();
  await tour.page.keyboard.press('End');
  await tour.page.locator('tr[data-index="2"] td:last-child:focus').waitFor();
  await tour.page.keyboard.press('Control+Home');
  await tour.page.keyboard.press('ArrowUp');
  await tour.page.getByRole('button', { name: 'Updated' }).and(tour.page.locator(':focus')).waitFor();
  await tour.page.keyboard.press('ArrowDown');
  for (const key of ['ArrowDown', 'ArrowDown', 'Home', 'ArrowRight']) await tour.page.keyboard.press(key);
  await tour.page.keyboard.press('Enter');
  await tour.page.getByRole('heading', { level: 1, name: name ?? '' }).waitFor();
});

test('who has selected all that have come can select the next ones, too', async () => {
  await tour.open('/clients');
  await tour.page
    .getByRole('link', { name: /^Client \d+$/ })
    .first()
    .waitFor();
  await tour.page.getByRole('checkbox', { name: 'Select all loaded clients' }).click();
  const selected = tour.page.getByRole('region', { name: 'Selected clients' });
  await selected.getByText('100 selected').waitFor();
  const more = selected.getByRole('button', { name: 'Select more' });
  await more.click();
  await selected.getByText('200 selected').waitFor();
  expect(await accessibilityFaults(tour.page)).toEqual([]);
  await more.click();
  await selected.getByText('250 selected').waitFor();
  expect(await more.count()).toBe(0);

  // All of them in one file, though their ids do not fit into one request.
  const ids = Array.from({ length: 250 }, (_, index) => idOf(index)).sort();
  for (const [format, idsIn] of Object.entries(EXPORTED_IDS)) {
    await selected.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      tour.page.waitForEvent('download'),
      tour.page.getByRole('menuitem', { name: format }).click(),
    ]);
    expect(idsIn(await readFile(await download.path(), 'utf8'))).toEqual(ids);
  }
});

/** The ids of the Clients in a file of each format; a header of CSV that stood anywhere but first would be among them. */
const EXPORTED_IDS = {
  CSV: (content: string) =>
    content
      .split('\r\n')
      .slice(1, -1)
      .map((row) => row.split(',')[0]),
  NDJSON: (content: string) =>
    content
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { client_id: string }).client_id),
};

test('axe finds nothing on the list, and it fits windows from 360 to 2560 pixels', async () => {
  await tour.open('/clients');
  await tour.page
    .getByRole('link', { name: /^Client \d+$/ })
    .first()
    .waitFor();
  expect(await accessibilityFaults(tour.page)).toEqual([]);
  // Room for names of some thirty characters.
  const name = await tour.page.getByRole('columnheader', { name: 'Name' }).boundingBox();
  expect(name?.width).toBeGreaterThanOrEqual(255);
  for (const width of [360, 768, 2560]) {
    await tour.page.setViewportSize({ width, height: 800 });
    expect(await tour.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
});

test('names keep their room in every window, and beside whatever columns are chosen', async () => {
  const widthOfNames = async (width: number) => {
    await tour.page.setViewportSize({ width, height: 800 });
    const box = await tour.page.getByRole('columnheader', { name: 'Name' }).boundingBox();
    return box?.width ?? 0;
  };
  await tour.open('/clients');
  await links().first().waitFor();
  for (const width of [360, 600, 769, 1024, 1280]) {
    expect(await widthOfNames(width)).toBeGreaterThanOrEqual(LEAST_NAME);
  }
  await tour.page.getByRole('button', { name: 'Columns' }).click();
  for (const name of ['Last used', 'Registered', 'PKCE method']) {
    await tour.page.getByRole('checkbox', { name }).check();
  }
  await tour.page.keyboard.press('Escape');
  for (const width of [600, 1024, 1280]) {
    expect(await widthOfNames(width)).toBeGreaterThanOrEqual(LEAST_NAME);
    // What was chosen is there, sideways if need be, and the page stays as it is.
    await tour.page.getByRole('columnheader', { name: 'PKCE method' }).scrollIntoViewIfNeeded();
    expect(await tour.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
  await tour.page.evaluate('localStorage.clear()');
});

test('where the window is too narrow for the columns that sort it, the list is sorted among the filters', async () => {
  await tour.page.setViewportSize({ width: 390, height: 800 });
  await tour.open('/clients');
  await tour.page.getByRole('button', { name: 'Filter' }).click();
  await tour.page.getByLabel('Sort by').selectOption({ label: 'Updated' });
  await tour.page.waitForURL('**/clients?sort=updated_at');
  await tour.page.getByLabel('Sort by').selectOption({ label: 'Updated, descending' });
  await tour.page.waitForURL('**/clients');
});
