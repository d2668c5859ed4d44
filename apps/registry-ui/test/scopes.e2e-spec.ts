import type { Page } from 'playwright-core';
import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';

const tour = startTour();

const LACKS_WRITE = 'Your token lacks the clients:write scope';

/** A tab signed in with a token of these scopes, and a function that opens a path in it. */
const signInWith = async (...scopes: readonly string[]) => {
  const { token } = await tour.registry.ask<{ token: string }>('POST', '/token', { name: 'Some', scopes });
  const page = await tour.browser.newPage(token);
  return { page, open: async (path: string) => page.goto(`${tour.registry.url}/ui${path}`) };
};

/** Waits until the buttons are disabled. */
const expectStill = async (page: Page, ...names: readonly string[]) => {
  for (const name of names) {
    await page.getByRole('button', { name, exact: true, disabled: true }).waitFor();
  }
};

test('a read-only token sees disabled actions and the reason before filling in anything', async () => {
  const id = await tour.registry.register({
    client_name: 'Looked at',
    redirect_uris: ['https://looked.example/cb'],
    cookie_webhook_uri: 'https://hook.example/',
  });
  const { page, open } = await signInWith('clients:read');
  await open('/');
  await expectStill(page, 'Register client');
  await open(`/clients/${id}`);
  await expectStill(page, 'Edit');
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Edit' }).hover();
  await page.getByRole('tooltip', { name: LACKS_WRITE }).waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  for (const name of ['Rotate secret', 'Disable', 'Delete']) {
    expect(await page.getByRole('menuitem', { name }).isDisabled()).toBe(true);
  }
  await open(`/clients/${id}?tab=tests`);
  await expectStill(page, 'Call now');

  await open('/clients');
  await expectStill(page, 'Import', 'Register client');
  await page.getByRole('checkbox', { name: 'Select Looked at' }).click();
  await expectStill(page, 'Enable', 'Disable', 'Delete');
  expect(await accessibilityViolations(page)).toEqual([]);
  // Reading is allowed.
  const selected = page.getByRole('region', { name: 'Selected clients' });
  expect(await selected.getByRole('button', { name: 'Export' }).isEnabled()).toBe(true);

  for (const [path, button] of [
    ['/register?template=blank', 'Register'],
    [`/clients/${id}/edit`, 'Save'],
  ] as const) {
    await open(path);
    await page.getByText(LACKS_WRITE).waitFor();
    await expectStill(page, button);
  }
  await open('/import');
  await page.getByText(LACKS_WRITE).waitFor();
  expect(await page.getByRole('button', { name: 'Choose a file' }).isDisabled()).toBe(true);

  await open('/tokens');
  await page.getByText('Your token lacks the tokens:write scope').waitFor();
  await expectStill(page, 'Create token');
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.close();
});

test('a token can grant only the scopes it holds', async () => {
  const { page, open } = await signInWith('clients:read', 'tokens:write');
  await open('/tokens');
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog');
  const allowed = dialog.getByRole('checkbox', { disabled: false });
  await dialog.getByRole('checkbox', { name: 'clients:write', disabled: true }).waitFor();
  expect(await allowed.count()).toBe(2);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Second');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByRole('status', { name: 'Token value' }).waitFor();
  await page.close();
});

test('a token with an expiry creates tokens that expire with it, and the console says when', async () => {
  const body = { name: 'Short', scopes: ['clients:read', 'tokens:write'], expires_in: '2 d' };
  const short = await tour.registry.ask<{ token: string; expires_at: string }>('POST', '/token', body);
  const page = await tour.browser.newPage(short.token);
  await page.goto(`${tour.registry.url}/ui/tokens`);
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Meant to last');
  await dialog.getByLabel('Expiration').selectOption('No expiration');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(new Date(short.expires_at));
  await dialog.getByText(`It expires on ${day}`).waitFor();
  await page.close();
});
