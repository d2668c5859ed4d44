import { accessibilityFaults } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';
import { fillRegistry } from './support/example-clients.js';
import { takePicture } from './support/pictures.js';
import { SCENES, SCREENS } from './support/screens.js';
import { STATES } from './support/states.js';

const tour = startTour();

const WIDTHS = [360, 768, 2560];

/** No screen asks the registry for more. */
const MOST_REQUESTS = 3;

/** Asked once a session, by whichever screen is the first. */
const OF_SESSION = '/token/self';

beforeAll(async () => fillRegistry(tour.registry));

test.each(SCREENS)('$name: few requests draw it, and it is sound', async ({ name, path, drawn }) => {
  let requests = 0;
  tour.page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/ui') && pathname !== OF_SESSION) requests += 1;
  });
  await tour.open(path);
  await tour.page.getByRole('main').getByText(drawn).first().waitFor();
  await tour.page.locator('.mantine-Skeleton-root[data-visible]').first().waitFor({ state: 'detached' });
  await expectSound(name);
  expect(requests).toBeLessThanOrEqual(MOST_REQUESTS);
});

test.each(SCENES)('$name: after some steps it is sound', async ({ name, path, reach }) => {
  await tour.open(path);
  await reach(tour.page, tour.registry);
  await expectSound(name);
});

test('nothing moves when the numbers of the overview come', async () => {
  await tour.page.addInitScript(`
    window.moved = 0;
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) window.moved += value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
  await tour.page.route('**/clients/stats', async (route) => {
    await tour.page.getByText('All changes, live').waitFor();
    await route.continue();
  });
  await tour.open('/');
  await tour.page.getByText('Needs attention').waitFor();
  expect(await tour.page.evaluate('window.moved')).toBeLessThan(0.01);
});

test.each(STATES)('$name: its passing states are sound', async ({ path, steps }) => {
  await tour.open(path);
  for (const step of steps) {
    await step(tour.page);
    expect(await accessibilityFaults(tour.page)).toEqual([]);
  }
});

/** What is on the screen has no fault that axe finds in either scheme, and fits every window. */
async function expectSound(name: string): Promise<void> {
  await takePicture(tour.page, name);
  expect(await accessibilityFaults(tour.page)).toEqual([]);
  for (const width of WIDTHS) {
    await tour.page.setViewportSize({ width, height: 800 });
    expect([width, await tour.page.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width]);
  }
}
