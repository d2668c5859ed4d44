import type { Locator } from 'playwright-core';
import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';
import { eventually } from '@svc/test-servers';

const tour = startTour();

const name = () => tour.page.getByRole('textbox', { name: 'Name', exact: true });
const uri = (number: number) =>
  tour.page.getByRole('textbox', { name: `Redirect URIs, ${number}`, exact: true });
const register = () => tour.page.getByRole('button', { name: 'Register', exact: true }).click();
const bar = () => tour.page.getByRole('status').filter({ hasText: 'Unsaved changes' });

/** Pastes text, written as a JavaScript string literal, at the focus. */
const paste = async (text: string) => {
  await tour.page.evaluate(`navigator.clipboard.writeText('${text}')`);
  await tour.page.keyboard.press('ControlOrMeta+v');
};
const expectFocus = async (input: Locator) =>
  eventually(async () =>
    expect(await input.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true),
  );

// These tests need an empty registry, so they come first.
test.each([
  ['/', 'No clients yet'],
  ['/clients', 'No clients yet'],
  ['/cookies', 'No client uses cookie-based authorization'],
])('%s of an empty registry shows the next step', async (path, title) => {
  await tour.open(path);
  await tour.page.getByRole('heading', { level: 2, name: title }).waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  expect(await tour.page.locator('main .mantine-Button-root[data-variant=filled]').count()).toBeLessThan(2);
  await tour.page
    .getByRole('main')
    .getByRole('link', { name: /^Register/ })
    .last()
    .click();
  await tour.page.getByRole('heading', { level: 1, name: 'Register client' }).waitFor();
});

test('the first client appears on the overview immediately', async () => {
  await tour.open('/');
  await tour.page.getByRole('link', { name: 'Register your first client' }).click();
  await tour.page.getByRole('link', { name: /^Web application ?Signs/ }).click();
  await tour.page.getByRole('textbox', { name: 'Name', exact: true }).fill('First');
  await tour.page
    .getByRole('textbox', { name: 'Redirect URIs, 1', exact: true })
    .fill('https://first.example/cb');
  await tour.page.getByRole('button', { name: 'Register', exact: true }).click();
  await tour.page.getByRole('heading', { level: 1, name: 'First registered' }).waitFor();
  await tour.page.getByRole('link', { name: 'Overview' }).click();
  await tour.page.getByText('1 client', { exact: true }).waitFor();
  await tour.page.getByRole('list', { name: 'Changes' }).getByRole('link', { name: 'First' }).waitFor();
});

test('a template, a name and a URI register a client, whose secret is shown once', async () => {
  await tour.open('/clients');
  await tour.page.getByRole('link', { name: 'Register client' }).click();
  await tour.page.getByRole('link', { name: /^Web application with a secret/ }).waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await tour.page.getByRole('link', { name: /^Web application with a secret/ }).click();
  await name().fill('Storefront');
  await uri(1).fill('https://storefront.example/cb');
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await register();

  const secret = tour.page.getByRole('status', { name: 'Client secret' });
  await secret.waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  expect(await secret.textContent()).toMatch(/^[\w-]{43}$/);
  // Leaving before copying asks first.
  await tour.page.getByRole('link', { name: 'View client' }).click();
  await tour.page.getByRole('dialog', { name: 'Leave without the secret?' }).waitFor();
  await tour.page.getByRole('button', { name: 'Stay' }).click();
  // The next step is the only primary button.
  const primary = tour.page.locator('main .mantine-Button-root[data-variant=filled]');
  expect(await primary.allTextContents()).toEqual(['Copy secret']);
  await tour.page.getByRole('button', { name: 'Copy secret' }).click();
  await eventually(async () => expect(await primary.allTextContents()).toEqual(['View client']));
  expect(await tour.page.evaluate('navigator.clipboard.readText()')).toBe(await secret.textContent());
  await tour.page.getByRole('link', { name: 'View client' }).click();
  await tour.page.getByRole('heading', { level: 1, name: 'Storefront' }).waitFor();
  await secret.waitFor({ state: 'detached' });
});

