import { readFile } from 'node:fs/promises';
import { accessibilityViolations } from './support/accessibility.js';
import { eventually } from '@svc/test-servers';
import { startTour } from './support/console-tour.js';

const tour = startTour();

const select = (name: string) =>
  tour.page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).click();
const selected = () => tour.page.getByRole('region', { name: 'Selected clients' });
const link = (name: string) => tour.page.getByRole('link', { name, exact: true });
const stateOf = async (id: string) => (await tour.registry.ask('GET', `/client/${id}`))['enabled'];

beforeAll(async () => {
  for (const name of ['Alpha', 'Beta', 'Gamma', 'Delta']) {
    await tour.registry.register({
      client_name: name,
      preferred_client_id: name.toLowerCase(),
      code_challenge_method: name === 'Gamma' ? 'none' : 'S256',
    });
  }
});

test('typing searches after a pause, and the URL contains the search', async () => {
  const asked: string[] = [];
  tour.page.on('request', (request) => {
    if (/\/client\?/.test(request.url())) asked.push(request.url());
  });
  await tour.open('/clients');
  await link('Alpha').waitFor();
  await tour.page.keyboard.press('/');
  await tour.page.locator('[role=combobox]:focus').waitFor();
  // By the page itself, so that there is no pause between two letters.
  await tour.page.evaluate(`for (const letter of 'gamm') document.execCommand('insertText', false, letter)`);
  await link('Alpha').waitFor({ state: 'hidden' });
  await link('Gamma').waitFor();
  expect(asked).toHaveLength(2);
  await tour.page.waitForURL('**/clients?q=gamm');
  await tour.page.reload();
  await link('Gamma').waitFor();
  expect(await link('Alpha').count()).toBe(0);
});

test('a space between words survives a pause, and a click right after typing is followed', async () => {
  await tour.registry.register({
    client_name: 'Gift portal',
    preferred_client_id: 'gift-portal',
    code_challenge_method: 'S256',
  });
  await tour.open('/clients');
  const box = tour.page.getByRole('combobox', { name: 'Search clients' });
  await box.fill('gift ');
  await tour.page.waitForURL('**/clients?q=gift');
  await tour.page.waitForTimeout(300);
  await box.pressSequentially('portal');
  await tour.page.waitForURL('**/clients?q=gift+portal');
  await link('Gift portal').waitFor();
  expect(await box.inputValue()).toBe('gift portal');
  // The pending input would navigate back to the list.
  await box.press('Backspace');
  await link('Gift portal').click();
  await tour.page.waitForURL('**/clients/gift-portal');
  await tour.page.waitForTimeout(500);
  expect(new URL(tour.page.url()).pathname).toBe('/ui/clients/gift-portal');
});

test('a date applies once it is complete and starts at local midnight', async () => {
  const session = await tour.page.context().newCDPSession(tour.page);
  await session.send('Emulation.setTimezoneOverride', { timezoneId: 'Pacific/Auckland' });
  const searches: string[] = [];
  tour.page.on('framenavigated', (frame) => searches.push(new URL(frame.url()).search));
  await tour.open('/clients');
  await tour.page.getByRole('button', { name: 'Filter' }).click();
  const date = tour.page.getByLabel('Registered since');
  await date.focus();
  // The same in month-first and day-first locales.
  await tour.page.keyboard.type('11112026', { delay: 60 });
  expect(await date.inputValue()).toBe('2026-11-11');
  await tour.page.keyboard.press('Enter');
  // UTC+13 in November.
  await tour.page.waitForURL('**/clients?created_since=2026-11-10T11%3A00%3A00Z');
  expect(new Set(searches)).toEqual(new Set(['', '?created_since=2026-11-10T11%3A00%3A00Z']));
  await tour.page.keyboard.press('Escape');
  await tour.page.getByRole('list', { name: 'Active filters' }).getByText('Nov 11, 2026').waitFor();
});

test('filters and order are in the URL, and Back undoes them', async () => {
  await tour.open('/clients');
  await tour.page.getByRole('button', { name: 'Filter' }).click();
  await tour.page.getByLabel('Type of warning').selectOption({ label: 'Public client without S256' });
  await link('Alpha').waitFor({ state: 'hidden' });
  await tour.page.getByText('1 client', { exact: true }).waitFor();
  await tour.page.keyboard.press('Escape');
  await tour.page.goBack();
  await link('Alpha').waitFor();
  await tour.page.getByRole('button', { name: 'Name', exact: true }).click();
  await tour.page.waitForURL('**/clients?sort=client_name');
  await eventually(async () => {
    const names = await tour.page.locator('tbody tr[data-index] a').allTextContents();
    expect(names).toEqual(names.toSorted());
  });
});

