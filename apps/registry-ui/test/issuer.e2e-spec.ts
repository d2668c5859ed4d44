import type { Page, Request, Route } from 'playwright-core';
import { accessibilityViolations } from './support/accessibility.js';
import { Browser } from './support/browser.js';
import { AUDIENCE, CONSOLE_CLIENT, Issuer } from './support/issuer.js';
import { Registry } from './support/registry.js';

let issuer: Issuer;
let registry: Registry;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  issuer = await Issuer.start();
  const environment = {
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: AUDIENCE,
    OIDC_ALGORITHMS: 'RS256',
    UI_OIDC_CLIENT_ID: CONSOLE_CLIENT,
    UI_OIDC_SCOPE: 'openid clients:read clients:write',
  };
  [registry, browser] = await Promise.all([Registry.start(environment), Browser.start()]);
  await issuer.serve(`${registry.url}/ui/signed-in`);
});

afterAll(async () => {
  await Promise.all([browser.stop(), registry.stop()]);
  await issuer.stop();
});

beforeEach(async () => {
  page = await browser.newPage();
});

afterEach(async () => {
  await page.close();
  expect(browser.complaints.splice(0)).toEqual([]);
});

const continueAtIssuer = () => page.getByRole('button', { name: /^Continue with 127\.0\.0\.1/ });
const isRenewal = (request: Request) => /grant_type=refresh_token/.test(request.postData() ?? '');
/** Renewals, which would otherwise keep the session alive, fail. */
const refuseRenewals = () =>
  page.route(`${issuer.url}/token`, async (route) => {
    await (isRenewal(route.request()) ? route.abort() : route.continue());
  });
const unauthorized = async (route: Route) =>
  route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"detail":"no"}' });
const atIssuer = (where: Page) => where.getByRole('button', { name: 'Sign in as Ms Example' });
const renewal = async () =>
  page.waitForResponse(
    (response) => response.url() === `${issuer.url}/token` && isRenewal(response.request()),
  );

/** Opens a page; the issuer remembers a user who signed in before. */
async function signInTo(path: string, title: string): Promise<void> {
  await page.goto(`${registry.url}/ui/${path}`);
  await continueAtIssuer().click();
  const heading = page.getByRole('heading', { level: 1, name: title });
  await atIssuer(page).or(heading).waitFor();
  if (await atIssuer(page).isVisible()) await atIssuer(page).click();
  await heading.waitFor();
}