test('unsafe settings are reported before registration and link to their fields', async () => {
  await tour.open('/register?template=blank');
  await name().waitFor();
  // No violations are shown before the user types.
  expect(await tour.page.getByText(/\d issues?$/).count()).toBe(0);
  await register();
  await tour.page.getByRole('button', { name: '2 issues' }).waitFor();
  await tour.page.getByText('Add at least one redirect URI').waitFor();
  await expectFocus(name());
  await name().fill('Open door');
  await uri(1).fill('http://door.example/cb');
  await tour.page.getByText(/must have the scheme https/).waitFor();
  await bar().getByRole('button', { name: '1 issue' }).click();
  await expectFocus(uri(1));
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await uri(1).fill('https://door.example/cb/');
  await tour.page.getByRole('radio', { name: 'Prefix match' }).check();
  const warning = tour.page.getByRole('note').filter({ hasText: 'prefix_match is not OAuth 2.0 compliant' });
  await warning.getByRole('button', { name: 'Fix' }).click();
  await warning.getByText('prefix_match', { exact: true }).waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await warning.getByRole('button', { name: 'Apply fix' }).click();
  await warning.waitFor({ state: 'detached' });
  expect(await tour.page.getByRole('radio', { name: 'Exact match' }).isChecked()).toBe(true);
});

test('a public client is registered by keyboard alone, and shows no secret', async () => {
  await tour.open('/register');
  await tour.page.getByRole('link', { name: /^Single-page application/ }).press('Enter');
  await name().press('Tab');
  await tour.page
    .getByRole('button', { name: 'About Redirect URIs' })
    .and(tour.page.locator(':focus'))
    .press('Enter');
  await tour.page
    .getByRole('link', { name: /^RFC 7591/ })
    .first()
    .waitFor();
  await name().focus();
  await tour.page.keyboard.type('Kiosk');
  await uri(1).focus();
  await tour.page.keyboard.type('https://kiosk.example/');
  await tour.page.keyboard.press('ControlOrMeta+s');
  await tour.page.getByRole('heading', { level: 1, name: 'Kiosk registered' }).waitFor();
  expect(await tour.page.getByText(/secret/i).count()).toBe(0);
  await tour.page.getByRole('tab', { name: 'openid-client' }).press('End');
  await tour.page.keyboard.press('Enter');
  await tour.page.getByRole('region', { name: 'Terminal: code' }).waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
});

test('the quickstart of a site behind cookie-based authorization says that the site needs no code', async () => {
  await tour.open('/register?template=cookie');
  await tour.page.getByRole('textbox', { name: 'Name' }).fill('Intranet');
  await tour.page.getByRole('textbox', { name: 'Redirect URIs, 1' }).fill('https://intranet.example/');
  await tour.page
    .getByRole('textbox', { name: 'Cookie entry point' })
    .fill('https://intranet.example/cookie');
  await tour.page.getByRole('button', { name: 'Register', exact: true }).click();
  await tour.page.getByText('The site itself needs no code').waitFor();
});

test('pasting several URIs fills several rows, without invisible characters', async () => {
  await tour.open('/register?template=blank');
  await uri(1).focus();
  await paste(String.raw`\ufeffhttps://a.example/1\nhttps://a.example/2\u200b\n`);
  await eventually(async () => {
    expect([await uri(1).inputValue(), await uri(2).inputValue()]).toEqual([
      'https://a.example/1',
      'https://a.example/2',
    ]);
  });
  await tour.page.getByText('2 invisible characters were removed').waitFor();
  await tour.page.getByRole('button', { name: 'Remove Redirect URIs, 1' }).click();
  expect(await uri(1).inputValue()).toBe('https://a.example/2');
  // Pasting replaces the selection, even if the URI contains an invisible character.
  await uri(1).selectText();
  await paste(String.raw`https://b.example/\u200b3`);
  await eventually(async () => expect(await uri(1).inputValue()).toBe('https://b.example/3'));
  expect(await uri(2).count()).toBe(0);
});

test('a full list accepts no more URIs, says so, and loses none', async () => {
  await tour.open('/register?template=blank');
  await uri(1).fill('https://first.example/');
  await tour.page.locator('#field-redirect_uris').getByRole('button', { name: 'Add another' }).click();
  await uri(2).fill('https://last.example/');
  await uri(1).focus();
  await paste(Array.from({ length: 150 }, (_, index) => `https://a.example/${index}`).join(String.raw`\n`));
  await tour.page.getByText('52 of 150 were not added: the maximum is 100.').waitFor();
  expect(await Promise.all([1, 2, 99, 100].map(async (number) => uri(number).inputValue()))).toEqual([
    'https://first.example/',
    'https://a.example/0',
    'https://a.example/97',
    'https://last.example/',
  ]);
});

