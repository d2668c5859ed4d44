import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';
import { newGate } from './support/gate.js';

const tour = startTour();

const rotate = async (id: string) => {
  await tour.open(`/clients/${id}`);
  await tour.page.getByRole('button', { name: 'More actions' }).click();
  await tour.page.getByRole('menuitem', { name: 'Rotate secret' }).click();
  return tour.page.getByRole('dialog');
};
const isValid = async (id: string, secret: unknown) =>
  (await tour.registry.ask('POST', `/client/${id}/check/secret`, { client_secret: secret }))['valid'];
const register = async (client_name: string) => {
  const redirect_uris = ['https://shop.example/cb'];
  const { client_id: id, client_secret: secret } = await tour.registry.ask<{
    client_id: string;
    client_secret: string;
  }>('POST', '/client', { client_name, redirect_uris, token_endpoint_auth_method: 'client_secret_basic' });
  return { id, secret };
};

test('a secret being rotated cannot be lost by leaving', async () => {
  const { id } = await register('Rotated');
  await tour.open('/clients');
  await tour.page.getByRole('link', { name: 'Rotated' }).click();
  await tour.page.getByRole('button', { name: 'More actions' }).click();
  await tour.page.getByRole('menuitem', { name: 'Rotate secret' }).click();
  const dialog = tour.page.getByRole('dialog');
  await dialog.getByLabel('Revoke it immediately').check();
  await dialog.getByLabel('The new secret expires').selectOption('After 90 days');
  const answer = newGate();
  await tour.page.route('**/reset_secret', async (route) => {
    await answer.opened;
    await route.continue();
  });
  await dialog.getByRole('button', { name: 'Rotate secret' }).focus();
  // A key press right after the click, before anything renders.
  await tour.page.evaluate(`{
    const button = document.activeElement;
    button.click();
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  }`);
  await tour.page.keyboard.press('Escape');
  await tour.page.mouse.click(5, 5);
  expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  await tour.page.evaluate('history.back()');
  await tour.page.getByRole('dialog', { name: 'Leave without the secret?' }).waitFor();
  await tour.page.getByRole('button', { name: 'Stay' }).click();
  answer.open();
  const secret = (await dialog.getByRole('status', { name: 'Client secret' }).textContent()) ?? '';
  const check = await tour.registry.ask('POST', `/client/${id}/check/secret`, { client_secret: secret });
  expect(check['valid']).toBe(true);
  const days = (Number(check['client_secret_expires_at']) - Date.now() / 1000) / 86_400;
  expect(Math.round(days)).toBe(90);
  // The palette does not open above the secret.
  await tour.page.keyboard.press('Control+k');
  expect(await tour.page.getByRole('combobox', { name: /Search for a page/ }).count()).toBe(0);
});

test('a double click, and retrying after a lost response, rotate the secret once', async () => {
  const { id, secret: first } = await register('Rotated once');
  const dialog = await rotate(id);
  const button = dialog.getByRole('button', { name: 'Rotate secret' });
  let requests = 0;
  await tour.page.route('**/reset_secret', async (route) => {
    requests += 1;
    await route.fetch();
    await route.abort();
  });
  await button.evaluate((element: { click(): void }) => {
    element.click();
    element.click();
  });
  await dialog.getByText("Can't reach the registry.").waitFor();
  expect(requests).toBe(1);
  await tour.page.unroute('**/reset_secret');
  await button.click();
  const missed = dialog.getByRole('alert').filter({ hasText: 'The first attempt rotated the secret' });
  await missed.and(tour.page.locator(':focus')).waitFor();
  // Another rotation would end the one that the application has.
  await dialog.getByText('rotating revokes the older one immediately').waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  expect(await isValid(id, first)).toBe(true);
  await button.click();
  const secret = await dialog.getByRole('status', { name: 'Client secret' }).textContent();
  expect(await isValid(id, secret)).toBe(true);
});

test('after a lost response, a rotation with other choices does not revoke the secret in use unasked', async () => {
  const { id, secret: first } = await register('Rotated otherwise');
  const dialog = await rotate(id);
  const button = dialog.getByRole('button', { name: 'Rotate secret' });
  const current = newGate();
  await tour.page.route(`**/client/${id}`, async (route) => {
    await current.opened;
    await route.continue();
  });
  await tour.page.route('**/reset_secret', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await button.click();
  await dialog.getByText("Can't reach the registry.").waitFor();
  await tour.page.unroute('**/reset_secret');
  await dialog.getByLabel('7 days').check();
  await button.click();
  await dialog.getByText('changed in the meantime').waitFor();
  expect(await isValid(id, first)).toBe(true);
  current.open();
  await dialog.getByText('rotating revokes the older one immediately').waitFor();
  await button.click();
  const secret = await dialog.getByRole('status', { name: 'Client secret' }).textContent();
  expect(await isValid(id, secret)).toBe(true);
});

test('rotating does not warn about an older secret that has expired meanwhile', async () => {
  const { id } = await register('Expired meanwhile');
  await tour.registry.ask('POST', `/client/${id}/reset_secret`, { overlap: '1 h' });
  await tour.page.clock.install();
  const dialog = await rotate(id);
  const warning = dialog.getByText('rotating revokes the older one immediately');
  await warning.waitFor();
  await tour.page.clock.fastForward('01:00:01');
  await warning.waitFor({ state: 'hidden' });
});

test('if the secret was rotated meanwhile, the dialog says so, and that it can be rotated nevertheless', async () => {
  const { id } = await register('Rotated by two');
  await tour.open(`/clients/${id}`);
  await tour.page.getByRole('button', { name: 'More actions' }).click();
  await tour.page.getByRole('menuitem', { name: 'Rotate secret' }).click();
  const dialog = tour.page.getByRole('dialog');
  await tour.registry.ask('POST', `/client/${id}/reset_secret`, { overlap: '1 h' });
  const button = dialog.getByRole('button', { name: 'Rotate secret' });
  await button.click();
  const notice = dialog.getByRole('alert').filter({ hasText: 'The secret was rotated in the meantime' });
  await notice.and(tour.page.locator(':focus')).waitFor();
  expect(await dialog.getByText('Something went wrong').count()).toBe(0);
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await button.click();
  await dialog.getByRole('status', { name: 'Client secret' }).waitFor();
});
