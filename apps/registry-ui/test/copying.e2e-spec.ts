import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';
import { eventually } from '@svc/test-servers';

const tour = startTour();

/** A clipboard refused by browser policy, and one missing on plain-http pages. */
const CLIPBOARDS = [
  ['refused', `{ writeText: () => Promise.reject(new DOMException('no', 'NotAllowedError')) }`],
  ['absent', 'undefined'],
] as const;

const withClipboard = async (clipboard: string) =>
  tour.page.addInitScript(
    `Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => (${clipboard}), configurable: true })`,
  );
const button = (name: string) => tour.page.getByRole('button', { name, exact: true });
const dialog = () => tour.page.getByRole('dialog', { name: 'Press Ctrl+C to copy' });
const box = () => dialog().getByRole('textbox');
const selectedText = async () =>
  tour.page.evaluate<string>(
    '(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(document.activeElement)',
  );
const expectFocus = async (target: Locator) =>
  eventually(async () =>
    expect(await target.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true),
  );

const registerOne = async () => {
  await tour.open('/register?template=web-confidential');
  await tour.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Kept');
  await tour.page
    .getByRole('textbox', { name: 'Redirect URIs, 1', exact: true })
    .fill('https://kept.example/cb');
  await button('Register').click();
  const secret = tour.page.getByRole('status', { name: 'Client secret' });
  await secret.waitFor();
  return (await secret.textContent()) ?? '';
};

/** Whether leaving asks first because the secret was not copied. */
const leavingAsks = async () => {
  await tour.page.getByRole('link', { name: 'View client' }).click();
  const asked = tour.page.getByRole('dialog', { name: 'Leave without the secret?' });
  const left = tour.page.getByRole('tab', { name: 'Settings' });
  await asked.or(left).waitFor();
  return asked.isVisible();
};

test.each(CLIPBOARDS)(
  'while the clipboard is %s, a secret does not count as copied',
  async (_case, clipboard) => {
    await withClipboard(clipboard);
    const secret = await registerOne();
    await button('Copy secret').press('Enter');
    await dialog().waitFor();
    await expectFocus(box());
    expect(await selectedText()).toBe(secret);
    expect(await accessibilityViolations(tour.page)).toEqual([]);
    await tour.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await expectFocus(button('Copy secret'));
    expect(await tour.page.getByText('Copied').count()).toBe(0);
    expect(await leavingAsks()).toBe(true);
  },
);

test('a secret can be copied by hand even if no more code can be loaded', async () => {
  const [, [, clipboard]] = CLIPBOARDS;
  await withClipboard(clipboard);
  const secret = await registerOne();
  await tour.page.route('**/assets/*.js', async (route) => route.abort());
  await button('Copy secret').click();
  await expectFocus(box());
  expect(await selectedText()).toBe(secret);
  await tour.page.unroute('**/assets/*.js');
});

const ALL_CODE = '**/assets/*.js';
const account = () => tour.page.getByRole('button', { name: /^Account: / });

test.each([
  ['the account menu', 1280, ALL_CODE, async () => account().click()],
  [
    'a message, and the account menu,',
    1280,
    '**/assets/{toasts,identity-menu}*.js',
    async () => account().click(),
  ],
  ['the content of the account menu', 1280, '**/assets/identity-menu*.js', async () => account().click()],
  ['the navigation of a narrow window', 375, ALL_CODE, async () => button('Open navigation').click()],
  [
    'a message, and the navigation of a narrow window,',
    375,
    '**/assets/{toasts,sidebar-drawer}*.js',
    async () => button('Open navigation').click(),
  ],
  ['the keyboard shortcuts', 1280, ALL_CODE, async () => tour.page.keyboard.press('?')],
  [
    'the palette',
    1280,
    '**/assets/command-palette*.js',
    async () => tour.page.keyboard.press('ControlOrMeta+k'),
  ],
])('if %s cannot be loaded, a secret that is shown once stays', async (_part, width, code, open) => {
  const fail = async () => tour.page.route(code, async (route) => route.abort());
  await tour.page.setViewportSize({ width, height: 800 });
  // What is loaded in advance fails, too.
  if (code !== ALL_CODE) await fail();
  const secret = await registerOne();
  if (code === ALL_CODE) await fail();
  await open();
  const alert = tour.page.getByRole('alert').filter({ hasText: "Part of the console couldn't be loaded." });
  await alert.waitFor();
  // Opened once more, it fails again.
  await alert.getByRole('button').click();
  await alert.waitFor({ state: 'hidden' });
  await open();
  await alert.waitFor();
  expect(await tour.page.getByRole('status', { name: 'Client secret' }).textContent()).toBe(secret);
  expect(await leavingAsks()).toBe(true);
  await tour.page.unroute(code);
  const complaints = tour.browser.complaints.splice(0);
  expect(complaints.length).toBeGreaterThan(0);
  expect(complaints.filter((complaint) => !complaint.includes('CodeLoadError'))).toEqual([]);
});

