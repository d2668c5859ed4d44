import { accessibilityFaults } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';

const tour = startTour();

const address = (clientId: string) => `/clients/${encodeURIComponent(clientId)}`;
const heading = (name: string) => tour.page.getByRole('heading', { level: 1, name, exact: true });

test('a Client is shown with its settings, its warnings and their sources', async () => {
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
  expect(await accessibilityFaults(tour.page)).toEqual([]);
});

test('its id can be copied, and its JSON and snippets have addresses of their own', async () => {
  const id = await tour.registry.register({ client_name: 'Copied' });
  await tour.open(address(id));
  await tour.page.getByRole('button', { name: 'Copy Client ID' }).click();
  expect(await tour.page.evaluate('navigator.clipboard.readText()')).toBe(id);
  for (const [tab, content] of [
    ['JSON', `"client_id": "${id}"`],
    ['Use it', 'openid-client (Node.js)'],
  ] as const) {
    await tour.page.getByRole('tab', { name: tab }).click();
    await tour.page.getByText(content).waitFor();
    expect(await accessibilityFaults(tour.page)).toEqual([]);
    await tour.page.reload();
    await tour.page.getByText(content).waitFor();
  }
});

const HOSTILE = {
  client_name: `<img src=x onerror=alert(1)><script>alert(2)</script> ${'W'.repeat(200)}`,
  preferred_client_id: `a/b%2Fc d?x#y&z="'<b>\\`,
  redirect_uris: [
    `https://long.example/${'p'.repeat(2020)}`,
    ...Array.from({ length: 99 }, (_, index) => `https://door-${index}.example/%D7%A9%D7%9C?a='${index}'`),
  ],
};

test('hostile data is shown as text and stays in its boxes', async () => {
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

test('a Client that is called as an address of the console has a page like any other', async () => {
  await tour.registry.register({ client_name: 'Called register', preferred_client_id: 'register' });
  await tour.open('/clients/register');
  await heading('Called register').waitFor();
});

test('an unknown Client says so, and the way back works', async () => {
  await tour.open('/clients/nobody');
  await tour.page.getByText('There is no such thing').waitFor();
  expect(await accessibilityFaults(tour.page)).toEqual([]);
  await tour.page.getByRole('navigation', { name: 'The way back' }).getByRole('link').click();
  await tour.page.getByRole('table', { name: 'Clients' }).waitFor();
});

test('a Client is deleted once its name was typed, and not before', async () => {
  const id = await tour.registry.register({ client_name: 'Doomed' });
  await tour.open(address(id));
  await tour.page.getByRole('button', { name: 'More actions' }).click();
  await tour.page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = tour.page.getByRole('dialog', { name: 'Delete this Client?' });
  await dialog.waitFor();
  expect(await accessibilityFaults(tour.page)).toEqual([]);
  await dialog.getByLabel('Type its name to confirm').fill('doomed');
  expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Type its name to confirm').fill('Doomed');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await tour.page.getByText('Doomed is deleted').waitFor();
  await expect(tour.registry.ask('GET', `/client/${id}`)).rejects.toThrow('404');
  expect(await tour.page.getByRole('link', { name: 'Doomed' }).count()).toBe(0);
});
