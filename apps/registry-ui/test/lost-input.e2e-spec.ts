import { eventually } from '@svc/test-servers';
import type { Page } from 'playwright-core';
import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';
import { newGate } from './support/gate.js';

const tour = startTour();

const name = () => tour.page.getByRole('textbox', { name: 'Name', exact: true });
const register = () => tour.page.getByRole('button', { name: 'Register', exact: true }).click();
const uri = () => tour.page.getByRole('textbox', { name: 'Redirect URIs, 1', exact: true });

test('a double click registers once and shows the secret, even while the code that shows it is loading', async () => {
  await tour.open('/register?template=web-confidential');
  await name().fill('Clicked twice');
  await uri().fill('https://twice.example/cb');
  const loading = newGate();
  await tour.page.route('**/assets/registration-result-*.js', async (route) => {
    await loading.opened;
    await route.continue();
  });
  const keys: unknown[] = [];
  tour.page.on('request', (request) => {
    if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']);
  });
  await tour.page
    .getByRole('button', { name: 'Register', exact: true })
    .evaluate((button: { click(): void }) => {
      button.click();
      button.click();
    });
  loading.open();
  await tour.page.getByRole('status', { name: 'Client secret' }).waitFor();
  await tour.page.waitForLoadState('networkidle');
  await tour.page.getByRole('status', { name: 'Client secret' }).waitFor();
  expect(keys).toHaveLength(1);
});