test('copying by hand counts once the entire value was copied', async () => {
  await withClipboard('undefined');
  const secret = await registerOne();
  await button('Copy secret').click();
  await expectFocus(box());
  await tour.page.evaluate('document.activeElement.setSelectionRange(0, 3)');
  await tour.page.keyboard.press('ControlOrMeta+c');
  await tour.page.waitForTimeout(300);
  expect(await dialog().isVisible()).toBe(true);
  await box().selectText();
  await tour.page.keyboard.press('ControlOrMeta+c');
  await dialog().waitFor({ state: 'hidden' });
  await tour.page.getByRole('button', { name: 'Copied' }).waitFor();
  // Pasted by the browser, not the page.
  await tour.page.getByRole('button', { name: 'Jump to…' }).click();
  await tour.page.getByRole('combobox').press('ControlOrMeta+v');
  await eventually(async () => expect(await tour.page.getByRole('combobox').inputValue()).toBe(secret));
  await tour.page.keyboard.press('Escape');
  expect(await leavingAsks()).toBe(false);
});

test('a downloaded secret counts as copied', async () => {
  await withClipboard('undefined');
  const secret = await registerOne();
  await button('Copy secret').click();
  const [download] = await Promise.all([
    tour.page.waitForEvent('download'),
    dialog().getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('client-secret.txt');
  expect(await readFile(await download.path(), 'utf8')).toBe(secret);
  await dialog().waitFor({ state: 'hidden' });
  expect(await leavingAsks()).toBe(false);
});

test('in the list, the focus stays on a copy button that has copied, and rows stay when a column is resized', async () => {
  await withClipboard('{ writeText: () => Promise.resolve() }');
  await tour.registry.register({ client_name: 'Focused', preferred_client_id: 'focused' });
  await tour.open('/clients?q=focused');
  const row = tour.page.getByRole('row', { name: /Focused/ });
  await row.evaluate((element) => Object.assign(element, { isSame: true }));
  await row.getByRole('button', { name: 'Copy Client ID' }).press('Enter');
  await expectFocus(row.getByRole('button', { name: 'Copied' }));
  await expectFocus(row.getByRole('button', { name: 'Copy Client ID' }));
  await tour.page.getByRole('columnheader', { name: 'Client ID' }).press('Shift+ArrowRight');
  expect(await row.evaluate((element) => Object.hasOwn(element, 'isSame'))).toBe(true);
});

test('in the list, the icon of a copy button shows in the row that is pointed at or focused, and once it has copied', async () => {
  await withClipboard('{ writeText: () => Promise.resolve() }');
  for (const name of ['first', 'second', 'third'])
    await tour.registry.register({ client_name: `Icon ${name}`, preferred_client_id: `icon-${name}` });
  await tour.open('/clients?q=icon');
  const row = (name: string) => tour.page.getByRole('row', { name: new RegExp(`Icon ${name}`) });
  const icon = (name: string) => row(name).locator('button svg');
  await row('first').getByRole('button').waitFor();
  expect(await tour.page.locator('[role=grid] tbody button svg').count()).toBe(0);
  await row('first').getByText('Icon first').hover();
  await icon('first').waitFor();
  await row('second').getByRole('link').focus();
  await icon('second').waitFor();
  const copied = row('third').getByRole('button', { name: 'Copied' });
  await row('third').getByRole('button', { name: 'Copy Client ID' }).click();
  await copied.locator('svg').waitFor();
});

test('every other copy button behaves the same', async () => {
  await withClipboard('undefined');
  const id = await tour.registry.register({
    client_name: 'Alike',
    preferred_client_id: 'alike',
    token_endpoint_auth_method: 'client_secret_basic',
  });
  const offers = async (copy: Locator, value: string | RegExp) => {
    await copy.click();
    await expectFocus(box());
    expect(await selectedText()).toMatch(value);
    await dialog().getByRole('button', { name: 'Close' }).first().click();
    await dialog().waitFor({ state: 'hidden' });
  };
  await tour.open(`/clients/${id}`);
  await offers(button('Copy Client ID').first(), /^alike$/);
  await offers(button('Copy Redirect URIs'), /^https:\/\/shop\.example\/cb$/);
  await tour.open(`/clients/${id}?tab=json`);
  await offers(button('Copy HTTP API response'), /"client_id": "alike"/);
  await tour.open('/clients?q=alike');
  await offers(button('Copy Client ID'), /^alike$/);
  await tour.open(`/clients/${id}`);
  await button('More actions').click();
  await tour.page.getByRole('menuitem', { name: 'Rotate secret' }).click();
  await button('Rotate secret').click();
  await offers(button('Copy secret'), /^[\w-]{43}$/);
  await button('Close without copying').waitFor();
  await tour.open('/tokens');
  await button('Create token').click();
  await tour.page.getByRole('textbox', { name: 'Name' }).fill('Robot');
  await tour.page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
  await offers(button('Copy token'), /^svcr_/);
  await button('Close without copying').waitFor();
});
