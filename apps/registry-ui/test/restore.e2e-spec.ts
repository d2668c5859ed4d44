import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';
import { newGate } from './support/gate.js';

const tour = startTour();

const uris = ['https://shop.example/cb'];

/** Whether the right edge of the account menu, beyond the sidebar, covers the list of clients. */
const IS_MENU_ON_TOP = `(() => {
  const menu = document.querySelector('[role=dialog][aria-label=Account]');
  const { right, top, bottom } = menu.getBoundingClientRect();
  const points = Array.from({ length: 20 }, (_, index) => top + ((bottom - top) * (index + 0.5)) / 20);
  return points.every((y) => menu.contains(document.elementFromPoint(right - 8, y)));
})()`;

const register = async (id: string, name: string, more: object = {}) =>
  tour.registry.register({ preferred_client_id: id, client_name: name, ...more });

test('clients deleted together are restored together, or one by one, or removed for good', async () => {
  for (const id of ['one', 'two', 'three']) await register(id, `Shop ${id}`);
  const operations = ['one', 'two'].map((client_id) => ({ op: 'delete', client_id }));
  await tour.registry.ask('POST', '/clients/bulk', { atomic: true, operations });
  await tour.registry.ask('DELETE', '/client/three');
  await tour.open('/deleted');
  await tour.page.getByRole('button', { name: 'Restore all 2' }).waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await tour.page.getByRole('button', { name: 'Restore all 2' }).click();
  await tour.page.getByText('2 clients restored. They are disabled and have no secrets.').waitFor();
  expect(await tour.registry.ask('GET', '/client/one')).toMatchObject({ enabled: false, client_secrets: [] });
  await tour.page.getByRole('button', { name: 'Delete permanently: Shop three' }).click();
  const dialog = tour.page.getByRole('dialog', { name: 'Delete Shop three permanently?' });
  await dialog.getByRole('button', { name: 'Delete permanently', exact: true }).click();
  await tour.page.getByText('Shop three permanently deleted').waitFor();
  await tour.page.getByText('No deleted clients').waitFor();
  await tour.page.locator('h1:focus').waitFor();
});

test('clients of one deletion that are not all loaded are restored together once they are', async () => {
  const ids = Array.from({ length: 201 }, (_, index) => `many-${index}`);
  const change = async (operations: object[]) =>
    tour.registry.ask('POST', '/clients/bulk', { atomic: true, operations });
  await change(
    ids.map((id) => ({
      op: 'register',
      client: { preferred_client_id: id, client_name: `Many ${id}`, redirect_uris: uris },
    })),
  );
  await change(ids.map((client_id) => ({ op: 'delete', client_id })));
  await tour.open('/deleted');
  await tour.page.getByRole('heading', { name: 'At least 200 clients' }).waitFor();
  expect(await tour.page.getByRole('button', { name: 'Restore all 200' }).count()).toBe(0);
  const rest = tour.page.getByRole('button', { name: 'Show all clients deleted together' });
  await tour.page.route('**/deleted-clients?*cursor=*', async (route) =>
    route.fulfill({ status: 400, json: { detail: 'Not now.' } }),
  );
  await rest.click();
  await tour.page.getByText('Not now.').waitFor();
  await tour.page.unroute('**/deleted-clients?*cursor=*');
  await rest.click();
  await tour.page.getByRole('button', { name: 'Restore all 201' }).click();
  await tour.page.getByText('201 clients restored. They are disabled and have no secrets.').waitFor();
  await tour.page.getByText('No deleted clients').waitFor();
});

