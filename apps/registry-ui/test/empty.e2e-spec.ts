import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';

const tour = startTour();

test.each([
  ['/', 'No clients yet'],
  ['/clients', 'No clients yet'],
  ['/cookies', 'No client uses cookie-based authorization'],
])('%s of an empty registry shows the next step', async (path, title) => {
  await tour.open(path);
  await tour.page.getByRole('heading', { level: 2, name: title }).waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  expect(await tour.page.locator('main .mantine-Button-root[data-variant=filled]').count()).toBeLessThan(2);
  await tour.page
    .getByRole('main')
    .getByRole('link', { name: /^Register/ })
    .last()
    .click();
  await tour.page.getByRole('heading', { level: 1, name: 'Register client' }).waitFor();
});

test('the first client appears on the overview immediately', async () => {
  await tour.open('/');
  await tour.page.getByRole('link', { name: 'Register your first client' }).click();
  await tour.page.getByRole('link', { name: /^Web application .*PKCE/ }).click();
  await tour.page.getByRole('textbox', { name: 'Name', exact: true }).fill('First');
  await tour.page
    .getByRole('textbox', { name: 'Redirect URIs, 1', exact: true })
    .fill('https://first.example/cb');
  await tour.page.getByRole('button', { name: 'Register', exact: true }).click();
  await tour.page.getByRole('heading', { level: 1, name: 'First registered' }).waitFor();
  await tour.page.getByRole('link', { name: 'Overview' }).click();
  const clients = tour.page.getByRole('listitem').filter({ hasText: 'Clients' });
  await clients.first().getByText('1', { exact: true }).waitFor();
  await tour.page.getByRole('list', { name: 'Changes' }).getByRole('link', { name: 'First' }).waitFor();
});