test('an invalid label is marked in its row, two with one key in theirs, and the server is not asked', async () => {
  await tour.open('/register?template=blank');
  await name().fill('Labelled');
  await uri(1).fill('https://labelled.example/cb');
  const label = (number: number) =>
    tour.page.getByRole('textbox', { name: `Labels, ${number}`, exact: true });
  const row = (number: number) =>
    tour.page
      .locator('#field-labels')
      .getByRole('group')
      .locator('> *')
      .nth(number - 1);
  await label(1).fill('owner:jane@example.com');
  await row(1).getByText('must have a value that is empty or').waitFor();
  expect(await row(1).getByRole('img', { name: 'Valid' }).count()).toBe(0);
  expect(await label(1).getAttribute('aria-invalid')).toBe('true');
  await label(1).fill('team:shop');
  await row(1).getByRole('img', { name: 'Valid' }).waitFor();
  await label(1).press('Enter');
  await label(2).fill('team:pay');
  for (const number of [1, 2]) await row(number).getByText('Another entry has the same key').waitFor();
  await register();
  await expectFocus(label(1));
  await label(2).fill('tier:gold');
  await register();
  await tour.page.getByRole('heading', { level: 1, name: 'Labelled registered' }).waitFor();
  const { clients } = await tour.registry.ask<{ clients: unknown[] }>('GET', '/client?q=labelled');
  expect(clients).toMatchObject([{ labels: { team: 'shop', tier: 'gold' } }]);
});

test('another client can be registered right after the first, from the page or the palette', async () => {
  await tour.open('/register?template=blank');
  for (const [title, ask] of [
    [
      'First of three',
      async () => {
        await tour.page.keyboard.press('Control+k');
        await tour.page.getByRole('combobox', { name: /Search for a page/ }).fill('register c');
        await tour.page.keyboard.press('Enter');
      },
    ],
    ['Second of three', async () => tour.page.getByRole('link', { name: 'Register another' }).click()],
  ] as const) {
    await name().fill(title);
    await uri(1).fill('https://three.example/cb');
    await register();
    await tour.page.getByRole('heading', { level: 1, name: `${title} registered` }).waitFor();
    await ask();
    await tour.page.getByRole('link', { name: /^Something else/ }).click();
    expect(await name().inputValue()).toBe('');
  }
});

test('a taken id is reported at its field, and input is kept', async () => {
  await tour.registry.register({ preferred_client_id: 'taken' });
  await tour.open('/register?template=blank');
  await name().fill('Second');
  await uri(1).fill('https://second.example/cb');
  const id = tour.page.getByRole('textbox', { name: 'Preferred client ID' });
  await id.fill('taken');
  await register();
  await tour.page
    .getByText(/'taken'|taken/)
    .first()
    .waitFor();
  expect(await id.getAttribute('aria-invalid')).toBe('true');
  await expectFocus(id);
  await name().focus();
  await tour.page.getByRole('button', { name: '1 issue', exact: true }).click();
  await expectFocus(id);
  expect(await name().inputValue()).toBe('Second');
  await id.fill('free');
  await register();
  await tour.page.getByRole('heading', { level: 1, name: 'Second registered' }).waitFor();
});

test('a form with input cannot be left by mistake', async () => {
  await tour.open('/register?template=blank');
  await name().fill('Unsaved');
  await tour.page
    .getByRole('navigation', { name: 'Navigation' })
    .getByRole('link', { name: 'Clients' })
    .click();
  const dialog = tour.page.getByRole('dialog', { name: 'Leave without saving?' });
  await dialog.waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Stay' }).click();
  expect(await name().inputValue()).toBe('Unsaved');
  await tour.page
    .getByRole('navigation', { name: 'Navigation' })
    .getByRole('link', { name: 'Clients' })
    .click();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await tour.page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor();
});

test('a field added by the registry appears in the form without a change here', async () => {
  await tour.page.route('**/client/features', async (route) => {
    const response = await route.fetch();
    const features = (await response.json()) as { fields: object[] };
    const added = {
      ...features.fields[1],
      required: false,
      name: 'mascot_uri',
      label: 'Mascot',
      description: 'A picture.',
    };
    await route.fulfill({ response, json: { ...features, fields: [...features.fields, added] } });
  });
  await tour.open('/register?template=blank');
  await tour.page.getByRole('button', { name: /^Other/ }).click();
  await tour.page.getByRole('textbox', { name: 'Mascot' }).waitFor();
});