test('retrying after a lost response registers no second client, and its secret can be rotated', async () => {
  await tour.open('/register?template=web-confidential');
  await name().fill('Lost answer');
  await uri().fill('https://lost.example/cb');
  await tour.page.route('**/client', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await register();
  await tour.page.getByText("Can't reach the registry.").waitFor();
  await tour.page.unroute('**/client');
  await register();
  await tour.page.getByText('The first attempt registered the client').waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  const { clients } = await tour.registry.ask<{ clients: { client_id: string }[] }>(
    'GET',
    '/client?q=Lost%20answer',
  );
  expect(clients).toHaveLength(1);
  await tour.page.getByRole('button', { name: 'Rotate secret' }).click();
  const dialog = tour.page.getByRole('dialog');
  await dialog.getByLabel('Revoke it immediately').check();
  await dialog.getByRole('button', { name: 'Rotate secret' }).click();
  const secret = (await dialog.getByRole('status', { name: 'Client secret' }).textContent()) ?? '';
  const check = await tour.registry.ask('POST', `/client/${clients[0]?.client_id}/check/secret`, {
    client_secret: secret,
  });
  expect(check['valid']).toBe(true);
});

test('a pasted list of contacts keeps the names with their addresses', async () => {
  await tour.open('/register?template=blank');
  const contact = (number: number) =>
    tour.page.getByRole('textbox', { name: `Contacts, ${number}`, exact: true });
  await contact(1).focus();
  await tour.page.evaluate(
    `navigator.clipboard.writeText('Jane Doe <jane@example.com>\\nJohn Roe <john@example.com>')`,
  );
  await tour.page.keyboard.press('ControlOrMeta+v');
  await eventually(async () => expect(await contact(2).inputValue()).toBe('John Roe <john@example.com>'));
  expect(await contact(1).inputValue()).toBe('Jane Doe <jane@example.com>');
});

test('the skip link leaves the form as it is', async () => {
  await tour.open('/register?template=blank');
  await name().fill('Half done');
  await tour.page.getByRole('link', { name: 'Skip to content' }).press('Enter');
  await eventually(async () => expect(await tour.page.evaluate('document.activeElement.id')).toBe('main'));
  expect(await tour.page.getByRole('dialog').count()).toBe(0);
  expect(await name().inputValue()).toBe('Half done');
});

test('nothing can be typed while a form that someone else has changed is compared with their state', async () => {
  const id = await tour.registry.register({
    client_name: 'Compared',
    client_uri: 'https://compared.example/',
  });
  await tour.open(`/clients/${id}`);
  await tour.page.getByRole('button', { name: 'Edit Identity' }).click();
  await name().fill('Mine');
  await tour.registry.ask('PATCH', `/client/${id}`, { client_uri: 'https://theirs.example/' });
  const current = newGate();
  await tour.page.route(`**/client/${id}`, async (route) => {
    if (route.request().method() === 'GET') await current.opened;
    await route.continue();
  });
  await Promise.all([
    tour.page.waitForRequest((request) => request.method() === 'GET' && request.url().endsWith(id)),
    name().press('Control+s'),
  ]);
  expect(await name().evaluate((input) => input.closest('[inert]') !== null)).toBe(true);
  expect(await tour.page.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  current.open();
  await tour.page.getByText('Mine saved').waitFor();
  expect(await tour.registry.ask('GET', `/client/${id}`)).toMatchObject({
    client_name: 'Mine',
    client_uri: 'https://theirs.example/',
  });
});

test('nothing can be typed while the form is being saved, and a saved change whose response was lost is no conflict', async () => {
  const id = await tour.registry.register({ client_name: 'Slow' });
  await tour.open(`/clients/${id}`);
  await tour.page.getByRole('button', { name: 'Edit Identity' }).click();
  await name().fill('Saved slowly');
  const answer = newGate();
  await tour.page.route(`**/client/${id}`, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    await route.fetch();
    await answer.opened;
    await route.abort();
  });
  await name().press('Control+s');
  await tour.page.getByRole('button', { name: 'Save', disabled: true }).waitFor();
  await tour.page.keyboard.type(', and more');
  answer.open();
  await tour.page.getByText("Can't reach the registry.").waitFor();
  expect(await name().inputValue()).toBe('Saved slowly');
  await tour.page.unroute(`**/client/${id}`);
  await tour.page.getByRole('button', { name: 'Try again' }).click();
  await tour.page.getByText('Saved slowly saved').waitFor();
  const { changes } = await tour.registry.ask<{ changes: unknown[] }>('GET', `/client/${id}/history`);
  expect(changes).toHaveLength(2);
});

test('what was typed stays if the session ends and the dialog that says so cannot be loaded', async () => {
  const { page, browser } = tour;
  const [code, api] = ['**/assets/sign-in-*.js', '**/client'];
  await page.route(code, async (route) => route.abort());
  await tour.open('/register?template=web-confidential');
  await page.route(api, async (route) => route.fulfill({ status: 401, json: {} }));
  await name().fill('Typed');
  await uri().fill('https://typed.example/cb');
  await register();
  await page.getByRole('alert').filter({ hasText: "Part of the console couldn't be loaded." }).waitFor();
  expect(await name().inputValue()).toBe('Typed');
  for (const path of [code, api]) await page.unroute(path);
  const complaints = browser.complaints.splice(0);
  expect(complaints.filter((complaint) => !/CodeLoadError|401/.test(complaint))).toEqual([]);
});

/** Of the open client. */
const confirmDeletion = async (clientName: string) => {
  await tour.page.getByRole('button', { name: 'More actions' }).click();
  await tour.page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = tour.page.getByRole('dialog');
  await dialog.getByLabel("To confirm, type the client's name").fill(clientName);
  await dialog.getByRole('button', { name: 'Delete' }).click();
};

test('deleting a client with unsaved changes does not ask whether to leave them', async () => {
  const id = await tour.registry.register({ client_name: 'Deleted half done' });
  await tour.open(`/clients/${id}`);
  await tour.page.getByRole('button', { name: 'Edit Identity' }).click();
  await name().fill('Half done');
  await confirmDeletion('Deleted half done');
  await tour.page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor();
  await tour.page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('a deletion that ends after the user has opened another screen leaves them there', async () => {
  const id = await tour.registry.register({ client_name: 'Deleted slowly' });
  const { page } = tour;
  const answer = newGate();
  await page.route(`**/client/${id}`, async (route) => {
    if (route.request().method() === 'DELETE') await answer.opened;
    await route.continue();
  });
  await tour.open('/register?template=blank');
  await page.getByRole('link', { name: 'Clients', exact: true }).first().click();
  await page.getByRole('link', { name: 'Deleted slowly', exact: true }).click();
  await confirmDeletion('Deleted slowly');
  // Back, past the list.
  await page.evaluate('history.go(-2)');
  await name().fill('Typed meanwhile');
  answer.open();
  await page.getByText('Deleted slowly deleted').waitFor();
  await uri().fill('https://typed.example/cb');
  await register();
  await page.getByRole('heading', { level: 1, name: 'Typed meanwhile registered' }).waitFor();
});

test('a click beside a dialog with inputs does not close it, Escape does', async () => {
  const id = await tour.registry.register({ client_name: 'Beside' });
  const dialog = tour.page.getByRole('dialog');
  const expectKept = async (button: string, input: string) => {
    await tour.page.getByRole('button', { name: button, exact: true }).click();
    await dialog.getByLabel(input, { exact: true }).fill('half done');
    await tour.page.mouse.click(5, 5);
    // The click has been handled.
    await tour.page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
    expect(await dialog.getByLabel(input, { exact: true }).inputValue()).toBe('half done');
    await tour.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  };
  await tour.open('/tokens');
  await expectKept('Create token', 'Name');
  await tour.open(`/clients/${id}?tab=usage`);
  await expectKept('Add temporary URI', 'Redirect URI');
  await tour.open('/clients?q=beside');
  await tour.page.getByRole('checkbox', { name: 'Select Beside' }).click();
  await tour.page.getByRole('button', { name: 'Edit', exact: true }).click();
  await dialog.getByLabel('Setting').selectOption('Description');
  await tour.page.mouse.click(5, 5);
  await tour.page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
  await dialog.getByRole('textbox', { name: 'Description' }).waitFor();
});

/** Refetches what the screen shows, as a browser does when its window is shown again after a while. */
const refetch = async (page: Page) => {
  await page.clock.fastForward(20_000);
  await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
};

test('what is being typed stays when what the screen shows cannot be refetched', async () => {
  const id = await tour.registry.register({ client_name: 'Kept open' });
  const { page } = tour;
  await page.clock.install();
  const fail = async (path: string) => {
    await page.route(path, async (route) =>
      route.fulfill({ status: 500, json: { detail: 'Out of order.' } }),
    );
    await refetch(page);
    await page.getByText('Out of order.').first().waitFor();
    await page.unroute(path);
  };
  await tour.open(`/clients/${id}?tab=usage`);
  await page.getByRole('button', { name: 'Add temporary URI' }).click();
  const temporary = page.getByRole('dialog').getByLabel('Redirect URI');
  await temporary.fill('https://typed.example/cb');
  await fail('**/usage?*');
  expect(await temporary.inputValue()).toBe('https://typed.example/cb');

  await tour.open(`/redirects?client=${id}`);
  const requested = page.getByLabel('Requested redirect URI', { exact: true });
  await requested.fill('https://requested.example/cb');
  await fail(`**/client/${id}`);
  expect(await requested.inputValue()).toBe('https://requested.example/cb');
});
