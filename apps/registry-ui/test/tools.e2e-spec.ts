import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';
import { eventually } from '@svc/test-servers';
import { newGate } from './support/gate.js';

const tour = startTour();

test('a redirect URI is tested as it is typed, by each method, against a client found by name', async () => {
  await tour.registry.register({ client_name: 'Tested', redirect_uris: ['https://tested.example/cb'] });
  await tour.open('/redirects');
  await tour.page.getByRole('textbox', { name: 'Test against a client' }).fill('teste');
  await tour.page.getByRole('option', { name: /Tested/ }).waitFor();
  await tour.page.keyboard.press('Enter');
  const requested = tour.page.getByLabel('Requested redirect URI');
  await requested.fill('https://tested.example/cb');
  await tour.page.getByText('Accepted', { exact: true }).waitFor();
  await requested.fill('https://tested.example/cb/more');
  await tour.page.getByText('Rejected', { exact: true }).waitFor();
  await tour.page.getByText('The request differs at character 26:').waitFor();
  expect(await tour.page.getByText('Accepts', { exact: true }).count()).toBe(2);
  expect(await accessibilityViolations(tour.page)).toEqual([]);
});

test('Enter before the response picks its first result, and a custom list survives a reload', async () => {
  await tour.registry.register({ client_name: 'Picked at once' });
  await tour.open('/redirects');
  await tour.page.getByRole('textbox', { name: 'Registered redirect URIs' }).fill('https://own.example/cb');
  await tour.page.reload();
  await tour.page.getByText('1 registered URI').waitFor();
  const picker = tour.page.getByRole('textbox', { name: 'Test against a client' });
  await picker.pressSequentially('picked at');
  await tour.page.keyboard.press('Enter');
  await tour.page.getByRole('link', { name: 'Picked at once' }).waitFor();
  expect(await picker.inputValue()).toBe('');
  await tour.page.getByRole('button', { name: 'Use your own list instead' }).click();
  await tour.page.getByText('https://own.example/cb', { exact: true }).first().waitFor();
});

test('once no hostname lacks an entry point, all are listed again', async () => {
  const cookies = { cookie_webhook_uri: 'https://hook.example/' };
  const of = (hostname: string) => ({ ...cookies, redirect_uris: [`https://${hostname}/cb`] });
  await tour.registry.register({
    ...of('complete.example'),
    cookie_entry_uri: 'https://complete.example/in',
  });
  const id = await tour.registry.register(of('late.example'));
  const page = await tour.browser.newPage(tour.registry.token);
  await page.clock.install();
  await page.goto(`${tour.registry.url}/ui/cookies`);
  await page.getByText('Missing (1)').click();
  await page.getByText('complete.example').waitFor({ state: 'detached' });
  await tour.registry.ask('DELETE', `/client/${id}`);
  await page.clock.fastForward(20_000);
  await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
  await page.getByText('Every hostname has an entry point').waitFor();
  await page.getByText('complete.example', { exact: true }).waitFor();
  await page.close();
});

test('hostnames without a cookie entry point are listed with their clients', async () => {
  const id = await tour.registry.register({
    client_name: 'Without entry',
    redirect_uris: ['https://lacking.example/cb'],
    cookie_webhook_uri: 'https://hook.example/',
  });
  await tour.open('/cookies');
  await tour.page.getByText('1 hostname has no entry point').waitFor();
  await tour.page
    .getByRole('row', { name: /lacking\.example/ })
    .getByRole('button')
    .click();
  await tour.page.getByRole('link', { name: id }).click();
  await tour.page.getByRole('heading', { level: 1, name: 'Without entry' }).waitFor();
});

