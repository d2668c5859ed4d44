import type { Locator } from 'playwright-core';
import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';
import { eventually } from '@svc/test-servers';

const tour = startTour();

/** A laptop, a tablet and a phone: all much lower than the form. */
const WINDOWS = [
  { width: 1280, height: 720 },
  { width: 768, height: 1024 },
  { width: 375, height: 667 },
];

const name = () => tour.page.getByRole('textbox', { name: 'Name', exact: true });
const alert = () => tour.page.getByRole('alert').filter({ hasText: 'Something went wrong' });
const retry = () => alert().getByRole('button', { name: 'Try again' });

const refuse = async (path: string, method: string) =>
  tour.page.route(path, async (route) => {
    if (route.request().method() !== method) return route.continue();
    await route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      headers: { 'x-request-id': 'req-4711' },
      json: { detail: 'The database is being repaired.' },
    });
  });

const editIdentity = async (id: string) => {
  await tour.open(`/clients/${id}`);
  await tour.page.getByRole('button', { name: 'Edit Identity' }).click();
};

/** Waits until an element has the focus and is entirely in view. */
const expectFocusInView = async (target: Locator) =>
  eventually(async () => {
    const seen = await target.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      const { innerHeight } = element.ownerDocument.defaultView as unknown as { innerHeight: number };
      return [element === element.ownerDocument.activeElement, top >= 0, bottom <= innerHeight];
    });
    expect(seen).toEqual([true, true, true]);
  });

test.each(WINDOWS)(
  'a failed save is reported next to the button and takes the focus, in a window of $width by $height',
  async (window) => {
    const id = await tour.registry.register({ client_name: 'Unlucky' });
    await tour.page.setViewportSize(window);
    await refuse(`**/client/${id}`, 'PATCH');
    await editIdentity(id);
    await name().fill('Lucky at last');
    await tour.page.getByRole('button', { name: 'Save', exact: true }).click();
    await expectFocusInView(alert());
    await alert().getByText('The database is being repaired.').waitFor();
    await alert().getByText('req-4711').waitFor();
    expect(await accessibilityViolations(tour.page)).toEqual([]);

    // Still failing: reported again, with the focus.
    await tour.page.keyboard.press('Tab');
    await tour.page.keyboard.press('Enter');
    await expectFocusInView(alert());
    await tour.page.unroute(`**/client/${id}`);
    await retry().click();
    await tour.page.getByRole('heading', { level: 1, name: 'Lucky at last' }).waitFor();
  },
);

test('a failed registration is reported next to the button and can be retried there', async () => {
  await refuse('**/client', 'POST');
  await tour.open('/register?template=web-confidential');
  await name().fill('Second attempt');
  await tour.page
    .getByRole('textbox', { name: 'Redirect URIs, 1', exact: true })
    .fill('https://second.example/cb');
  await tour.page.keyboard.press('Tab');
  await tour.page.getByRole('button', { name: 'Register', exact: true }).press('Enter');
  await expectFocusInView(alert());
  await tour.page.unroute('**/client');
  await retry().press('Enter');
  await tour.page.getByRole('heading', { level: 1, name: 'Second attempt registered' }).waitFor();
});

test('a violation of a field that the form lacks is reported next to the button', async () => {
  const id = await tour.registry.register({ client_name: 'Elsewhere' });
  await tour.page.route(`**/client/${id}`, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    const errors = [
      { field: '/software_statement', code: 'policy', message: 'software_statement is missing' },
    ];
    await route.fulfill({ status: 400, json: { detail: 'invalid', errors } });
  });
  await editIdentity(id);
  await name().fill('Elsewhere now');
  await tour.page.getByRole('button', { name: 'Save', exact: true }).click();
  await expectFocusInView(alert());
  await alert().getByText('software_statement is missing').waitFor();
});

test('a failure to load older changes is reported and can be retried', async () => {
  const id = await tour.registry.register({ client_name: 'Busy' });
  for (let round = 0; round < 31; round += 1) {
    await tour.registry.ask('PATCH', `/client/${id}`, { client_name: `Busy ${round}` });
  }
  await tour.open(`/clients/${id}?tab=history`);
  await refuse(`**/client/${id}/history?*cursor=*`, 'GET');
  await tour.page.getByRole('button', { name: 'Show older changes' }).click();
  await alert().getByText('The database is being repaired.').waitFor();
  await tour.page.unroute(`**/client/${id}/history?*cursor=*`);
  await retry().click();
  await tour.page.getByRole('listitem').filter({ hasText: 'Registered' }).waitFor();
  expect(await alert().count()).toBe(0);
});

test('a search that fails says so in the command palette, and never that nothing matches', async () => {
  await tour.open('/features');
  await tour.page.getByRole('heading', { level: 1 }).waitFor();
  await refuse('**/client?*', 'GET');
  await tour.page.keyboard.press('Control+k');
  const palette = tour.page.getByRole('dialog');
  await palette.getByRole('combobox').fill('unlucky');
  await palette.getByText('The database is being repaired.').waitFor();
  expect(await palette.getByText('No matching pages, commands or clients.').count()).toBe(0);
});

const toast = (message: string) => tour.page.getByRole('alert').filter({ hasText: message });

