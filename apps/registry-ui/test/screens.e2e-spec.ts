import { contrastThemeViolations, expectAccessible } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';
import { fillRegistry } from './support/example-clients.js';
import { focusFailures } from './support/focus-walk.js';
import { layoutFailures } from './support/layout.js';
import { countLayoutShifts, layoutShift } from './support/layout-shift.js';
import { takePicture } from './support/pictures.js';
import { type Screen, SCREENS } from './support/screens.js';
import { delayRequests } from './support/slow-network.js';

const tour = startTour();

/** A phone, a tablet, a large screen, and the default viewport. */
const SIZES = [
  { width: 375, height: 800 },
  { width: 768, height: 1024 },
  { width: 1920, height: 1080 },
  { width: 1280, height: 800 },
];

/** Requests per screen. */
const MOST_REQUESTS = 3;

/** A tenth of the "good" threshold. */
const MOST_SHIFT = 0.01;

const ANSWER_MS = 150;

/** Requested once per session, by the first screen. */
const OF_SESSION = '/token/self';

beforeAll(async () => fillRegistry(tour.registry));

test.each(SCREENS)(
  '$name: few requests, no layout shift, accessible, tidy, and the focus is always visible',
  async (screen) => {
    let requests = 0;
    await countLayoutShifts(tour.page);
    tour.page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (!pathname.startsWith('/ui') && pathname !== OF_SESSION) requests += 1;
    });
    await delayRequests(tour.page, ANSWER_MS);
    await openScreen(screen);
    expect(await layoutShift(tour.page)).toBeLessThan(MOST_SHIFT);
    expect(await tour.page.locator('main .mantine-Button-root[data-variant=filled]').count()).toBeLessThan(2);
    if (screen.pictured !== false) await takePicture(tour.page, screen.name);
    await expectAccessible(tour.page);
    expect(requests).toBeLessThanOrEqual(MOST_REQUESTS);
    await expectTidy();
    const { stops, failures } = await focusFailures(tour.page);
    expect(failures).toEqual([]);
    // The sidebar alone has ten.
    expect(stops).toBeGreaterThan(10);
  },
);

test('what is cut off or overlaps is found', async () => {
  await tour.page.setContent(`
    <h1 style="width: 3em; overflow: hidden; white-space: nowrap">Applications</h1>
    <p><a href="#" style="position: absolute; top: 300px">First link</a></p>
    <p><a href="#" style="position: absolute; top: 305px">Other link</a></p>
    <p style="width: 5em"><a href="#">one of two links</a> <a href="#">which wrap</a></p>`);
  expect(await layoutFailures(tour.page)).toEqual([
    expect.stringMatching(/^cut off: <h1.*Applications/),
    expect.stringMatching(/^overlap: .*First link.* and .*Other link/),
  ]);
});

test('the overview does not shift when its numbers arrive', async () => {
  await countLayoutShifts(tour.page);
  await tour.page.route('**/clients/stats', async (route) => {
    await tour.page.getByText('View all changes live').waitFor();
    await route.continue();
  });
  await tour.open('/');
  await tour.page.getByText('Warnings by type').waitFor();
  expect(await layoutShift(tour.page)).toBeLessThan(MOST_SHIFT);
});

/** The screen at common sizes, in a contrast theme too: nothing is cut off, overlaps or is too faint. Ends at the default size. */
async function expectTidy(): Promise<void> {
  for (const size of SIZES) {
    await tour.page.setViewportSize(size);
    expect([size.width, await layoutFailures(tour.page)]).toEqual([size.width, []]);
  }
  expect(await contrastThemeViolations(tour.page)).toEqual([]);
}

/** Waits until a screen is complete. */
async function openScreen({ path, drawn }: Screen): Promise<void> {
  await tour.open(path);
  await tour.page.getByRole('main').getByText(drawn).first().waitFor();
  await tour.page.locator('.mantine-Skeleton-root[data-visible]').first().waitFor({ state: 'detached' });
}