test('a busy registry is retried after Retry-After, unless the wait is long', async () => {
  const asked: number[] = [];
  let retryAfter = '2';
  await tour.page.route('**/client?*', async (route) => {
    asked.push(Date.now());
    const busy = asked.length === 1 || retryAfter !== '2';
    if (!busy) return route.continue();
    await route.fulfill({
      status: 429,
      headers: { 'retry-after': retryAfter },
      json: { detail: 'Too many.' },
    });
  });
  await tour.open('/clients');
  await link('Alpha').waitFor();
  expect(asked).toHaveLength(2);
  expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThanOrEqual(2_000);
  retryAfter = '60';
  await tour.page.reload();
  await tour.page.getByRole('alert').getByText('Too many.').waitFor();
  // Returning to the window does not refetch before Retry-After.
  await tour.page.evaluate('dispatchEvent(new Event("visibilitychange"))');
  await tour.page.waitForTimeout(1_000);
  expect(asked).toHaveLength(3);
});

test('a search without results offers a way out', async () => {
  await tour.open('/clients?q=zz');
  await tour.page.getByText('No matching clients').waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await tour.page.getByRole('button', { name: 'Show all clients' }).click();
  await link('Alpha').waitFor();
});

test('chosen columns survive a reload', async () => {
  await tour.open('/clients');
  await tour.page.getByRole('button', { name: 'Columns' }).click();
  await tour.page.getByRole('checkbox', { name: 'PKCE method' }).check();
  await tour.page.getByRole('columnheader', { name: 'PKCE method' }).waitFor();
  await tour.page.reload();
  await tour.page.getByRole('columnheader', { name: 'PKCE method' }).waitFor();
});

test('several clients are disabled together, and enabled again by Undo', async () => {
  await tour.open('/clients');
  await select('Alpha');
  await select('Beta');
  await selected().getByText('2 selected').waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await selected().getByRole('button', { name: 'Disable' }).click();
  await tour.page.getByText('2 clients disabled').waitFor();
  expect([await stateOf('alpha'), await stateOf('beta')]).toEqual([false, false]);
  await select('Gamma');
  await tour.page.getByRole('button', { name: 'Undo' }).click();
  await tour.page.getByText('2 clients enabled').waitFor();
  // The new selection stays.
  await selected().getByText('1 selected').waitFor();
  expect([await stateOf('alpha'), await stateOf('beta')]).toEqual([true, true]);
});

test('an action whose progress cannot be read at first is reported as usual, and as unknown if it never can', async () => {
  await tour.open('/clients');
  const failures = { left: 1 };
  await tour.page.route('**/clients/jobs/*', async (route) => {
    failures.left -= 1;
    if (failures.left < 0) return route.continue();
    await route.fulfill({ status: 503, json: { detail: 'The server is restarting.' } });
  });
  await select('Alpha');
  await selected().getByRole('button', { name: 'Disable' }).click();
  await tour.page.getByText('1 client disabled').waitFor();
  failures.left = Infinity;
  await select('Beta');
  await selected().getByRole('button', { name: 'Disable' }).click();
  await tour.page.getByText("its result couldn't be loaded").waitFor();
  await eventually(async () => expect(await stateOf('beta')).toBe(false));
  // The list shows what happened nevertheless.
  await tour.page
    .getByRole('row', { name: /^Select Beta/ })
    .getByText('Disabled')
    .waitFor();
  for (const id of ['alpha', 'beta']) await tour.registry.ask('POST', `/client/${id}/enable`);
});

test('selected clients can be exported', async () => {
  await tour.open('/clients');
  await select('Alpha');
  await selected().getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    tour.page.waitForEvent('download'),
    tour.page.getByRole('menuitem', { name: 'NDJSON' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { client_id: string }).client_id)).toEqual(['alpha']);
});

test('several clients are deleted after their number is typed', async () => {
  await tour.registry.register({ client_name: 'Doomed one' });
  await tour.registry.register({ client_name: 'Doomed two' });
  await tour.open('/clients?q=doomed');
  await tour.page.getByRole('checkbox', { name: 'Select all loaded clients' }).click();
  await selected().getByRole('button', { name: 'Delete' }).click();
  const dialog = tour.page.getByRole('dialog', { name: 'Delete 2 clients?' });
  expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
  await dialog.getByLabel('To confirm, type the number').fill('2');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await tour.page.getByText('2 clients deleted').waitFor();
  await tour.page.getByText('No matching clients').waitFor();
});