/** Focuses every control in turn and returns those covered by a toast. */
const COVERED = `(() => {
  const controls = [...document.querySelectorAll('main :is(a[href], button, input, textarea, select)')];
  const shown = controls.filter((control) => control.checkVisibility() && !control.disabled);
  return shown.flatMap((control) => {
    control.focus();
    const { left, top, width, height } = control.getBoundingClientRect();
    const above = document.elementFromPoint(left + width / 2, top + height / 2);
    return above?.closest('.mantine-Notifications-root') ? [control.outerHTML.slice(0, 100)] : [];
  });
})()`;

const disable = async (id: string) => {
  await tour.open(`/clients/${id}`);
  await tour.page.getByRole('button', { name: 'More actions' }).click();
  await tour.page.getByRole('menuitem', { name: 'Disable' }).click();
};

test.each([375, 768, 1280])('toasts cover no control in a window %d pixels wide', async (width) => {
  const { page } = tour;
  const id = await tour.registry.register({ client_name: `Covered ${width}` });
  const last = `Row 11 of ${width}`;
  for (let row = 0; row < 12; row += 1) {
    await tour.registry.register({ client_name: `Row ${row} of ${width}` });
  }
  await page.setViewportSize({ width, height: 700 });
  await disable(id);
  await toast('disabled').waitFor();
  await eventually(async () => expect(await page.evaluate(COVERED)).toEqual([]));
  await page.getByRole('button', { name: 'Edit Identity' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
  await toast('disabled').waitFor();
  expect(await page.evaluate(COVERED)).toEqual([]);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'Clients', exact: true }).last().click();
  await page.getByRole('grid').getByRole('link', { name: last }).waitFor();
  await page.getByRole('checkbox', { name: `Select ${last}` }).click();
  await toast('disabled').waitFor();
  expect(await page.evaluate(COVERED)).toEqual([]);
});

test('Undo outlives its toast and disappears once used', async () => {
  const { page } = tour;
  const id = await tour.registry.register({ client_name: 'Regretted' });
  await page.clock.install();
  await disable(id);
  await toast('Regretted disabled').waitFor();
  const later = page.getByRole('button', { name: 'Undo: Regretted disabled' });
  expect(await later.count()).toBe(0);
  // It stays while focused.
  await page.getByRole('button', { name: 'Undo' }).focus();
  await page.clock.fastForward(11_000);
  await toast('Regretted disabled').waitFor();
  await page.getByRole('heading', { level: 1 }).focus();
  await page.clock.fastForward(11_000);
  await toast('Regretted disabled').waitFor({ state: 'hidden' });
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Overview' }).click();
  await later.press('Enter');
  await toast('Regretted enabled').waitFor();
  expect((await tour.registry.ask('GET', `/client/${id}`))['enabled']).toBe(true);
  expect(await later.count()).toBe(0);
});

test('a failure stays until dismissed', async () => {
  const { page } = tour;
  const id = await tour.registry.register({ client_name: 'Refused' });
  await page.route(`**/client/${id}/disable`, async (route) =>
    route.fulfill({ status: 500, json: { detail: 'The database is being repaired.' } }),
  );
  await page.clock.install();
  await disable(id);
  await toast('The database is being repaired.').waitFor();
  await page.clock.fastForward(60_000);
  await toast('The database is being repaired.').getByRole('button', { name: 'Close' }).click();
  await toast('The database is being repaired.').waitFor({ state: 'hidden' });
});

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
  expect(complaints.filter((complaint) => !complaint.startsWith('CodeLoadError: '))).toEqual([]);
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
  // Tabs keep the clock that an earlier test moved.
  const now = await tour.page.evaluate<number>('Date.now()');
  await tour.page.clock.setSystemTime(now + 60_000);
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

test('the newest message is shown, even after failures that nobody has dismissed', async () => {
  const { page } = tour;
  const id = await tour.registry.register({ client_name: 'Shown last' });
  let failures = 0;
  await page.route(`**/client/${id}/disable`, async (route) => {
    failures += 1;
    await route.fulfill({ status: 500, json: { detail: `Failure ${failures}.` } });
  });
  await tour.open(`/clients/${id}`);
  const disableHere = async () => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
  };
  for (const number of [1, 2]) {
    await disableHere();
    await toast(`Failure ${number}.`).waitFor();
  }
  await page.unroute(`**/client/${id}/disable`);
  await disableHere();
  await toast('Shown last disabled').getByRole('button', { name: 'Undo' }).click();
  await toast('Shown last enabled').getByRole('button', { name: 'Close' }).click();
  for (const number of [2, 1])
    await toast(`Failure ${number}.`).getByRole('button', { name: 'Close' }).click();
});

test('signing out removes messages and Undo', async () => {
  const { page } = tour;
  const id = await tour.registry.register({ client_name: 'Private' });
  await page.clock.install();
  await disable(id);
  await toast('Private disabled').waitFor();
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  const token = page.getByLabel('API token');
  await token.waitFor();
  expect(await page.getByText('Private disabled').count()).toBe(0);
  await page.clock.fastForward(11_000);
  await token.fill(tour.registry.token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.getByText('Private disabled').count()).toBe(0);
});
