import { accessibilityFaults } from './support/accessibility.js';
import { eventually } from './support/eventually.js';
import { startTour } from './support/console-tour.js';

const tour = startTour();

const rows = () => tour.page.locator('tbody tr[data-index]');

beforeAll(async () => {
  for (let start = 0; start < 250; start += 25) {
    await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        tour.registry.register({ client_name: `Client ${start + index}`, code_challenge_method: 'S256' }),
      ),
    );
  }
});

test('the list shows all Clients, page by page, and draws only those in view', async () => {
  const asked: string[] = [];
  tour.page.on('request', (request) => {
    if (/\/client\?/.test(request.url())) asked.push(request.url());
  });
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
    await tour.page.keyboard.press('End');
    expect(await tour.page.getByRole('table').getAttribute('aria-rowcount')).toBe('251');
  });
  expect(asked).toHaveLength(3);
  expect(await rows().count()).toBeLessThan(60);
});

test('the arrow keys lead from row to row, and Enter opens one', async () => {
  await tour.open('/clients');
  const first = tour.page.getByRole('link', { name: /^Client \d+$/ }).first();
  await first.focus();
  await tour.page.keyboard.press('ArrowDown');
  await tour.page.keyboard.press('ArrowDown');
  const focused = tour.page.locator('tr:focus-within');
  await tour.page.locator('tr[data-index="2"]:focus-within').waitFor();
  const name = await focused.getByRole('link').textContent();
  await tour.page.keyboard.press('Enter');
  await tour.page.getByRole('heading', { level: 1, name: name ?? '' }).waitFor();
});

test('who has selected all that have come can select the next ones, too', async () => {
  await tour.open('/clients');
  await tour.page
    .getByRole('link', { name: /^Client \d+$/ })
    .first()
    .waitFor();
  await tour.page.getByRole('checkbox', { name: 'Select all that are loaded' }).click();
  const selected = tour.page.getByRole('region', { name: 'Selected Clients' });
  await selected.getByText('100 selected').waitFor();
  const more = selected.getByRole('button', { name: 'Select the next ones, too' });
  await more.click();
  await selected.getByText('200 selected').waitFor();
  expect(await accessibilityFaults(tour.page)).toEqual([]);
  await more.click();
  await selected.getByText('250 selected').waitFor();
  expect(await more.count()).toBe(0);
});

test('axe finds nothing on the list, and it fits windows from 360 to 2560 pixels', async () => {
  await tour.open('/clients');
  await tour.page
    .getByRole('link', { name: /^Client \d+$/ })
    .first()
    .waitFor();
  expect(await accessibilityFaults(tour.page)).toEqual([]);
  for (const width of [360, 768, 2560]) {
    await tour.page.setViewportSize({ width, height: 800 });
    expect(await tour.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
});
