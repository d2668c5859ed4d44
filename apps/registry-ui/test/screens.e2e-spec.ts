import { setTimeout as sleep } from 'node:timers/promises';
import { accessibilityFaults } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';
import { fillRegistry } from './support/example-clients.js';
import { faultsOfFocus } from './support/focus-walk.js';
import { countLayoutShifts, layoutShift } from './support/layout-shift.js';
import { takePicture } from './support/pictures.js';
import { SCENES, type Screen, SCREENS } from './support/screens.js';
import { STATES } from './support/states.js';

const tour = startTour();

const WIDTHS = [360, 768, 2560];

/** No screen asks the registry for more. */
const MOST_REQUESTS = 3;

/** A tenth of what counts as good. */
const MOST_SHIFT = 0.01;

const ANSWER_MS = 150;

/** Asked once a session, by whichever screen is the first. */
const OF_SESSION = '/token/self';

beforeAll(async () => fillRegistry(tour.registry));

test.each(SCREENS)(
  '$name: few requests draw it, nothing moves meanwhile, and it is sound',
  async (screen) => {
    let requests = 0;
    await countLayoutShifts(tour.page);
    await tour.page.route(
      ({ pathname }) => !pathname.startsWith('/ui'),
      async (route) => {
        if (new URL(route.request().url()).pathname !== OF_SESSION) requests += 1;
        // As it is where the network is slow: what stands in for the answer is seen.
        await sleep(ANSWER_MS);
        await route.continue();
      },
    );
    await openScreen(screen);
    expect(await layoutShift(tour.page)).toBeLessThan(MOST_SHIFT);
    expect(await tour.page.locator('main .mantine-Button-root[data-variant=filled]').count()).toBeLessThan(2);
    if (screen.pictured !== false) await takePicture(tour.page, screen.name);
    await expectSound();
    expect(requests).toBeLessThanOrEqual(MOST_REQUESTS);
  },
);

test.each(SCREENS)('$name: the keyboard leads through it, and the focus is always seen', async (screen) => {
  await openScreen(screen);
  const { stops, faults } = await faultsOfFocus(tour.page);
  expect(faults).toEqual([]);
  // The rail alone has ten.
  expect(stops).toBeGreaterThan(10);
});

test.each(SCENES)('$name: after some steps it is sound', async ({ name, path, reach }) => {
  await tour.open(path);
  await reach(tour.page, tour.registry);
  await takePicture(tour.page, name);
  await expectSound();
});

test('nothing moves when the numbers of the overview come', async () => {
  await countLayoutShifts(tour.page);
  await tour.page.route('**/clients/stats', async (route) => {
    await tour.page.getByText('View all changes live').waitFor();
    await route.continue();
  });
  await tour.open('/');
  await tour.page.getByText('Needs attention').waitFor();
  expect(await layoutShift(tour.page)).toBeLessThan(MOST_SHIFT);
});

test.each(STATES)('$name: its passing states are sound', async ({ path, steps }) => {
  await tour.open(path);
  for (const step of steps) {
    await step(tour.page);
    expect(await accessibilityFaults(tour.page)).toEqual([]);
  }
});

/** Ends once all of a screen is drawn. */
async function openScreen({ path, drawn }: Screen): Promise<void> {
  await tour.open(path);
  await tour.page.getByRole('main').getByText(drawn).first().waitFor();
  await tour.page.locator('.mantine-Skeleton-root[data-visible]').first().waitFor({ state: 'detached' });
}

/** What is on the screen has no fault that axe finds in either scheme, and fits every window. */
async function expectSound(): Promise<void> {
  expect(await accessibilityFaults(tour.page)).toEqual([]);
  for (const width of WIDTHS) {
    await tour.page.setViewportSize({ width, height: 800 });
    expect([width, await tour.page.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width]);
  }
}
