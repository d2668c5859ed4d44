import { accessibilityFaults } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';

const tour = startTour();

const SCREEN = '**/assets/tokens-screen-*.js';
const PAGE = '**/ui/';

const openTokens = async () => {
  await tour.open('/clients');
  await tour.page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor();
  // Gone as soon as the page is loaded anew.
  await tour.page.evaluate('globalThis.sameDocument = true');
  await tour.page
    .getByRole('navigation', { name: 'Navigation' })
    .getByRole('link', { name: 'API tokens' })
    .click();
};
const isSameDocument = async () => tour.page.evaluate<boolean>('globalThis.sameDocument === true');
/** React reports the error that the screen stands in for. */
const expectReported = () => {
  const complaints = tour.browser.complaints.splice(0);
  expect(complaints.filter((complaint) => !complaint.startsWith('ScreenLoadError: '))).toEqual([]);
};
const title = (name: string) => tour.page.getByRole('heading', { level: 1, name });

/** The registry has a newer console: its page names another script, and the screens of this one are gone. */
const upgrade = async () => {
  await tour.page.route(PAGE, async (route) => {
    const response = await route.fetch();
    const html = (await response.text()).replace(/assets\/index-[^.]+\.js/, 'assets/index-newer.js');
    await route.fulfill({ response, body: html });
  });
  await tour.page.route(SCREEN, async (route) => route.fulfill({ status: 404, json: { detail: 'gone' } }));
};

test('a screen whose code could not be loaded is loaded by Try again, once the registry can be reached', async () => {
  await tour.page.route(SCREEN, async (route) => route.abort());
  await tour.page.route(PAGE, async (route) => route.abort());
  await openTokens();
  await title("This page couldn't be displayed").waitFor();
  const retry = tour.page.getByRole('button', { name: 'Try again' });
  await retry.click();
  await tour.page.getByRole('alert').getByText("Can't reach the registry.").waitFor();
  // A page that is reloaded without a network is no page at all.
  expect(await isSameDocument()).toBe(true);
  await tour.page.unroute(SCREEN);
  await tour.page.unroute(PAGE);
  await retry.click();
  await title('API tokens').waitFor();
  expectReported();
});

test('a screen that an upgrade took away offers the new version', async () => {
  await upgrade();
  await openTokens();
  await title('A new version is available').waitFor();
  expect(await accessibilityFaults(tour.page)).toEqual([]);
  expect(await isSameDocument()).toBe(true);
  await tour.page.unroute(SCREEN);
  await tour.page.unroute(PAGE);
  await tour.page.getByRole('button', { name: 'Reload the page' }).click();
  await title('API tokens').waitFor();
  expectReported();
});

test('an upgrade is noticed when the tab is come back to, and nothing is reloaded without a click', async () => {
  await tour.open('/clients');
  await title('Clients').waitFor();
  await tour.page.evaluate('globalThis.sameDocument = true');
  await upgrade();
  await tour.page.clock.setSystemTime(Date.now() + 60_000);
  await tour.page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))');
  const offer = tour.page.getByRole('alert').filter({ hasText: 'A new version is available' });
  await offer.waitFor();
  expect(await accessibilityFaults(tour.page)).toEqual([]);
  expect(await isSameDocument()).toBe(true);
  await tour.page.unroute(PAGE);
  await offer.getByRole('button', { name: 'Reload the page' }).click();
  await offer.waitFor({ state: 'hidden' });
  expect(await isSameDocument()).toBe(false);
});
