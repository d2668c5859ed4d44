import { eventually } from '@svc/test-servers';
import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';
import { newGate } from './support/gate.js';

const tour = startTour();

const address = (clientId: string) => `/clients/${encodeURIComponent(clientId)}`;
const heading = (name: string) => tour.page.getByRole('heading', { level: 1, name, exact: true });

test('a client page shows settings, warnings and links to their sources', async () => {
  const id = await tour.registry.register({
    client_name: 'Wide open',
    redirect_uris: ['https://wide.example/app', 'https://wide.example/other'],
    redirect_uri_validation_method: 'prefix_match',
  });
  await tour.open(address(id));
  await heading('Wide open').waitFor();
  await tour.page.getByText('https://wide.example/other', { exact: true }).waitFor();
  const source = tour.page.getByRole('link', { name: 'RFC 9700 section 2.1', exact: true });
  expect(await source.getAttribute('href')).toBe('https://www.rfc-editor.org/rfc/rfc9700.html#section-2.1');
  expect(await source.getAttribute('rel')).toBe('noopener noreferrer');
  expect(await accessibilityViolations(tour.page)).toEqual([]);
});

test("a client's id can be copied, and its JSON and code have URLs", async () => {
  const id = await tour.registry.register({ client_name: 'Copied' });
  await tour.open(address(id));
  await tour.page.getByRole('button', { name: 'Copy Client ID' }).click();
  await eventually(async () => {
    expect(await tour.page.evaluate('navigator.clipboard.readText()')).toBe(id);
  });
  for (const [tab, content] of [
    ['JSON', `"client_id": "${id}"`],
    ['Quickstart', "import * as client from 'openid-client';"],
  ] as const) {
    await tour.page.getByRole('tab', { name: tab }).click();
    await tour.page.getByText(content).waitFor();
    expect(await accessibilityViolations(tour.page)).toEqual([]);
    await tour.page.reload();
    await tour.page.getByText(content).waitFor();
  }
});

test('in a narrow window, the tabs scroll to the selected one', async () => {
  const id = await tour.registry.register({ client_name: 'Narrow' });
  await tour.page.setViewportSize({ width: 375, height: 800 });
  await tour.open(`${address(id)}?tab=json`);
  const tab = tour.page.getByRole('tab', { name: 'JSON' });
  await tab.waitFor();
  const { x, width } = (await tab.boundingBox())!;
  expect(x + width).toBeLessThanOrEqual(375);
  expect(x).toBeGreaterThan(0);
});

const HOSTILE = {
  client_name: `<img src=x onerror=alert(1)><script>alert(2)</script> ${'W'.repeat(200)}`,
  preferred_client_id: `a/b%2Fc d?x#y&z="'<b>\\`,
  redirect_uris: [
    `https://long.example/${'p'.repeat(2020)}`,
    ...Array.from({ length: 99 }, (_, index) => `https://door-${index}.example/%D7%A9%D7%9C?a='${index}'`),
  ],
};

