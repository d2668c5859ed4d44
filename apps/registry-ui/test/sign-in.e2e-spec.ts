import { setTimeout as sleep } from 'node:timers/promises';
import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';

const tour = startTour();

const tokenField = (page = tour.page) => page.getByLabel('API token', { exact: true });

test('signing in opens the requested URL, and only the tab remembers the token', async () => {
  const page = await tour.browser.newPage();
  await page.goto(`${tour.registry.url}/ui/clients`);
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
  ['two words', 'This is not a valid token'],
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
  await tour.page.getByRole('button', { name: 'Sign out' }).click();
  await tour.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await tour.page.evaluate(`sessionStorage.getItem('registry-token')`)).toBeNull();
});

test('signing out asks before input is lost', async () => {
  await tour.open('/register?template=blank');
  await tour.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Unsaved');
  const signOut = () => tour.page.getByRole('button', { name: 'Sign out' }).click();
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

test.each(['/', '/clients', '/register?template=blank'])(
  'the scripts of %s as the first screen are at most 250 kB, compressed, and cached forever',
  async (path) => {
    const sizes: number[] = [];
    tour.page.on('response', (response) => {
      if (!response.url().endsWith('.js')) return;
      sizes.push(Number(response.headers()['content-length']));
      expect(response.headers()['cache-control']).toContain('immutable');
    });
    await tour.open(path);
    await tour.page.getByRole('heading', { level: 1 }).waitFor();
    await tour.page.waitForLoadState('networkidle');
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
  },
);