test('a second click restores nothing twice, and the focus stays on the page', async () => {
  await register('twice', 'Twice');
  await tour.registry.ask('DELETE', '/client/twice');
  let requests = 0;
  const answer = newGate();
  await tour.page.route('**/deleted-clients/twice/restore', async (route) => {
    requests += 1;
    await answer.opened;
    await route.continue();
  });
  await tour.open('/deleted');
  await tour.page.getByRole('button', { name: 'Restore Twice' }).dblclick();
  // Once more while it is disabled, which gives the focus to the page.
  await tour.page.getByRole('button', { name: 'Restore Twice', disabled: true }).click({ force: true });
  answer.open();
  await tour.page.getByText('No deleted clients').waitFor();
  await tour.page.locator('h1:focus').waitFor();
  expect(requests).toBe(1);
  expect(await tour.page.getByText("couldn't be restored").count()).toBe(0);
});

test("a deleted client's page restores it, by keyboard alone", async () => {
  await register('kept', 'Kept');
  await tour.registry.ask('DELETE', '/client/kept');
  await tour.open('/clients/kept');
  const restore = tour.page.getByRole('button', { name: 'Restore', exact: true });
  await tour.page.getByRole('heading', { level: 1, name: 'Kept' }).waitFor();
  await restore.focus();
  await tour.page.keyboard.press('Enter');
  await tour.page.getByRole('heading', { level: 1, name: 'Kept' }).waitFor();
  await tour.page.getByText('Disabled', { exact: true }).first().waitFor();
});

