import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';
import { fillRegistry } from './support/example-clients.js';
import { newGate } from './support/gate.js';

const tour = startTour();

const heading = (name: string) => tour.page.getByRole('columnheader', { name, exact: true });
const widthOf = async (name: string) => (await heading(name).boundingBox())?.width ?? 0;
const headings = async () => tour.page.getByRole('columnheader').allTextContents();

beforeAll(async () => fillRegistry(tour.registry));

beforeEach(async () => {
  await tour.open('/clients');
  await tour.page.evaluate('localStorage.clear()');
  await tour.page.reload();
  await tour.page.getByRole('link', { name: 'Gift cards' }).waitFor();
});

/** The texts that do not fit into their cells. */
const cutOff = async (selector: string): Promise<string[]> =>
  tour.page.evaluate(`[...document.querySelectorAll('${selector}')]
    .filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)`);

const LEFT_EDGES = (headings: { getBoundingClientRect(): { x: number } }[]) =>
  headings.map((each) => each.getBoundingClientRect().x);

/** Drags from the middle of a heading, or its right edge. */
async function drag(name: string, from: 'middle' | 'edge', byPx: number): Promise<void> {
  const { x, y, width, height } = (await heading(name).boundingBox())!;
  const start = x + (from === 'middle' ? width / 2 : width - 3);
  await tour.page.mouse.move(start, y + height / 2);
  await tour.page.mouse.down();
  await tour.page.mouse.move(start + byPx / 2, y + height / 2);
  await tour.page.mouse.move(start + byPx, y + height / 2);
  await tour.page.mouse.up();
}

test('a column is resized by its edge, the others stay, and this is remembered', async () => {
  const [id, name] = [await widthOf('Client ID'), await widthOf('Name')];
  await drag('Client ID', 'edge', -40);
  expect(await widthOf('Client ID')).toBeCloseTo(id - 40, -1);
  expect(await widthOf('Name')).toBeCloseTo(name, -1);
  await tour.page.reload();
  await tour.page.getByRole('link', { name: 'Gift cards' }).waitFor();
  expect(await widthOf('Client ID')).toBeCloseTo(id - 40, -1);
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await tour.page.getByRole('button', { name: 'Columns' }).click();
  await tour.page.getByRole('button', { name: 'Reset columns' }).click();
  expect(await widthOf('Client ID')).toBeCloseTo(id, -1);
});

test('a double click on an edge fits the column to its content', async () => {
  const { x, y, width } = (await heading('Client ID').boundingBox())!;
  await tour.page.mouse.dblclick(x + width - 3, y + 10);
  const cut = await cutOff('tbody td:nth-child(3) .one-line');
  expect(cut).toEqual([]);
});

test('a column is moved by dragging its heading, without sorting, and this is remembered', async () => {
  const before = await headings();
  const { x } = (await heading('Client ID').boundingBox())!;
  const updated = (await heading('Updated').boundingBox())!;
  await drag('Updated', 'middle', x + 20 - updated.x - updated.width / 2);
  const moved = await headings();
  expect(moved).toEqual(['', 'Name', 'Updated', ...before.slice(2, -1)]);
  expect(new URL(tour.page.url()).search).toBe('');
  await tour.page.reload();
  await tour.page.getByRole('link', { name: 'Gift cards' }).waitFor();
  expect(await headings()).toEqual(moved);
  // A click still sorts.
  await tour.page.getByRole('button', { name: 'Updated' }).click();
  await tour.page.waitForURL('**/clients?sort=updated_at');
});

test('columns are resized and moved by keyboard, and by the menu', async () => {
  await tour.page.getByRole('link').first().waitFor();
  await tour.page.locator('tr[data-index="0"] td:nth-child(2) a').focus();
  for (const key of ['ArrowUp', 'ArrowRight']) await tour.page.keyboard.press(key);
  await tour.page.getByRole('button', { name: 'Client ID' }).and(tour.page.locator(':focus')).waitFor();
  const width = await widthOf('Client ID');
  await tour.page.keyboard.press('Shift+ArrowRight');
  await tour.page.getByText(/^Client ID: \d+ pixels wide$/).waitFor({ state: 'attached' });
  expect(await widthOf('Client ID')).toBeCloseTo(width + 16, -1);
  await tour.page.keyboard.press('Control+Shift+ArrowRight');
  await tour.page.getByText('Client ID is now column 3').waitFor({ state: 'attached' });
  expect((await headings()).slice(1, 4)).toEqual(['Name', 'Redirect URIs', 'Client ID']);
  await tour.page.getByRole('button', { name: 'Client ID' }).and(tour.page.locator(':focus')).waitFor();
  await tour.page.getByRole('button', { name: 'Columns' }).click();
  await tour.page.getByRole('button', { name: 'Move Client ID left' }).click();
  expect((await headings()).slice(1, 4)).toEqual(['Name', 'Client ID', 'Redirect URIs']);
  for (const [column, change, px] of [
    ['Client ID', 'wider', 16],
    ['Name', 'narrower', -16],
  ] as const) {
    const before = await widthOf(column);
    await tour.page.getByRole('button', { name: `Make ${column} ${change}` }).click();
    expect(await widthOf(column)).toBeCloseTo(before + px, -1);
  }
  expect(await accessibilityViolations(tour.page)).toEqual([]);
});

