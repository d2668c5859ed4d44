import { accessibilityFaults } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';
import { fillRegistry } from './support/example-clients.js';
import { takePicture } from './support/pictures.js';
import { SCENES, SCREENS } from './support/screens.js';

const tour = startTour();

const WIDTHS = [360, 768, 2560];

/** No screen asks the registry for more. */
const MOST_REQUESTS = 3;

beforeAll(async () => fillRegistry(tour.registry));

test.each(SCREENS)('$name: few requests draw it, and it is sound', async ({ name, path, drawn }) => {
  let requests = 0;
  tour.page.on('request', (request) => {
    if (!new URL(request.url()).pathname.startsWith('/ui')) requests += 1;
  });
  await tour.open(path);
  await tour.page.getByRole('main').getByText(drawn).first().waitFor();
  await expectSound(name);
  expect(requests).toBeLessThanOrEqual(MOST_REQUESTS);
});

test.each(SCENES)('$name: after some steps it is sound', async ({ name, path, reach }) => {
  await tour.open(path);
  await reach(tour.page, tour.registry);
  await expectSound(name);
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
