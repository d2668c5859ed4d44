import { setTimeout as sleep } from 'node:timers/promises';
import { askForJson } from '@svc/test-servers';
import type { Page } from 'playwright-core';
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

test('retrying after a lost response creates no second token, and the dialog says so', async () => {
  await tour.open('/tokens');
  const { page } = tour;
  await page.getByRole('button', { name: 'Create token' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Name' }).fill('Lost on the way');
  await page.route('**/token', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    return route.abort();
  });
  const create = form.getByRole('button', { name: 'Create token' });
  await create.click();
  await form.getByText("Can't reach the registry.").waitFor();
  await page.unroute('**/token');
  await create.click();
  const missed = form.getByRole('alert').filter({ hasText: 'The first attempt created the token' });
  await missed.and(page.locator(':focus')).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  const count = async () => (await living()).filter((name) => name === 'Lost on the way').length;
  expect(await count()).toBe(1);
  await create.click();
  await page.getByRole('dialog', { name: 'Lost on the way created' }).waitFor();
  expect(await count()).toBe(2);
});

test('a token whose response was lost can be revoked and created again', async () => {
  await tour.open('/tokens');
  const { page } = tour;
  const open = async () => {
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Never seen');
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
  };
  await page.route('**/token', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    return route.abort();
  });
  await open();
  await page.getByText("Can't reach the registry.").waitFor();
  await page.unroute('**/token');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Revoke Never seen' }).click();
  await revoke('Never seen').click();
  await page.getByText('Never seen revoked').waitFor();
  await open();
  await page.getByRole('dialog', { name: 'Never seen created' }).waitFor();
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

test('a read-only token sees disabled actions and the reason before filling in anything', async () => {
  const id = await tour.registry.register({
    client_name: 'Looked at',
    redirect_uris: ['https://looked.example/cb'],
    cookie_webhook_uri: 'https://hook.example/',
    token_endpoint_auth_method: 'client_secret_basic',
  });
  const { page, open } = await signInWith('clients:read');
  await open('/');
  await expectStill(page, 'Register client');
  await open(`/clients/${id}`);
  await expectStill(page, 'Edit Identity');
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Edit Identity' }).hover();
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

  await open('/register?template=blank');
  await page.getByText(LACKS_WRITE).waitFor();
  await expectStill(page, 'Register');
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

const tokenField = (page = tour.page) => page.getByLabel('API token', { exact: true });

test('signing in opens the requested URL, and only the tab remembers the token', async () => {
  const page = await tour.browser.newPage();
  await page.goto(`${tour.registry.url}/ui/clients`);
  await tokenField(page).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await tokenField(page).fill(` ${tour.registry.token}\n`);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor();

  const other = await tour.browser.newPage();
  await other.goto(`${tour.registry.url}/ui/clients`);
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  await Promise.all([page.close(), other.close()]);
});

test.each([
  ['', 'Enter a token.'],
  ['two words', "This isn't a valid token"],
  ['x'.repeat(40), 'The registry rejected this token.'],
])('the token %p is rejected with a reason', async (token, reason) => {
  const page = await tour.browser.newPage();
  await page.goto(`${tour.registry.url}/ui`);
  await tokenField(page).fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(reason).waitFor();
  await page.close();
});

test('signing out forgets the token', async () => {
  await tour.open('/clients');
  await tour.page.getByRole('button', { name: 'Account' }).click();
  await tour.page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await tour.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await tour.page.evaluate(`sessionStorage.getItem('registry-token')`)).toBeNull();
});

test('signing out asks before input is lost', async () => {
  await tour.open('/register?template=blank');
  await tour.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Unsaved');
  const signOut = async () => {
    await tour.page.getByRole('button', { name: 'Account' }).click();
    await tour.page.getByRole('button', { name: 'Sign out', exact: true }).click();
  };
  const dialog = tour.page.getByRole('dialog', { name: 'Leave without saving?' });
  await signOut();
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await tour.page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Unsaved');
  await signOut();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await tour.page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('a change feed stops with its session and resumes with the next', async () => {
  const { id, token } = await tour.registry.ask<{ id: string; token: string }>('POST', '/token', {
    name: 'Follower',
    scopes: ['clients:read'],
  });
  const page = await tour.browser.newPage(token);
  await page.goto(`${tour.registry.url}/ui/changes`);
  await page.getByText('Live', { exact: true }).waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await tour.registry.ask('DELETE', `/token/${id}`);
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.waitFor();
  // The palette does not open under the dialog.
  await page.keyboard.press('Control+k');
  await sleep(2_500);
  expect(await page.getByRole('combobox', { name: /Search for a page/ }).count()).toBe(0);
  expect(asked.filter((url) => url.includes('/clients/changes'))).toHaveLength(1);
  await tokenField(page).fill(tour.registry.token);
  await page.keyboard.press('Enter');
  await page.getByText('Live', { exact: true }).waitFor();
  await page.close();
});

test('an ended session asks for a token above the screen, which then continues', async () => {
  const id = await tour.registry.register({ client_name: 'Left open' });
  await tour.open('/clients');
  // The registry's response after a token is revoked.
  await tour.page.route('**/client/*', (route) =>
    route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"detail":"no"}' }),
  );
  await tour.page.getByRole('link', { name: 'Left open' }).click();
  await tour.page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await tour.page.unroute('**/client/*');
  await tokenField().fill(tour.registry.token);
  await tour.page.keyboard.press('Enter');
  await tour.page.getByRole('heading', { name: 'Left open' }).waitFor();
  await tour.page.getByRole('tab', { name: 'JSON' }).waitFor();
  expect(new URL(tour.page.url()).pathname).toBe(`/ui/clients/${id}`);
});

test('every response has its own nonce and a policy without inline code', async () => {
  const answers = await Promise.all([1, 2].map(() => fetch(`${tour.registry.url}/ui/clients`)));
  const nonces = answers.map(({ headers }) =>
    /'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? ''),
  );
  expect(nonces[0]?.[1]).not.toBe(nonces[1]?.[1]);
  expect(await answers[0]?.text()).toContain(`nonce="${nonces[0]?.[1]}"`);
  expect(answers[0]?.headers.get('content-security-policy')).not.toContain('unsafe');
  expect(answers[0]?.headers.get('cache-control')).toBe('no-store');
});
