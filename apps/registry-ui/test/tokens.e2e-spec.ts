import { askForJson } from '@svc/test-servers';
import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';

const tour = startTour();

const SCOPES = ['clients:read', 'tokens:write'];

const make = async (name: string, token: string) => {
  const body = { name, scopes: SCOPES };
  return askForJson<{ token: string }>(`${tour.registry.url}/token`, { method: 'POST', token, body });
};
/** Creates a token of that name, a child and a grandchild. */
const makeFamily = async (name: string) => {
  const parent = await make(name, tour.registry.token);
  const child = await make(`${name}, child`, parent.token);
  await make(`${name}, grandchild`, child.token);
};
const living = async () => {
  const { tokens } = await tour.registry.ask<{ tokens: { name: string }[] }>('GET', '/token');
  return tokens.map(({ name }) => name);
};
const dialog = (name: string) => tour.page.getByRole('dialog', { name: `Revoke ${name}?` });
const revoke = (name: string) => dialog(name).getByRole('button', { name: 'Revoke', exact: true });
const open = async (name: string) => {
  await tour.open('/tokens');
  await tour.page.getByRole('button', { name: `Revoke ${name}`, exact: true }).press('Enter');
  await dialog(name).getByText('2 active tokens were created with it').waitFor();
};

test('revoking a token lists its descendants and can revoke them too', async () => {
  await makeFamily('Leaked');
  await open('Leaked');
  const names = dialog('Leaked').getByRole('list', { name: 'Tokens created with it' }).getByRole('listitem');
  expect((await names.allTextContents()).toSorted()).toEqual(['Leaked, child', 'Leaked, grandchild']);
  // Neither option is a safe default.
  expect(await dialog('Leaked').getByRole('radio', { checked: true }).count()).toBe(0);
  expect(await revoke('Leaked').isDisabled()).toBe(true);
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await dialog('Leaked').getByLabel('Revoke all 2 of them too').check();
  await revoke('Leaked').press('Enter');
  await tour.page.getByText('Leaked and 2 other tokens revoked').waitFor();
  expect(await living()).toEqual(['bootstrap']);
  // The button that was pressed is gone with its row.
  await tour.page.locator('h1:focus').waitFor();
});

test('revoking only a token keeps its descendants', async () => {
  await makeFamily('Retired');
  await open('Retired');
  await dialog('Retired').getByLabel('Revoke only this token').check();
  await revoke('Retired').click();
  await tour.page.getByText('Retired revoked').waitFor();
  expect((await living()).toSorted()).toEqual(['Retired, child', 'Retired, grandchild', 'bootstrap']);
});

test('a token is revoked without a choice if it has no descendants or they cannot be listed', async () => {
  await make('Single', tour.registry.token);
  await make('In a hurry', tour.registry.token);
  await tour.open('/tokens');
  await tour.page.getByRole('button', { name: 'Revoke Single' }).click();
  await revoke('Single').click();
  await tour.page.getByText('Single revoked').waitFor();
  await tour.page.route(/\/token\/[^/]+$/, async (route) => {
    if (route.request().method() !== 'GET' || route.request().url().endsWith('/self'))
      return route.continue();
    await route.fulfill({ status: 500, json: { detail: 'The database is being repaired.' } });
  });
  await tour.page.getByRole('button', { name: 'Revoke In a hurry' }).click();
  await dialog('In a hurry').getByText('The database is being repaired.').waitFor();
  await revoke('In a hurry').click();
  await tour.page.getByText('In a hurry revoked').waitFor();
  expect(await living()).not.toContain('In a hurry');
});
