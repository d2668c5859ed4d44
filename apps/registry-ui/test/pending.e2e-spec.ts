import { askForJson } from '@svc/test-servers';
import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';

const tour = startTour({ REGISTRATION: 'open', REGISTRATION_OPEN_PER_ADDRESS: '10' });

interface OpenlyRegistered {
  readonly client_id: string;
  readonly registration_access_token: string;
}

/** Registers a client as a developer does, without a token. */
const registerOpenly = async (client_name: string): Promise<OpenlyRegistered> => {
  const response = await fetch(`${tour.registry.url}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name, redirect_uris: ['https://open.example/cb'] }),
  });
  expect(response.status).toBe(201);
  return (await response.json()) as OpenlyRegistered;
};

const badge = () => tour.page.locator('[data-kind]').getByText('Awaiting approval', { exact: true });
const act = async (name: string) => {
  await tour.page.getByRole('button', { name: 'More actions' }).click();
  await tour.page.getByRole('menuitem', { name }).click();
};

test('the list marks pending clients and filters them, and enabling one approves it', async () => {
  await tour.registry.register({ client_name: 'Approved long ago' });
  const { client_id: id } = await registerOpenly('Hopeful');
  await tour.open('/clients');
  const row = tour.page.getByRole('row', { name: /Hopeful/ });
  await row.getByText('Awaiting approval').waitFor();
  await tour.page.getByRole('button', { name: 'Filter' }).click();
  await tour.page.getByLabel('Awaiting approval').selectOption('Yes');
  await tour.page.keyboard.press('Escape');
  await tour.page.getByRole('button', { name: /^Remove filter: Awaiting approval/ }).waitFor();
  await tour.page.getByRole('link', { name: 'Approved long ago' }).waitFor({ state: 'detached' });
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await row.getByRole('link', { name: 'Hopeful' }).click();
  await badge().waitFor();
  await act('Enable');
  await tour.page.getByText('Hopeful enabled').waitFor();
  await badge().waitFor({ state: 'detached' });
  expect(await tour.registry.ask('GET', `/client/${id}`)).toMatchObject({ enabled: true });
});

test('a pending client that its developer has changed meanwhile is not approved unseen', async () => {
  const { client_id: id, registration_access_token: token } = await registerOpenly('Harmless');
  await tour.open(`/clients/${id}`);
  await badge().waitFor();
  const changed = { client_id: id, client_name: 'Changed', redirect_uris: ['https://elsewhere.example/cb'] };
  await askForJson(`${tour.registry.url}/register/${id}`, { method: 'PUT', token, body: changed });
  await act('Enable');
  await tour.page.getByRole('alert').waitFor();
  await tour.page.getByRole('heading', { level: 1, name: 'Changed' }).waitFor();
  await badge().waitFor();
  expect(await tour.registry.ask('GET', `/client/${id}`)).toMatchObject({ enabled: false });
});

test('enabling many clients at once leaves out those that await approval', async () => {
  const { client_id: id } = await registerOpenly('Unseen');
  await tour.registry.register({ client_name: 'Seen' });
  await tour.open('/clients');
  for (const name of ['Unseen', 'Seen'])
    await tour.page
      .getByRole('row', { name: new RegExp(`\\b${name}\\b`) })
      .getByRole('checkbox')
      .check();
  await tour.page.getByRole('button', { name: 'Enable', exact: true }).click();
  await tour.page.getByText('1 client awaits approval: open it to enable it').waitFor();
  expect(await tour.registry.ask('GET', `/client/${id}`)).toMatchObject({ enabled: false, pending: true });
});