test('a version of the history is put back after its difference is shown', async () => {
  await register('versions', 'Before');
  const changed = { client_name: 'After', redirect_uris: [...uris, 'https://more.example/cb'] };
  await tour.registry.ask('PATCH', '/client/versions', changed);
  await tour.open('/clients/versions?tab=history');
  await tour.page.getByRole('button', { name: 'Restore this version' }).click();
  const dialog = tour.page.getByRole('dialog', { name: 'Restore this version?' });
  await dialog.getByText('https://more.example/cb').waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  // Someone else changes it meanwhile: nothing is overwritten unseen.
  await tour.registry.ask('PATCH', '/client/versions', { client_uri: 'https://shop.example/' });
  await dialog.getByRole('button', { name: 'Restore this version' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByText('https://shop.example/').or(dialog.getByText('Before')).first().waitFor();
  expect(await tour.registry.ask('GET', '/client/versions')).toMatchObject({ client_name: 'After' });
  await dialog.getByRole('button', { name: 'Restore this version' }).click();
  await tour.page.getByRole('heading', { level: 1, name: 'Before' }).waitFor();
  expect(await tour.registry.ask('GET', '/client/versions')).toMatchObject({ redirect_uris: uris });
});

test('settings added after a version are shown as removed before it is put back', async () => {
  await register('additions', 'Additions');
  await tour.registry.ask('PATCH', '/client/additions', {
    client_uri: 'https://home.example/',
    labels: { team: 'shop' },
  });
  await tour.open('/clients/additions?tab=history');
  await tour.page.getByRole('button', { name: 'Restore this version' }).click();
  const dialog = tour.page.getByRole('dialog', { name: 'Restore this version?' });
  for (const removed of ['https://home.example/', 'team:shop'])
    await dialog.getByLabel('removed').locator('..').getByText(removed).waitFor();
  await dialog.getByRole('button', { name: 'Restore this version' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const restored = await tour.registry.ask('GET', '/client/additions');
  for (const added of ['client_uri', 'labels']) expect(restored).not.toHaveProperty(added);
});

test('the account menu shows what the token may do, and sets the theme', async () => {
  const { token } = await tour.registry.ask<{ token: string }>('POST', '/token', {
    name: 'Shop team',
    scopes: ['clients:read'],
    selector: { team: ['shop', 'pay'] },
  });
  const page = await tour.browser.newPage(token);
  await page.goto(`${tour.registry.url}/ui/clients`);
  await page.getByRole('button', { name: 'Account' }).click();
  for (const shown of ['clients:read', 'team=shop|pay', 'Never'])
    await page.getByText(shown, { exact: shown === 'Never' }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(await page.evaluate(IS_MENU_ON_TOP)).toBe(true);
  await page.getByText('Dark', { exact: true }).click();
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor({ state: 'attached' });
  await page.getByText('System', { exact: true }).click();
  await page.locator('html[data-mantine-color-scheme=light]').waitFor({ state: 'attached' });
  await page.close();
});

test('signing out everywhere signs out other tabs, and leaves the API token valid', async () => {
  const other = await tour.browser.newPage(tour.registry.token);
  await other.goto(`${tour.registry.url}/ui/clients`);
  await other.getByRole('heading', { level: 1 }).waitFor();
  await tour.open('/clients');
  await tour.page.getByRole('button', { name: 'Account' }).click();
  await tour.page.getByRole('button', { name: 'Sign out everywhere' }).click();
  for (const page of [tour.page, other]) await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await other.evaluate(`sessionStorage.getItem('registry-token')`)).toBeNull();
  expect(await tour.registry.ask('GET', '/token/self')).toMatchObject({ name: 'bootstrap' });
  await other.close();
});

test('the command palette carries out commands of the screen and of the console', async () => {
  await register('commanded', 'Commanded', { token_endpoint_auth_method: 'client_secret_basic' });
  await tour.open('/clients/commanded');
  await tour.page.getByRole('heading', { level: 1, name: 'Commanded' }).waitFor();
  const run = async (typed: string, ...keys: readonly string[]) => {
    await tour.page.keyboard.press('Control+k');
    await tour.page.getByRole('dialog').getByRole('combobox').fill(typed);
    for (const key of [...keys, 'Enter']) await tour.page.keyboard.press(key);
  };
  await run('disable', 'ArrowDown');
  await tour.page.getByText('Disabled', { exact: true }).first().waitFor();
  await run('secret rotate');
  await tour.page.getByRole('dialog', { name: /Rotate/ }).waitFor();
  await tour.page.keyboard.press('Escape');
  await run('theme dark');
  await tour.page.locator('html[data-mantine-color-scheme=dark]').waitFor({ state: 'attached' });
  await run('keyboard');
  await tour.page.getByText('Select a row').waitFor();
});

test("the tokens page marks the session's own token", async () => {
  await tour.open('/tokens');
  await tour.page.getByRole('row', { name: /bootstrap.*This session/ }).waitFor();
});

test('signing out everywhere asks in the other tabs with unsaved input, which stays', async () => {
  const other = await tour.browser.newPage(tour.registry.token);
  await other.goto(`${tour.registry.url}/ui/register?template=blank`);
  const name = other.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Half done');
  await tour.open('/clients');
  await tour.page.getByRole('button', { name: 'Account' }).click();
  await tour.page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await tour.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await other.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  expect(await other.evaluate(`sessionStorage.getItem('registry-token')`)).toBeNull();
  await other.getByLabel('API token', { exact: true }).fill(tour.registry.token);
  await other.keyboard.press('Enter');
  await other.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await name.inputValue()).toBe('Half done');
  await other.close({ runBeforeUnload: false });
});

test('without access to the storage of the browser, the session lasts until the page is left', async () => {
  const page = await tour.browser.newPage();
  await page.addInitScript(`{
    const deny = () => { throw new DOMException('Denied', 'SecurityError'); };
    for (const name of ['sessionStorage', 'localStorage']) Object.defineProperty(window, name, { get: deny });
    // Firefox also denies access to it.
    window.BroadcastChannel = class { constructor() { deny(); } };
  }`);
  await register('unstored', 'Unstored');
  await page.goto(`${tour.registry.url}/ui/clients/unstored?tab=snippets`);
  const token = page.getByLabel('API token', { exact: true });
  await token.fill(tour.registry.token);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Unstored' }).waitFor();
  await page.getByLabel('Authorization server').fill('https://issuer.unstored.example');
  await page.getByText('new URL("https://issuer.unstored.example")').first().waitFor();
  await page.getByRole('link', { name: 'Clients', exact: true }).first().click();
  await page.getByRole('link', { name: 'Unstored' }).waitFor();
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await token.waitFor();
  await page.close();
});
