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
