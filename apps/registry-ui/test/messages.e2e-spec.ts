import { startTour } from './support/console-tour.js';
import { eventually } from '@svc/test-servers';

const tour = startTour();

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
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
  await toast('disabled').waitFor();
  expect(await page.evaluate(COVERED)).toEqual([]);
  await page.getByRole('link', { name: 'Back to client' }).click();
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