test('chosen columns are in place before the fields have loaded, and survive a change that is made then', async () => {
  const gate = newGate();
  await tour.page.route('**/client/features', async (route) => {
    await gate.opened;
    await route.continue();
  });
  await tour.page.evaluate(
    `localStorage.setItem('registry-columns', '["client_id","grant_types","updated_at"]')`,
  );
  await tour.page.setViewportSize({ width: 1920, height: 800 });
  await tour.page.reload();
  await tour.page.getByRole('button', { name: 'Columns' }).click();
  await tour.page.getByRole('checkbox', { name: 'Client ID' }).click();
  const places = tour.page.locator('th[data-column]');
  const before = await places.evaluateAll(LEFT_EDGES);
  expect(before).toHaveLength(3);
  gate.open();
  await heading('Grant types').waitFor();
  expect(await heading('Client ID').count()).toBe(0);
  expect(await places.evaluateAll(LEFT_EDGES)).toEqual(before);
});

test('a focused time shows its full date', async () => {
  const time = tour.page.locator('tr[data-index="0"] td:last-child');
  await time.focus();
  await tour.page.getByRole('tooltip', { name: /\d{4}.*\d:\d\d/ }).waitFor();
});

test('rows are compact if chosen, and this is remembered', async () => {
  const height = async () => (await tour.page.locator('tr[data-index="1"]').boundingBox())?.height;
  expect(await height()).toBe(44);
  await tour.page.getByRole('button', { name: 'Columns' }).click();
  await tour.page.getByLabel('Row height').selectOption('Compact');
  expect(await height()).toBe(32);
  await tour.page.reload();
  await tour.page.getByRole('link', { name: 'Gift cards' }).waitFor();
  expect(await height()).toBe(32);
  expect(await accessibilityViolations(tour.page)).toEqual([]);
});

test.each([768, 1280, 1920])(
  'at %i pixels no name or id is cut off, and the heading stays in sight',
  async (width) => {
    await tour.page.setViewportSize({ width, height: 400 });
    const cut = await cutOff('tbody :is(td:nth-child(2), td:nth-child(3)) .one-line');
    expect(cut).toEqual([]);
    const { y } = (await heading('Name').boundingBox())!;
    await tour.page.evaluate(`document.querySelector('table').parentElement.scrollTop = 200`);
    expect((await heading('Name').boundingBox())?.y).toBe(y);
  },
);

const control = async (role: 'button' | 'checkbox', name: string) =>
  tour.page.getByRole(role, { name }).click();

test('if the popover of filters cannot be loaded, a toast says so, and the list stays', async () => {
  const scripts = '**/assets/anchored-popover*.js';
  await tour.page.route(scripts, async (route) => route.abort());
  await control('button', 'Filter');
  await tour.page.getByRole('alert').getByText("Part of the console couldn't be loaded.").waitFor();
  await tour.page.getByRole('link', { name: 'Gift cards' }).waitFor();
  await tour.page.unroute(scripts);
  expect(tour.browser.complaints.splice(0)).toEqual([expect.stringContaining('CodeLoadError')]);
});

test.each([
  ['the content of Columns', 'column-settings', async () => control('button', 'Columns')],
  ['the content of Views', 'view-list', async () => control('button', 'Views')],
  [
    'the actions on selected clients',
    'bulk-bar',
    async () => control('checkbox', 'Select all loaded clients'),
  ],
  [
    'the dialog that deletes selected clients',
    'delete-many',
    async () => {
      await control('checkbox', 'Select all loaded clients');
      await control('button', 'Delete');
    },
  ],
])('if %s cannot be loaded, the screen says so, and can be tried again', async (_part, file, use) => {
  const scripts = `**/assets/${file}*.js`;
  await tour.page.route(scripts, async (route) => route.abort());
  try {
    await use();
    await tour.page.getByRole('heading', { name: "This page couldn't be displayed" }).waitFor();
    await tour.page.unroute(scripts);
    await control('button', 'Try again');
    await tour.page.getByRole('link', { name: 'Gift cards' }).waitFor();
    const complaints = tour.browser.complaints.splice(0);
    expect(new Set(complaints)).toEqual(new Set([expect.stringContaining('CodeLoadError')]));
  } finally {
    await tour.page.unroute(scripts);
  }
});
