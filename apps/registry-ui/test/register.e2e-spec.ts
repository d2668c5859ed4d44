import { accessibilityFaults } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';
import { eventually } from './support/eventually.js';

const tour = startTour();

const name = () => tour.page.getByRole('textbox', { name: 'Name', exact: true });
const uri = (number: number) =>
  tour.page.getByRole('textbox', { name: `Redirect URIs, ${number}`, exact: true });
const register = () => tour.page.getByRole('button', { name: 'Register', exact: true }).click();
const checks = () => tour.page.getByRole('complementary', { name: 'Checks' });

test('a template, a name and an address make a Client, whose secret is shown once', async () => {
  await tour.open('/clients');
  await tour.page.getByRole('link', { name: 'Register a Client' }).click();
  await tour.page.getByRole('link', { name: /^Web application with a secret/ }).waitFor();
  expect(await accessibilityFaults(tour.page)).toEqual([]);
  await tour.page.getByRole('link', { name: /^Web application with a secret/ }).click();
  await name().fill('Storefront');
  await uri(1).fill('https://storefront.example/cb');
  await checks().getByText('Nothing speaks against it').waitFor();
  expect(await accessibilityFaults(tour.page)).toEqual([]);
  await register();

  const secret = tour.page.getByRole('status', { name: 'Client secret' });
  await secret.waitFor();
  expect(await accessibilityFaults(tour.page)).toEqual([]);
  expect(await secret.textContent()).toMatch(/^[\w-]{43}$/);
  // Leaving before it was copied asks first.
  await tour.page.getByRole('button', { name: 'Open the Client' }).click();
  await tour.page.getByRole('dialog', { name: 'Leave without the secret?' }).waitFor();
  await tour.page.getByRole('button', { name: 'Stay' }).click();
  await tour.page.getByRole('button', { name: 'Copy the secret' }).click();
  expect(await tour.page.evaluate('navigator.clipboard.readText()')).toBe(await secret.textContent());
  await tour.page.getByRole('button', { name: 'Open the Client' }).click();
  await tour.page.getByRole('heading', { level: 1, name: 'Storefront' }).waitFor();
  await secret.waitFor({ state: 'detached' });
});

test('what is unsafe is said before it is registered, and leads to its field', async () => {
  await tour.open('/register?template=blank');
  await register();
  await checks().getByText('2 problems').waitFor();
  expect(await name().evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
  await name().fill('Open door');
  await uri(1).fill('http://door.example/cb');
  await checks()
    .getByRole('button', { name: /must have the scheme https/ })
    .click();
  expect(await uri(1).evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
  expect(await accessibilityFaults(tour.page)).toEqual([]);
  await uri(1).fill('https://door.example/cb');
  await tour.page.getByRole('radio', { name: 'prefix_match' }).check();
  await checks().getByText('prefix_match is not OAuth 2.0 compliant').waitFor();
});

test('several URIs are pasted at once, less what nobody can see', async () => {
  await tour.open('/register?template=blank');
  await tour.page.evaluate(
    String.raw`navigator.clipboard.writeText('\ufeffhttps://a.example/1\nhttps://a.example/2\u200b\n')`,
  );
  await uri(1).focus();
  await tour.page.keyboard.press('ControlOrMeta+v');
  await eventually(async () => {
    expect([await uri(1).inputValue(), await uri(2).inputValue()]).toEqual([
      'https://a.example/1',
      'https://a.example/2',
    ]);
  });
  await tour.page.getByText('2 invisible characters were removed').waitFor();
  await tour.page.getByRole('button', { name: 'Remove Redirect URIs, 1' }).click();
  expect(await uri(1).inputValue()).toBe('https://a.example/2');
});

test('an id that is taken is said at its field, and what was typed stays', async () => {
  await tour.registry.register({ preferred_client_id: 'taken' });
  await tour.open('/register?template=blank');
  await name().fill('Second');
  await uri(1).fill('https://second.example/cb');
  const id = tour.page.getByRole('textbox', { name: 'Preferred client ID' });
  await id.fill('taken');
  await register();
  await checks().getByText(/taken/).waitFor();
  expect(await id.getAttribute('aria-invalid')).toBe('true');
  expect(await name().inputValue()).toBe('Second');
  await id.fill('free');
  await register();
  await tour.page.getByRole('status', { name: 'Client secret' }).waitFor();
});

test('a form with something in it is not left by mistake', async () => {
  await tour.open('/register?template=blank');
  await name().fill('Unsaved');
  await tour.page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Clients' }).click();
  const dialog = tour.page.getByRole('dialog', { name: 'Leave without saving?' });
  await dialog.waitFor();
  expect(await accessibilityFaults(tour.page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Stay' }).click();
  expect(await name().inputValue()).toBe('Unsaved');
  await tour.page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Clients' }).click();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await tour.page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor();
});

test('a field that the registry adds to its table is in the form without a change here', async () => {
  await tour.page.route('**/client/features', async (route) => {
    const response = await route.fetch();
    const features = (await response.json()) as { fields: object[] };
    const added = { ...features.fields[1], name: 'logo_uri', label: 'Logo', description: 'A picture.' };
    await route.fulfill({ response, json: { ...features, fields: [...features.fields, added] } });
  });
  await tour.open('/register?template=blank');
  await tour.page.getByRole('button', { name: /^More/ }).click();
  await tour.page.getByRole('textbox', { name: 'Logo' }).waitFor();
});
