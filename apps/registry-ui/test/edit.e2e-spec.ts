import { accessibilityFaults } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';

const tour = startTour();

const name = () => tour.page.getByRole('textbox', { name: 'Name', exact: true });
const save = () => tour.page.getByRole('button', { name: 'Save', exact: true }).click();
const heading = (title: string) => tour.page.getByRole('heading', { level: 1, name: title, exact: true });

test('a Client is edited, and only what was changed changes', async () => {
  const id = await tour.registry.register({
    client_name: 'Before',
    session_expiration: 3600,
    redirect_uris: ['https://shop.example/1', 'https://shop.example/2'],
  });
  const before = await tour.registry.ask('GET', `/client/${id}`);
  await tour.open(`/clients/${id}`);
  await tour.page.getByRole('link', { name: 'Edit' }).click();
  await name().fill('After');
  expect(await accessibilityFaults(tour.page)).toEqual([]);
  await save();
  await heading('After').waitFor();
  await tour.page.getByText('After is saved').waitFor();
  const { updated_at: _, ...after } = await tour.registry.ask('GET', `/client/${id}`);
  expect(after).toEqual({ ...before, client_name: 'After', updated_at: undefined });
});

test('what somebody else saved meanwhile is merged, field by field', async () => {
  const id = await tour.registry.register({
    client_name: 'Original',
    client_uri: 'https://original.example/',
  });
  await tour.open(`/clients/${id}/edit`);
  await name().fill('Mine');
  await tour.page.getByRole('textbox', { name: 'Home page' }).fill('https://mine.example/');
  await tour.registry.ask('PUT', `/client/${id}`, {
    client_name: 'Theirs',
    client_uri: 'https://original.example/',
    redirect_uris: ['https://theirs.example/cb'],
  });
  await save();
  await tour.page.getByText('Somebody else has changed this Client meanwhile').waitFor();
  expect(await accessibilityFaults(tour.page)).toEqual([]);

  // Back to the form: nothing is lost.
  await tour.page.getByRole('button', { name: 'Back to my form' }).click();
  expect(await name().inputValue()).toBe('Mine');
  await save();
  await tour.page.getByRole('radiogroup', { name: 'Name' }).getByRole('radio', { name: 'Theirs' }).click();
  await tour.page.getByRole('button', { name: 'Save the merged Client' }).click();
  await heading('Theirs').waitFor();
  expect(await tour.registry.ask('GET', `/client/${id}`)).toMatchObject({
    client_name: 'Theirs',
    client_uri: 'https://mine.example/',
    redirect_uris: ['https://theirs.example/cb'],
  });
});

test('a merge tells what is wrong with the choice, what the server refuses, and what was changed once more', async () => {
  const id = await tour.registry.register({ client_name: 'Thrice', client_uri: 'https://one.example/' });
  const theirs = async (members: object) => tour.registry.ask('PATCH', `/client/${id}`, members);
  const row = (label: string) => tour.page.getByRole('radiogroup', { name: label });
  await tour.open(`/clients/${id}/edit`);
  await name().fill('Mine');
  await tour.page.getByRole('radio', { name: 'prefix_match' }).check();
  await tour.page.getByRole('textbox', { name: 'Home page' }).fill('https://mine.example/');
  await theirs({ client_name: 'Theirs', client_uri: 'https://two.example/' });
  await save();
  const saveMerged = () => tour.page.getByRole('button', { name: 'Save the merged Client' }).click();
  await tour.page.getByText('Somebody else has changed this Client meanwhile').waitFor();
  // What the choice comes to is judged as it stands.
  await tour.page.getByRole('note').getByText('prefix_match is not OAuth 2.0 compliant').waitFor();
  await row('Name').getByRole('radio', { name: 'Theirs' }).click();
  await row('Home page').getByRole('radio', { name: 'Theirs' }).click();

  await theirs({ client_uri: 'https://three.example/' });
  await saveMerged();
  await tour.page.getByText('Somebody else has changed this Client once more').waitFor();
  expect(await accessibilityFaults(tour.page)).toEqual([]);
  await row('Home page').getByText('https://three.example/').waitFor();
  const again = tour.page.getByText('It has changed once more.');
  expect(await again.count()).toBe(1);
  await tour.page.getByText('Changed by both of you: please decide').filter({ has: again }).waitFor();
  const chosen = async (label: string, side: string) =>
    row(label).getByRole('radio', { name: side }).getAttribute('aria-checked');
  expect([await chosen('Name', 'Theirs'), await chosen('Home page', 'Mine')]).toEqual(['true', 'true']);

  await tour.page.route(`**/client/${id}`, (route) =>
    route.fulfill({
      status: 400,
      contentType: 'application/problem+json',
      json: {
        detail: 'invalid',
        errors: [
          { field: '/client_name', code: 'policy', message: 'client_name is reserved' },
          { field: '/cookie_domain', code: 'policy', message: 'cookie_domain is missing' },
        ],
      },
    }),
  );
  await saveMerged();
  await tour.page.getByText('client_name is reserved', { exact: true }).filter({ visible: true }).waitFor();
  await tour.page.getByRole('alert').getByText('cookie_domain is missing').waitFor();
  await tour.page.unroute(`**/client/${id}`);
  await saveMerged();
  await heading('Theirs').waitFor();
  expect(await tour.registry.ask('GET', `/client/${id}`)).toMatchObject({
    client_name: 'Theirs',
    client_uri: 'https://mine.example/',
    redirect_uri_validation_method: 'prefix_match',
  });
});

test('a form survives the end of its session', async () => {
  const id = await tour.registry.register({ client_name: 'Long edit' });
  await tour.open(`/clients/${id}/edit`);
  await name().fill('Typed for an hour');
  await tour.page.route(`**/client/${id}`, (route) =>
    route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"detail":"no"}' }),
  );
  await save();
  await tour.page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await tour.page.unroute(`**/client/${id}`);
  await tour.page.getByLabel('API token', { exact: true }).fill(tour.registry.token);
  await tour.page.keyboard.press('Enter');
  await tour.page.getByRole('dialog').waitFor({ state: 'hidden' });
  expect(await name().inputValue()).toBe('Typed for an hour');
  expect(await tour.page.getByRole('alert').count()).toBe(0);
  await save();
  await heading('Typed for an hour').waitFor();
});