test('a client is disabled, enabled by Undo, and its history lists both', async () => {
  await tour.open('/clients/delta');
  await tour.page.getByRole('button', { name: 'More actions' }).click();
  await tour.page.getByRole('menuitem', { name: 'Disable' }).click();
  await tour.page.getByText('Delta disabled').waitFor();
  await tour.page.getByRole('button', { name: 'Undo' }).click();
  await tour.page.getByText('Delta enabled').waitFor();
  expect(await stateOf('delta')).toBe(true);
  await tour.registry.ask('PATCH', '/client/delta', { client_uri: 'https://delta.example/' });
  await tour.page.reload();
  await tour.page.getByRole('tab', { name: 'History' }).click();
  const entries = tour.page.getByRole('list', { name: 'History' });
  for (const kind of ['Updated', 'Enabled', 'Disabled', 'Registered']) {
    await entries.getByText(kind, { exact: true }).waitFor();
  }
  await entries.getByText('https://delta.example/').waitFor();
});

test('a rotated secret is shown once, and the previous one counts down', async () => {
  const id = await tour.registry.register({
    client_name: 'Rotated',
    token_endpoint_auth_method: 'client_secret_basic',
  });
  await tour.open(`/clients/${id}`);
  await tour.page.getByRole('button', { name: 'More actions' }).click();
  await tour.page.getByRole('menuitem', { name: 'Rotate secret' }).click();
  const dialog = tour.page.getByRole('dialog');
  await dialog.getByLabel('24 hours').waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Rotate secret' }).click();
  const secret = await dialog.getByRole('status', { name: 'Client secret' }).textContent();
  const check = await tour.registry.ask('POST', `/client/${id}/check/secret`, { client_secret: secret });
  expect(check['valid']).toBe(true);
  // The use is recorded a few seconds later.
  await eventually(async () => {
    const secrets = await tour.registry.ask('GET', `/client/${id}/secrets`);
    expect(JSON.stringify(secrets)).toContain('last_used_at');
  });
  await dialog.getByRole('button', { name: 'Copy secret' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await tour.page.getByText(/^Valid for 23 hr 59 min$/).waitFor();
  await tour.page.reload();
  const shown = (text: string) => tour.page.getByRole('listitem').filter({ hasText: text });
  await shown('Never used').filter({ hasText: 'Valid for' }).waitFor();
  await shown(`…${secret?.slice(-4)}`)
    .getByText(/^Last used .*(?:now|ago)/)
    .waitFor();

  // The overview counts both secrets: the expiring one, and the one used only by a check.
  await tour.open('/');
  await tour.page.getByRole('link', { name: '1 secret expires within 7 days' }).click();
  await tour.page.getByText('1 client', { exact: true }).waitFor();
  await link('Rotated').waitFor();
  await tour.page
    .getByRole('list', { name: 'Active filters' })
    .getByRole('listitem')
    .filter({ hasText: 'Secret expires:Within 7 days' })
    .waitFor();
});

// Last: the list is long after it.
test('all that match can be selected when more are loaded than can be selected one by one', async () => {
  const lines = Array.from({ length: 620 }, (_, index) =>
    JSON.stringify({
      client_id: `crowd-${index}`,
      client_name: `Crowd ${index}`,
      redirect_uris: [`https://crowd-${index}.example/cb`],
    }),
  );
  const { url, token } = tour.registry;
  const imported = await fetch(`${url}/clients/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  expect(imported.status).toBe(200);
  await tour.open('/clients?q=crowd');
  const grid = tour.page.getByRole('grid');
  await grid
    .getByRole('link', { name: /^Crowd/ })
    .first()
    .waitFor();
  // Until all are loaded.
  await eventually(async () => {
    await grid.hover();
    await tour.page.mouse.wheel(0, 100_000);
    expect(
      await tour.page.evaluate('document.querySelector("[role=grid]").getAttribute("aria-rowcount")'),
    ).toBe('621');
  });
  await tour.page.getByRole('checkbox', { name: 'Select all loaded clients' }).click();
  await selected().getByText('500 selected').waitFor();
  await selected().getByText('You can select up to 500').waitFor();
  await selected().getByRole('button', { name: 'Select all 620 that match' }).click();
  await selected().getByText('All 620 that match are selected').waitFor();
});
