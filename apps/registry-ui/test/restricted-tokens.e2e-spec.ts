import { accessibilityViolations, expectAccessible } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';

const tour = startTour();

test('a token is restricted to labels, networks and a number of requests', async () => {
  await tour.open('/tokens');
  await tour.page.getByRole('button', { name: 'Create token' }).click();
  const dialog = tour.page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Shop team');
  await dialog.getByText('Restrictions (optional)').click();
  const create = dialog.getByRole('button', { name: 'Create token' });
  await dialog.getByRole('textbox', { name: 'Labels' }).fill('team:shop\nteam:pay');
  // It must not be taken for an unlimited number.
  await dialog.getByRole('textbox', { name: 'Maximum requests' }).fill('ten');
  await dialog.getByText('Enter a whole number.').waitFor();
  expect(await create.isDisabled()).toBe(true);
  await dialog.getByRole('textbox', { name: 'Maximum requests' }).fill('10');
  // The registry's violations are shown at their inputs.
  await dialog.getByRole('textbox', { name: 'Networks' }).fill('somewhere');
  await create.click();
  await dialog.getByText(/addresses and CIDR blocks such as/).waitFor();
  await dialog.getByRole('textbox', { name: 'Networks' }).fill('127.0.0.0/8\n::1');
  expect(await dialog.getByRole('textbox', { name: 'Maximum registrations' }).count()).toBe(0);
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await create.click();
  const value = await dialog.getByRole('status', { name: 'Token value' }).textContent();
  await dialog.getByRole('button', { name: 'Copy token' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();

  const self = await fetch(`${tour.registry.url}/token/self`, {
    headers: { authorization: `Bearer ${value ?? ''}` },
  });
  expect(await self.json()).toMatchObject({
    name: 'Shop team',
    selector: { team: ['shop', 'pay'] },
    networks: ['127.0.0.0/8', '::1'],
  });
  const row = tour.page.getByRole('row', { name: /^Shop team/ });
  for (const shown of ['team=shop|pay', 'from 127.0.0.0/8, ::1', /\d of 10 requests used/]) {
    await row.getByText(shown).waitFor();
  }
  await expectAccessible(tour.page);
});

test('registrations are restricted with the scope that registers clients', async () => {
  await tour.open('/tokens');
  await tour.page.getByRole('button', { name: 'Create token' }).click();
  const dialog = tour.page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Portal');
  await dialog.getByRole('checkbox', { name: 'clients:register' }).check();
  await dialog.getByText('Restrictions (optional)').click();
  await dialog.getByRole('textbox', { name: 'Maximum registrations' }).fill('5');
  await dialog.getByRole('textbox', { name: 'Registrations per day' }).fill('1');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByRole('button', { name: 'Copy token' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const row = tour.page.getByRole('row', { name: /^Portal/ });
  for (const shown of ['Up to 5 registrations', '1 registration per day'])
    await row.getByText(shown).waitFor();
});

/** A tab signed in with a token of these scopes, which `end` revokes. */
const openWith = async (path: string, ...scopes: readonly string[]) => {
  const { id, token } = await tour.registry.ask<{ id: string; token: string }>('POST', '/token', {
    name: 'Former',
    scopes,
  });
  const page = await tour.browser.newPage(token);
  await page.goto(`${tour.registry.url}/ui${path}`);
  const signInAgain = async (restrictions: Readonly<Record<string, unknown>>) => {
    const { token: next } = await tour.registry.ask<{ token: string }>('POST', '/token', {
      ...{ name: 'Next', scopes },
      ...restrictions,
    });
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await page.getByLabel('API token', { exact: true }).fill(next);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  return { page, signInAgain, end: async () => tour.registry.ask('DELETE', `/token/${id}`) };
};

test('after signing in again with a token for one client, what is typed on its page stays and can be saved', async () => {
  const own = await tour.registry.register({ client_name: 'Reached' });
  const { page, end, signInAgain } = await openWith(`/clients/${own}`, 'clients:read', 'clients:write');
  await page.getByRole('button', { name: 'Edit Identity' }).click();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Half done');
  await end();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await signInAgain({ client_id: own });
  expect(await name.inputValue()).toBe('Half done');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Half done saved').waitFor();
  const ofToken = asked.filter((path) => ['/client/features', '/token/self'].includes(path));
  expect(ofToken.sort()).toEqual(['/client/features', '/token/self']);
  await page.close();
});

test('what the former token was refused is read again after signing in', async () => {
  const id = await tour.registry.register({ client_name: 'Refused before' });
  const { page, end, signInAgain } = await openWith(
    `/clients/${id}?tab=history`,
    'clients:read',
    'clients:write',
  );
  const history = `**/client/${id}/history?*`;
  await page.route(history, async (route) =>
    route.fulfill({ status: 403, json: { detail: 'Not for you.' } }),
  );
  await page.reload();
  await page.getByText('Not for you.').waitFor();
  await page.unroute(history);
  await end();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await signInAgain({});
  await page.getByText('Not for you.').waitFor({ state: 'detached' });
  await page.close();
});

test('while changes are followed, signing in again with a token for one client shows only the changes of that one', async () => {
  const own = await tour.registry.register({ client_name: 'Followed' });
  const { page, end, signInAgain } = await openWith('/changes', 'clients:read');
  const link = (name: string) => page.getByRole('link', { name, exact: true }).first();
  await page.getByText('Live', { exact: true }).waitFor();
  await tour.registry.register({ client_name: 'Followed no more' });
  await link('Followed no more').waitFor();
  await end();
  await signInAgain({ client_id: own });
  await link('Followed no more').waitFor({ state: 'detached' });
  await tour.registry.ask('PATCH', `/client/${own}`, { description: 'Changed since' });
  await page.getByText('Live', { exact: true }).waitFor();
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Updated' })
    .getByRole('link', { name: 'Followed' })
    .first()
    .waitFor();
  await page.close();
});

test('while changes are followed, signing in again with a token that must not read them shows none', async () => {
  const { page, end, signInAgain } = await openWith('/changes', 'clients:read');
  await tour.registry.register({ client_name: 'Read before' });
  const link = page.getByRole('link', { name: 'Read before', exact: true }).first();
  await link.waitFor();
  await end();
  await page.route('**/clients/changes?newest=*', async (route) =>
    route.fulfill({ status: 403, json: { detail: 'Not for you.' } }),
  );
  await signInAgain({});
  await page.getByText('Not for you.').waitFor();
  expect(await link.count()).toBe(0);
  await page.close();
});

test('while clients are listed, signing in again with a token for one client lists only that one', async () => {
  const own = await tour.registry.register({ client_name: 'Still reached' });
  await tour.registry.register({ client_name: 'Beyond reach' });
  const { page, end, signInAgain } = await openWith('/clients', 'clients:read');
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  await link('Beyond reach').waitFor();
  await end();
  await page.getByRole('combobox', { name: 'Search clients' }).fill('still');
  await signInAgain({ client_id: own });
  await link('Still reached').waitFor();
  await page.getByRole('combobox', { name: 'Search clients' }).fill('');
  await page.waitForURL((url) => url.search === '');
  await page.locator('table[aria-busy=false]').waitFor();
  await link('Beyond reach').waitFor({ state: 'detached' });
  await page.close();
});

test('after signing in again with a read-only token, an open form and a merge say why they cannot be saved', async () => {
  const id = await tour.registry.register({ client_name: 'Only read' });
  const { page, end, signInAgain } = await openWith(`/clients/${id}`, 'clients:read', 'clients:write');
  const lacks = page.getByText('Your token lacks the clients:write scope').filter({ visible: true });
  await page.getByRole('button', { name: 'Edit Identity' }).click();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Mine');
  await tour.registry.ask('PATCH', `/client/${id}`, { client_name: 'Theirs' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const saveMerged = page.getByRole('button', { name: 'Save merged client' });
  await page.getByRole('radiogroup', { name: 'Name' }).getByRole('radio', { name: 'Mine' }).click();
  await end();
  await saveMerged.click();
  await signInAgain({ scopes: ['clients:read'] });
  await lacks.waitFor();
  expect(await saveMerged.isDisabled()).toBe(true);
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Back to my form' }).click();
  await lacks.waitFor();
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  expect(await name.inputValue()).toBe('Mine');
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.close();
});