test('signing in at the issuer returns to the requested URL, and the token is renewed', async () => {
  const granted: string[] = [];
  page.on('request', (request) => {
    const [, grant] = /grant_type=(\w+)/.exec(request.postData() ?? '') ?? [];
    if (request.url() === `${issuer.url}/token` && grant !== undefined) granted.push(grant);
  });
  await page.goto(`${registry.url}/ui/features`);
  await continueAtIssuer().waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await continueAtIssuer().click();
  // A token is renewed every five seconds, so a slow machine may see the next renewal, too.
  const grantedUntilRenewed = renewal().then(() => [...granted]);
  await atIssuer(page).click();
  await page.getByRole('heading', { level: 1, name: 'Supported settings' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/ui/features');
  expect(await grantedUntilRenewed).toEqual(['authorization_code', 'refresh_token']);
});

test('a token is renewed even if the browser refuses locks, as when site data is blocked', async () => {
  await page.addInitScript(
    `LockManager.prototype.request = async () => { throw new DOMException('Denied', 'SecurityError'); }`,
  );
  const renewed = renewal();
  await signInTo('features', 'Supported settings');
  await renewed;
});

test('a renewal that a reload cancels is made by the reloaded page, with nothing left to load', async () => {
  let isReloading = false;
  // Never answered, so that the reload cancels it: reloading after the issuer has answered could lose the new refresh token.
  const firstRenewal = new Promise<void>((resolve) => {
    void page.route(`${issuer.url}/token`, async (route) => {
      if (isReloading || !isRenewal(route.request())) await route.continue();
      else resolve();
    });
  });
  await signInTo('features', 'Supported settings');
  await firstRenewal;
  isReloading = true;
  // Code that is loaded on demand: many browsers remember that it failed, and would never renew the token.
  const html = await (await fetch(`${registry.url}/ui/features`)).text();
  await page.route('**/assets/*.js', async (route) => {
    await (html.includes(new URL(route.request().url()).pathname) ? route.continue() : route.abort());
  });
  const renewed = renewal();
  await page.reload();
  await renewed;
  await page.getByText("Part of the console couldn't be loaded.").waitFor();
  const complaints = browser.complaints.splice(0);
  expect(complaints.filter((complaint) => !complaint.startsWith('CodeLoadError'))).toEqual([]);
});

test('a renewal that fails is tried again, and short-lived tokens are not renewed in a loop', async () => {
  let signedIn = Infinity;
  const renewals: number[] = [];
  await page.route(`${issuer.url}/token`, async (route) => {
    if (!isRenewal(route.request())) {
      signedIn = Date.now();
      return route.continue();
    }
    renewals.push(Date.now());
    return renewals.length === 1 ? route.abort() : route.continue();
  });
  await signInTo('features', 'Supported settings');
  while (renewals.length < 2) await page.waitForTimeout(100);
  expect(renewals[0]! - signedIn).toBeGreaterThan(2_000);
});

test('a refused import is not sent again when the token is renewed', async () => {
  await signInTo('import', 'Import');
  const client = { client_id: 'refused', client_name: 'Refused', redirect_uris: ['http://refused.example/'] };
  const buffer = Buffer.from(JSON.stringify(client));
  const file = { name: 'clients.ndjson', mimeType: 'application/x-ndjson', buffer };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('table', { name: 'Issues by line' }).waitFor();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  // Its scopes are the last that the console reads again.
  await renewal();
  await page.waitForResponse('**/token/self');
  expect(sent).not.toContain('/clients/import');
});

/** Tokens are to be renewed only after most of an hour. */
const lengthenTokens = async (where: Page) =>
  where.route(`${issuer.url}/token`, async (route) => {
    const response = await route.fetch();
    const json = { ...((await response.json()) as object), expires_in: 3600 };
    await route.fulfill({ response, json });
  });
/** As after a computer slept: the time is another, and no timer has fired. */
const letHourPass = async (where: Page) =>
  where.evaluate('{ const now = Date.now; Date.now = () => now() + 3_600_000; }');
const tokenIn = async (where: Page) => where.evaluate<string>(`sessionStorage.getItem('registry-token')`);

test('a session whose token has expired while the computer slept is renewed, and the request repeated', async () => {
  await lengthenTokens(page);
  await signInTo('features', 'Supported settings');
  const expired = `Bearer ${await tokenIn(page)}`;
  await page.route('**/client?*', async (route) => {
    if (route.request().headers()['authorization'] !== expired) return route.continue();
    return unauthorized(route);
  });
  await letHourPass(page);
  const listed = page.waitForResponse((response) => /\/client\?/.test(response.url()) && response.ok());
  await page.getByRole('link', { name: 'Clients' }).click();
  await listed;
  expect(await page.getByRole('dialog', { name: 'Your session has ended' }).count()).toBe(0);
});

test('a renewal that became due while the computer slept is made when it wakes up', async () => {
  await lengthenTokens(page);
  await signInTo('features', 'Supported settings');
  await letHourPass(page);
  const renewed = renewal();
  await page.evaluate(`dispatchEvent(new Event('online'))`);
  await renewed;
});

test('a tab and its duplicate renew their tokens once, together', async () => {
  await lengthenTokens(page);
  await signInTo('features', 'Supported settings');
  const former = await tokenIn(page);
  const stored = await page.evaluate<string>('JSON.stringify(sessionStorage)');
  const duplicate = await browser.newPage();
  await lengthenTokens(duplicate);
  await duplicate.addInitScript(`Object.assign(sessionStorage, ${stored})`);
  await duplicate.goto(page.url());
  await duplicate.getByRole('heading', { level: 1, name: 'Supported settings' }).waitFor();
  let renewals = 0;
  for (const tab of [page, duplicate]) {
    tab.on('request', (request) => {
      if (request.url() === `${issuer.url}/token` && isRenewal(request)) renewals += 1;
    });
    await letHourPass(tab);
  }
  await Promise.all([page, duplicate].map(async (tab) => tab.evaluate(`dispatchEvent(new Event('online'))`)));
  for (const tab of [page, duplicate]) {
    while ((await tokenIn(tab)) === former) await tab.waitForTimeout(100);
  }
  expect(await tokenIn(duplicate)).toBe(await tokenIn(page));
  expect(renewals).toBe(1);
  await duplicate.close();
});

test('an ended session is renewed in a popup, and input is kept', async () => {
  await refuseRenewals();
  await page.goto(`${registry.url}/ui/register?template=blank`);
  await continueAtIssuer().click();
  // The issuer remembers a user who signed in before.
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await atIssuer(page).or(name).waitFor();
  if (await atIssuer(page).isVisible()) await atIssuer(page).click();
  await name.fill('Typed for an hour');
  await page.getByRole('textbox', { name: 'Redirect URIs, 1' }).fill('https://typed.example/cb');
  await page.route('**/client', unauthorized);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await page.unroute('**/client');
  await Promise.all([page.waitForEvent('popup'), continueAtIssuer().click()]);
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByRole('heading', { name: 'Typed for an hour registered' }).waitFor();
});

test('closing the popup ends the attempt, and the next one works', async () => {
  await refuseRenewals();
  await signInTo('features', 'Supported settings');
  await page.route('**/client?*', unauthorized);
  await page.getByRole('link', { name: 'Clients' }).click();
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await page.unroute('**/client?*');
  // A popup in which the user does not sign in.
  await page.context().route(`${issuer.url}/auth?*`, (route) => route.fulfill({ body: 'Sign in here' }));
  const [beside] = await Promise.all([page.waitForEvent('popup'), continueAtIssuer().click()]);
  await beside.getByText('Sign in here').waitFor();
  await beside.close();
  await page.getByText("The sign-in window was closed or can't be reached").waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.context().unroute(`${issuer.url}/auth?*`);
  await Promise.all([page.waitForEvent('popup'), continueAtIssuer().click()]);
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
});

test.each(['error=access_denied&error_description=Not+today', 'code=stolen&state=other'])(
  'an unsolicited response (%s) does not sign in, and links to the sign-in page',
  async (query) => {
    await page.goto(`${registry.url}/ui/signed-in?${query}`);
    await page.getByText('This response belongs to another sign-in attempt. Start again.').waitFor();
    expect(await page.evaluate(`sessionStorage.getItem('registry-token')`)).toBeNull();
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await continueAtIssuer().waitFor();
  },
);

test('a refusal by the issuer is shown, with a link back', async () => {
  await page.goto(`${registry.url}/ui/clients`);
  await page.route(`${issuer.url}/auth?*`, async (route) => {
    const asked = new URL(route.request().url()).searchParams;
    const back = `${asked.get('redirect_uri')}?error=access_denied&error_description=Not+today&state=${asked.get('state')}`;
    await route.fulfill({ status: 302, headers: { location: back } });
  });
  await continueAtIssuer().click();
  await page.getByText('The issuer rejected the request: Not today').waitFor();
  await page.getByRole('link', { name: 'Back to sign-in' }).click();
  await continueAtIssuer().waitFor();
});

test('without access to the storage of the browser, signing in at the issuer says so, and a token works', async () => {
  await page.addInitScript(`{
    const deny = () => { throw new DOMException('Denied', 'SecurityError'); };
    Object.defineProperty(window, 'sessionStorage', { get: deny });
    window.BroadcastChannel = class { constructor() { deny(); } };
  }`);
  const reason = page.getByText('Allow this page to store site data, or sign in with a token.');
  const signIn = async () => {
    await page.getByLabel('API token', { exact: true }).fill(registry.token);
    await page.keyboard.press('Enter');
  };
  await page.goto(`${registry.url}/ui/features`);
  await continueAtIssuer().click();
  await reason.waitFor();
  await signIn();
  await page.getByRole('heading', { level: 1, name: 'Supported settings' }).waitFor();
  await page.route('**/client?*', unauthorized);
  await page.getByRole('link', { name: 'Clients' }).click();
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await page.unroute('**/client?*');
  const opened: Page[] = [];
  page.on('popup', (popup) => opened.push(popup));
  await continueAtIssuer().click();
  await reason.waitFor();
  expect(opened).toEqual([]);
  await signIn();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});