test('hostile data is shown as text and does not break the layout', async () => {
  const id = await tour.registry.register(HOSTILE);
  expect(id).toBe(HOSTILE.preferred_client_id);
  for (const width of [360, 1280]) {
    await tour.page.setViewportSize({ width, height: 800 });
    await tour.open('/clients');
    await tour.page.getByRole('link', { name: /^<img/ }).click();
    await heading(HOSTILE.client_name).waitFor();
    await tour.page.getByText("https://door-98.example/%D7%A9%D7%9C?a='98'", { exact: true }).waitFor();
    expect(await tour.page.locator('img, script:not([nonce])').count()).toBe(0);
    expect(await tour.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await tour.page.reload();
    await heading(HOSTILE.client_name).waitFor();
  }
  await tour.page.setViewportSize({ width: 1280, height: 800 });
});

test('a client id that looks like a console path works like any other', async () => {
  await tour.registry.register({ client_name: 'Called register', preferred_client_id: 'register' });
  await tour.open('/clients/register');
  await heading('Called register').waitFor();
});

test('an unknown client is reported, with a working back link', async () => {
  await tour.open('/clients/nobody');
  await tour.page.getByText('Not found', { exact: true }).waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await tour.page.getByRole('navigation', { name: 'Back' }).getByRole('link').click();
  await tour.page.getByRole('grid', { name: 'Clients' }).waitFor();
});

test('a client changed meanwhile is deleted only after the user has seen the change, and its name is typed as displayed', async () => {
  const id = await tour.registry.register({ client_name: 'Two  spaces' });
  await tour.open(address(id));
  await tour.page.getByRole('button', { name: 'More actions' }).click();
  await tour.page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = tour.page.getByRole('dialog', { name: 'Delete this client?' });
  const typed = dialog.getByLabel("To confirm, type the client's name");
  const doIt = dialog.getByRole('button', { name: 'Delete' });
  await typed.fill('Two spades');
  await dialog.getByText("The name doesn't match.").waitFor();
  await typed.fill('Two spaces');
  await tour.registry.ask('PATCH', `/client/${id}`, { redirect_uris: ['https://other.example/cb'] });
  await doIt.click();
  await dialog.getByText('This client has changed').waitFor();
  expect(await dialog.getByRole('listitem').allTextContents()).toEqual(['Redirect URIs']);
  expect(await doIt.isDisabled()).toBe(true);
  await tour.registry.ask('GET', `/client/${id}`);
  await typed.fill('Two spaces');
  await doIt.click();
  await tour.page.getByText('Two spaces deleted').waitFor();
  await expect(tour.registry.ask('GET', `/client/${id}`)).rejects.toThrow('404');
});

test('of many warnings of a kind, only the first is shown until expanded', async () => {
  const id = await tour.registry.register({
    client_name: 'Many prefixes',
    redirect_uris: Array.from({ length: 20 }, (_, index) => `https://p${index}.example/app`),
    redirect_uri_validation_method: 'prefix_match',
  });
  await tour.open(address(id));
  const others = tour.page.getByText('19 more of this kind');
  await others.waitFor();
  const last = tour.page.getByRole('note').getByText('https://p19.example/app');
  expect(await last.isVisible()).toBe(false);
  await others.click();
  await last.waitFor();
});

test('a client is deleted only after its name is typed, and the list omits it at once', async () => {
  const id = await tour.registry.register({ client_name: 'Doomed' });
  await tour.registry.register({ client_name: 'Neighbour' });
  await tour.open('/clients');
  await tour.page.getByRole('link', { name: 'Doomed' }).click();
  await tour.page.getByRole('button', { name: 'More actions' }).click();
  await tour.page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = tour.page.getByRole('dialog', { name: 'Delete this client?' });
  await dialog.waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await dialog.getByLabel("To confirm, type the client's name").fill('doomed');
  expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
  await dialog.getByLabel("To confirm, type the client's name").fill('Doomed');
  const list = newGate();
  await tour.page.route('**/client?*', async (route) => {
    await list.opened;
    await route.continue();
  });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await tour.page.getByText('Doomed deleted').waitFor();
  // Until the response arrives, the cached list is shown.
  await tour.page.getByRole('link', { name: 'Neighbour' }).waitFor();
  expect(await tour.page.getByRole('link', { name: 'Doomed' }).count()).toBe(0);
  list.open();
  await expect(tour.registry.ask('GET', `/client/${id}`)).rejects.toThrow('404');
});

test('a running deletion cannot be dismissed, its failure is shown, and a client already deleted by someone else counts as deleted', async () => {
  const id = await tour.registry.register({ client_name: 'Held' });
  await tour.open(address(id));
  await tour.page.getByRole('button', { name: 'More actions' }).click();
  await tour.page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = tour.page.getByRole('dialog', { name: 'Delete this client?' });
  await dialog.getByLabel("To confirm, type the client's name").fill('Held');
  const answer = newGate();
  await tour.page.route(`**/client/${id}`, async (route) => {
    await answer.opened;
    await route.fulfill({ status: 503, json: { detail: 'The database cannot be reached.' } });
  });
  // At once: the page may get both before it shows that the deletion runs.
  await dialog.getByRole('button', { name: 'Delete' }).evaluate((button) => {
    button.click();
    const { KeyboardEvent } = button.ownerDocument.defaultView!;
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  });
  const cancel = dialog.getByRole('button', { name: 'Cancel', disabled: true });
  await cancel.waitFor();
  await tour.page.keyboard.press('Escape');
  expect(await cancel.isVisible()).toBe(true);
  answer.open();
  await dialog.getByText('The database cannot be reached.').waitFor();
  await tour.page.unroute(`**/client/${id}`);
  await tour.registry.ask('DELETE', `/client/${id}`);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await tour.page.getByText('Held deleted').waitFor();
});

test('a client that someone else deletes is reported on its page, and what is being edited stays', async () => {
  const id = await tour.registry.register({ client_name: 'Deleted elsewhere' });
  await tour.page.clock.install();
  await tour.open(address(id));
  await tour.page.getByRole('button', { name: 'Edit Identity' }).click();
  const name = tour.page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Being edited');
  await tour.registry.ask('DELETE', `/client/${id}`);
  await tour.page.clock.fastForward(11_000);
  await tour.page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
  await tour.page.getByRole('status').getByText('Deleted elsewhere was deleted').waitFor();
  expect(await name.inputValue()).toBe('Being edited');
});

test('a client that cannot be refetched says so, and its page stays', async () => {
  const { page } = tour;
  const id = await tour.registry.register({ client_name: 'Perhaps outdated' });
  await tour.open(address(id));
  await page.getByRole('heading', { level: 1, name: 'Perhaps outdated' }).waitFor();
  await page.route(`**/client/${id}`, async (route) =>
    route.fulfill({ status: 500, json: { status: 500, detail: 'Broken.' } }),
  );
  await page.clock.fastForward(11_000);
  await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
  await page.getByRole('alert').getByText('Broken.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Perhaps outdated' }).waitFor();
  await page.unroute(`**/client/${id}`);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Broken.').waitFor({ state: 'detached' });
});

