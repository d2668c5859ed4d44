import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';

const tour = startTour();

const SCREEN = '**/assets/tokens-screen-*.js';
const PAGE = '**/ui/';

const openTokens = async () => {
  await tour.open('/clients');
  await tour.page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor();
  // Lost when the page is reloaded.
  await tour.page.evaluate('globalThis.sameDocument = true');
  await tour.page
    .getByRole('navigation', { name: 'Navigation' })
    .getByRole('link', { name: 'API tokens' })
    .click();
};
const isSameDocument = async () => tour.page.evaluate<boolean>('globalThis.sameDocument === true');
/** React logs the error that the screen shows. */
const expectReported = () => {
  const complaints = tour.browser.complaints.splice(0);
  expect(complaints.filter((complaint) => !complaint.startsWith('ScreenLoadError: '))).toEqual([]);
};
const title = (name: string) => tour.page.getByRole('heading', { level: 1, name });

/** Simulates an upgrade: the page names a new script, and the old screens are gone. */
const upgrade = async () => {
  await tour.page.route(PAGE, async (route) => {
    const response = await route.fetch();
    const html = (await response.text()).replace(/assets\/index-[^.]+\.js/, 'assets/index-newer.js');
    await route.fulfill({ response, body: html });
  });
  await tour.page.route(SCREEN, async (route) => route.fulfill({ status: 404, json: { detail: 'gone' } }));
};

test('a screen whose code failed to load can be retried once the registry responds', async () => {
  await tour.page.route(SCREEN, async (route) => route.abort());
  await tour.page.route(PAGE, async (route) => route.abort());
  await openTokens();
  await title("This page couldn't be displayed").waitFor();
  const retry = tour.page.getByRole('button', { name: 'Try again' });
  await retry.click();
  await tour.page.getByRole('alert').getByText("Can't reach the registry.").waitFor();
  // Reloading without a network would lose the page.
  expect(await isSameDocument()).toBe(true);
  await tour.page.unroute(SCREEN);
  await tour.page.unroute(PAGE);
  await retry.click();
  await title('API tokens').waitFor();
  expectReported();
});

test('a screen removed by an upgrade offers the new version', async () => {
  await upgrade();
  await openTokens();
  await title('A new version is available').waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  expect(await isSameDocument()).toBe(true);
  await tour.page.unroute(SCREEN);
  await tour.page.unroute(PAGE);
  await tour.page.getByRole('button', { name: 'Reload the page' }).click();
  await title('API tokens').waitFor();
  expectReported();
});

test('returning to the tab detects an upgrade, and nothing reloads without a click', async () => {
  await tour.open('/clients');
  await title('Clients').waitFor();
  await tour.page.evaluate('globalThis.sameDocument = true');
  await upgrade();
  await tour.page.clock.setSystemTime(Date.now() + 60_000);
  await tour.page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))');
  const offer = tour.page.getByRole('alert').filter({ hasText: 'A new version is available' });
  await offer.waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  expect(await isSameDocument()).toBe(true);
  await tour.page.unroute(PAGE);
  await offer.getByRole('button', { name: 'Reload the page' }).click();
  await offer.waitFor({ state: 'hidden' });
  expect(await isSameDocument()).toBe(false);
});
