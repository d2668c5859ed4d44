import { readFile } from 'node:fs/promises';
import { accessibilityViolations } from './support/accessibility.js';
import { eventually } from '@svc/test-servers';
import { startTour } from './support/console-tour.js';

const tour = startTour();

const rows = () => tour.page.locator('tbody tr[data-index]');
const links = () => tour.page.getByRole('link', { name: /^Client \d+$/ });

/** Collects the query strings of list requests from now on. */
const askedPages = (): string[] => {
  const asked: string[] = [];
  tour.page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/client') asked.push(search);
  });
  return asked;
};

/** About thirty characters. */
const LEAST_NAME = 200;

/** Long ids, so that all of them do not fit into one URL. */
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

test('the list loads page by page and renders only visible rows', async () => {
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
  // The end moves as pages load.
  await eventually(async () => {
    await tour.page.keyboard.press('Control+End');
    expect(await tour.page.getByRole('grid').getAttribute('aria-rowcount')).toBe('251');
  });
  expect(asked).toHaveLength(3);
  expect(await rows().count()).toBeLessThan(60);

  // Neither returning to the window nor changing rows refetches pages or moves the list.
  await tour.page.clock.setSystemTime(Date.now() + 60_000);
  await tour.page.evaluate('dispatchEvent(new Event("visibilitychange"))');
  await tour.page.keyboard.press('x');
  const selected = tour.page.getByRole('region', { name: 'Selected clients' });
  await selected.getByRole('button', { name: 'Disable' }).click();
  await tour.page.getByText('1 client disabled').waitFor();
  const disabled = rows().filter({ hasText: 'Disabled' });
  await disabled.waitFor();
  expect(asked).toHaveLength(3);
  // The focused element is gone.
  await tour.page.locator('h1:focus').waitFor();
  // Returning to a changed list requests its first page and the visible one, not all.
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

/** Every third client. */
const switchThirds = async (action: 'disable' | 'enable') => {
  for (let index = 0; index < 250; index += 3) {
    await tour.registry.ask('POST', `/client/${idOf(index)}/${action}`);
  }
};

test('rows that have scrolled into sight show and open their own clients', async () => {
  await switchThirds('disable');
  await tour.open('/clients?sort=client_name');
  await links().first().waitFor();
  for (const top of [1_300, 2_600, 500]) {
    await tour.page
      .getByRole('grid')
      .locator('..')
      .evaluate((list, to) => (list.scrollTop = to), top);
    await tour.page.locator(`tr[data-index="${Math.floor(top / 44)}"]`).waitFor();
    expect(await tour.page.evaluate(MIXED_UP)).toEqual([]);
  }
  const last = links().last();
  const name = (await last.textContent()) ?? '';
  await last.click();
  await tour.page.getByRole('heading', { level: 1, name }).waitFor();
  await switchThirds('enable');
});

/** Rows that show parts of another client, or have another place than they say. */
const MIXED_UP = `[...document.querySelectorAll('tbody tr[data-index]')].filter((row, at, [first]) => {
  const name = row.querySelector('a').textContent;
  const id = row.querySelector('.mono').textContent;
  const isDisabled = row.cells[1].textContent === name + 'Disabled';
  const shown = [row.querySelector('input').ariaLabel, row.querySelector('a').pathname, isDisabled];
  const own = ['Select ' + name, '/ui/clients/' + id, name.slice('Client '.length) % 3 === 0];
  return String(shown) !== String(own) || Number(row.dataset.index) !== Number(first.dataset.index) + at;
}).map((row) => row.outerHTML)`;

test('a failed page is retried only by the user, and loaded rows stay', async () => {
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
  // Long enough to reveal a loop.
  await tour.page.waitForTimeout(1_000);
  expect(asked).toHaveLength(2);
  expect(await rows().count()).toBeGreaterThan(0);
  broken = false;
  await tour.page.getByRole('button', { name: 'Try again' }).click();
  await tour.page.getByRole('alert').waitFor({ state: 'hidden' });
  expect(asked[2]).toBe(asked[1]);
});

test('arrow keys move between rows and cells, and Enter opens a row', async () => {
  await tour.open('/clients');
  const first = tour.page.getByRole('link', { name: /^Client \d+$/ }).first();
  await first.focus();
  await tour.page.keyboard.press('ArrowDown');
  await tour.page.keyboard.press('ArrowDown');
  const focused = tour.page.locator('tr:focus-within');
  await tour.page.locator('tr[data-index="2"]:focus-within').waitFor();
  const name = await focused.getByRole('link').textContent();
  // Home: the checkbox. End: a cell without a control. Up from the first row: the heading.
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

test('with all loaded rows selected, the next ones can be selected too', async () => {
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
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await more.click();
  await selected.getByText('250 selected').waitFor();
  expect(await more.count()).toBe(0);

  // One file, although the ids do not fit into one request.
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

/** The client ids in an exported file; a repeated CSV header would be among them. */
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

test('the list passes axe and fits windows from 360 to 2560 pixels', async () => {
  await tour.open('/clients');
  await tour.page
    .getByRole('link', { name: /^Client \d+$/ })
    .first()
    .waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  // About thirty characters.
  const name = await tour.page.getByRole('columnheader', { name: 'Name' }).boundingBox();
  expect(name?.width).toBeGreaterThanOrEqual(255);
  for (const width of [360, 768, 2560]) {
    await tour.page.setViewportSize({ width, height: 800 });
    expect(await tour.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
});

test('names stay readable in every window and with any columns', async () => {
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
    // Chosen columns are available by scrolling the table, not the page.
    await tour.page.getByRole('columnheader', { name: 'PKCE method' }).scrollIntoViewIfNeeded();
    expect(await tour.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
  await tour.page.evaluate('localStorage.clear()');
});

test('in a window too narrow for sortable columns, the filter menu sorts the list', async () => {
  await tour.page.setViewportSize({ width: 390, height: 800 });
  await tour.open('/clients');
  await tour.page.getByRole('button', { name: 'Filter' }).click();
  await tour.page.getByLabel('Sort by').selectOption({ label: 'Updated' });
  await tour.page.waitForURL('**/clients?sort=updated_at');
  await tour.page.getByLabel('Sort by').selectOption({ label: 'Updated, descending' });
  await tour.page.waitForURL('**/clients');
});