test('a client can be deleted, or not, while an export runs', async () => {
  const id = await tour.registry.register({ client_name: 'Kept' });
  await tour.open('/clients?q=kept');
  const exporting = newGate();
  await tour.page.route('**/clients/export*', async (route) => {
    await exporting.opened;
    await route.abort();
  });
  await tour.page.getByRole('button', { name: 'Export' }).click();
  await tour.page.getByRole('menuitem', { name: 'NDJSON' }).click();
  await tour.page.getByRole('link', { name: 'Kept', exact: true }).click();
  await tour.page.getByRole('button', { name: 'More actions' }).click();
  await tour.page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = tour.page.getByRole('dialog', { name: 'Delete this client?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  exporting.open();
  expect(await tour.registry.ask('GET', `/client/${id}`)).toMatchObject({ client_name: 'Kept' });
});

test('clients whose ids differ only in spaces at their ends have their own pages', async () => {
  const ids = ['spaced out', 'spaced out ', ' spaced out', '  '];
  const named = ids.map((id, index) => ({ id, name: `Spaced ${index}` }));
  for (const { id, name } of named)
    await tour.registry.register({ client_name: name, preferred_client_id: id });
  for (const { id, name } of named) {
    await tour.open('/clients?q=spaced');
    await tour.page.getByRole('link', { name, exact: true }).click();
    await heading(name).waitFor();
    await tour.page.reload();
    await heading(name).waitFor();
    await tour.page.getByRole('tab', { name: 'JSON' }).click();
    await tour.page.getByText(`"client_id": "${id}"`).waitFor();
    await tour.open(`${address(id)}/edit`);
    await heading(name).waitFor();
  }
});