test('a token is created, shown once, and revoked', async () => {
  await tour.open('/tokens');
  await tour.page.getByRole('button', { name: 'Create token' }).click();
  const dialog = tour.page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Night job');
  await dialog.getByLabel('clients:check').check();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  const answer = newGate();
  await tour.page.route('**/token', async (route) => {
    if (route.request().method() === 'POST') await answer.opened;
    await route.continue();
  });
  await dialog.getByRole('button', { name: 'Create token' }).click();
  // Only this response contains the value, so the dialog stays open.
  await tour.page.keyboard.press('Escape');
  expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  answer.open();
  const value = (await dialog.getByRole('status', { name: 'Token value' }).textContent()) ?? '';
  const status = async () =>
    (await fetch(`${tour.registry.url}/client`, { headers: { authorization: `Bearer ${value}` } })).status;
  expect(await status()).toBe(200);
  await dialog.getByRole('button', { name: 'Copy token' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await tour.page.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await tour.page.getByRole('button', { name: 'Revoke Night job' }).click();
  await tour.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await tour.page.getByText('Night job revoked').waitFor();
  // Valid tokens are cached briefly.
  await eventually(async () => expect(await status()).toBe(401));
});

test('changes made elsewhere appear live and link to the history', async () => {
  await tour.open('/changes');
  await tour.page.getByText('Live', { exact: true }).waitFor();
  const id = await tour.registry.register({ client_name: 'Made just now' });
  await tour.page.getByRole('link', { name: 'Made just now' }).waitFor();
  await tour.registry.ask('DELETE', `/client/${id}`);
  await tour.page
    .getByRole('listitem')
    .filter({ hasText: 'Deleted' })
    .getByRole('link', { name: id })
    .click();
  await tour.page.getByText('Made just now was deleted').waitFor();
  await tour.page.getByRole('list', { name: 'History' }).getByText('Registered').waitFor();
});

test('a change feed refused by a busy registry reopens after Retry-After, not before', async () => {
  const opened: number[] = [];
  await tour.page.route('**/clients/changes?*', async (route) => {
    const isStream = route.request().headers()['accept'] === 'text/event-stream';
    if (isStream) opened.push(Date.now());
    if (!isStream || opened.length > 1) return route.continue();
    await route.fulfill({ status: 503, headers: { 'retry-after': '3' }, json: { detail: 'Too many.' } });
  });
  await tour.open('/changes');
  await tour.page.getByText('Reconnecting', { exact: true }).waitFor();
  await tour.page.getByText('Live', { exact: true }).waitFor();
  expect((opened[1] ?? 0) - (opened[0] ?? 0)).toBeGreaterThanOrEqual(3_000);
});

test('changes that cannot be read at first are reported and can be retried', async () => {
  const { page } = tour;
  await page.route('**/clients/changes?newest=*', async (route) =>
    route.fulfill({ status: 400, json: { status: 400, detail: 'Not now.' } }),
  );
  await tour.open('/changes');
  await page.getByText('Not now.').waitFor();
  expect(await page.getByText('Connecting').count()).toBe(0);
  await page.unroute('**/clients/changes?newest=*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
});

const jumpTo = async (words: string) => {
  await tour.open('/features');
  await tour.page.getByRole('heading', { level: 1 }).waitFor();
  await tour.page.keyboard.press('Control+k');
  await tour.page.getByRole('combobox', { name: /Search for a page/ }).fill(words);
};

test('the command palette finds a client, and Enter opens the first result', async () => {
  await tour.registry.register({ client_name: 'Far away' });
  await jumpTo('far aw');
  await tour.page.getByRole('dialog').getByText('Far away').waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await tour.page.keyboard.press('Enter');
  await tour.page.getByRole('heading', { level: 1, name: 'Far away' }).waitFor();
});

test('Enter before the response opens its first result, not an earlier one', async () => {
  await tour.registry.register({ client_name: 'Quick one' });
  await tour.registry.register({ client_name: 'Quick two' });
  await jumpTo('quick ');
  const found = tour.page.getByRole('dialog').getByText(/^Quick (one|two)$/);
  await found.nth(1).waitFor();
  const second = (await found.nth(1).textContent()) ?? '';
  await tour.page.keyboard.type(second.replace('Quick ', ''));
  await tour.page.keyboard.press('Enter');
  await tour.page.getByRole('heading', { level: 1, name: second }).waitFor();
});

test('Enter in the palette opens the client that was searched for; only an arrow key chooses to change the open one', async () => {
  const open = await tour.registry.register({ client_name: 'In production' });
  await tour.registry.register({ client_name: 'Disbursements' });
  await tour.open(`/clients/${open}`);
  await tour.page.getByRole('heading', { level: 1, name: 'In production' }).waitFor();
  const type = async (words: string) => {
    await tour.page.keyboard.press('Control+k');
    await tour.page.getByRole('combobox', { name: /Search for a page/ }).fill(words);
  };
  const option = (name: string) => tour.page.getByRole('option', { name, exact: true });
  // No client has this name.
  await type('disable');
  await tour.page.keyboard.press('Enter');
  await option('Disable').waitFor();
  expect(await option('Disable').getAttribute('aria-selected')).toBe('false');
  await tour.page.keyboard.press('Escape');
  await type('dis');
  await tour.page.keyboard.press('Enter');
  await tour.page.getByRole('heading', { level: 1, name: 'Disbursements' }).waitFor();
  expect(await tour.registry.ask('GET', `/client/${open}`)).toMatchObject({ enabled: true });
  await type('sign out');
  await tour.page.keyboard.press('ArrowDown');
  await tour.page.keyboard.press('Enter');
  await tour.page.getByRole('heading', { name: 'Sign in' }).waitFor();
});
