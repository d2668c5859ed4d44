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
    await refuse(`**/client/${id}`, 'PUT');
    await tour.open(`/clients/${id}/edit`);
    await name().fill('Lucky at last');
    await tour.page.getByRole('button', { name: 'Save', exact: true }).click();
    await expectFocusInView(alert());
    await alert().getByText('The database is being repaired.').waitFor();
    await alert().getByText('req-4711').waitFor();
    // No success message contradicts it.
    expect(await tour.page.getByText('No issues found').count()).toBe(0);
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
  await tour.page.getByText('No issues found').waitFor();
  await tour.page.keyboard.press('Tab');
  await tour.page.getByRole('button', { name: 'Register', exact: true }).press('Enter');
  await expectFocusInView(alert());
  expect(await tour.page.getByText('No issues found').count()).toBe(0);
  await tour.page.unroute('**/client');
  await retry().press('Enter');
  await tour.page.getByRole('heading', { level: 1, name: 'Second attempt registered' }).waitFor();
});

test('a violation of a field that the form lacks is reported next to the button', async () => {
  const id = await tour.registry.register({ client_name: 'Elsewhere' });
  await tour.page.route(`**/client/${id}`, async (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    const errors = [
      { field: '/software_statement', code: 'policy', message: 'software_statement is missing' },
    ];
    await route.fulfill({ status: 400, json: { detail: 'invalid', errors } });
  });
  await tour.open(`/clients/${id}/edit`);
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
  expect(await palette.getByText('No matching pages or clients.').count()).toBe(0);
});
