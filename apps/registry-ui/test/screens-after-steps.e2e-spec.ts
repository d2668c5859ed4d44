import { accessibilityViolations, expectAccessible } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';
import { fillRegistry } from './support/example-clients.js';
import { takePicture } from './support/pictures.js';
import { SCENES } from './support/screens.js';
import { STATES } from './support/states.js';

const tour = startTour();

beforeAll(async () => fillRegistry(tour.registry));

test.each(SCENES)('$name: accessible after some steps', async ({ name, path, reach }) => {
  await tour.open(path);
  await reach(tour.page, tour.registry);
  await takePicture(tour.page, name);
  await expectAccessible(tour.page);
});

test.each(STATES)('$name: transient states are accessible', async ({ path, steps }) => {
  await tour.open(path);
  for (const step of steps) {
    await step(tour.page);
    expect(await accessibilityViolations(tour.page)).toEqual([]);
  }
});
