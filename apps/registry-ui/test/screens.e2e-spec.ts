import { mkdirSync } from 'node:fs';
import { accessibilityFaults } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';
import { fillRegistry } from './support/example-clients.js';

const tour = startTour();

/** Where pictures of the screens are put, when they are wanted: `docs/images`. */
const PICTURES = process.env['SCREENSHOTS'];

const WIDTHS = [360, 768, 2560];

/** No screen asks the registry for more. */
const MOST_REQUESTS = 3;

/** Each screen: its picture's name, its address, and what is there once it is drawn. */
const SCREENS: readonly (readonly [string, string, string])[] = [
  ['overview', '/', 'Latest changes'],
  ['clients', '/clients', 'Gift cards'],
  ['changes', '/changes', 'Live'],
  ['client', '/clients/gift-cards', 'Redirects'],
  ['history', '/clients/gift-cards?tab=history', 'Secret rotated'],
  ['client-tests', '/clients/gift-cards?tab=tests', 'Redirect URI of the request'],
  ['redirects', '/redirects?client=gift-cards&uri=https://gift-cards.example.com/call', 'registered URI'],
  ['cookies', '/cookies', 'checkout.example.com'],
  ['tokens', '/tokens', 'Nightly export'],
  ['features', '/features', 'Where it knowingly does otherwise'],
  ['register', '/register', 'Something else'],
];

beforeAll(async () => {
  await fillRegistry(tour.registry);
  if (PICTURES) mkdirSync(PICTURES, { recursive: true });
});

test.each(SCREENS)(
  '%s: axe finds nothing, it fits every window, and few requests draw it',
  async (name, path, drawn) => {
    let requests = 0;
    tour.page.on('request', (request) => {
      if (!new URL(request.url()).pathname.startsWith('/ui')) requests += 1;
    });
    await tour.open(path);
    await tour.page.getByRole('main').getByText(drawn).first().waitFor();
    // The stream of changes is open as long as its screen is: it comes on top.
    expect(requests).toBeLessThanOrEqual(MOST_REQUESTS);
    expect(await accessibilityFaults(tour.page)).toEqual([]);
    if (PICTURES) {
      await tour.page.screenshot({ path: `${PICTURES}/ui-${name}.png` });
      await tour.page.emulateMedia({ colorScheme: 'dark' });
      await tour.page.screenshot({ path: `${PICTURES}/ui-${name}-dark.png` });
      await tour.page.emulateMedia({ colorScheme: 'light' });
    }
    for (const width of WIDTHS) {
      await tour.page.setViewportSize({ width, height: 800 });
      expect([width, await tour.page.evaluate('document.documentElement.scrollWidth')]).toEqual([
        width,
        width,
      ]);
    }
  },
);
