import { eventually } from '@svc/test-servers';
import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';
import { newGate } from './support/gate.js';

const tour = startTour();

const box = () => tour.page.getByRole('combobox', { name: 'Search clients' });
const link = (name: string) => tour.page.getByRole('link', { name, exact: true });
const chips = () => tour.page.getByRole('list', { name: 'Active filters' }).getByRole('listitem');
const suggestions = () => tour.page.getByRole('option');
/** In any order: words reach the URL a moment after they are typed. */
const urlIs = async (search: string) => {
  const parameters = (from: string) => [...new URLSearchParams(from)].sort().join('&');
  return tour.page.waitForURL((url) => parameters(url.search) === parameters(search));
};

beforeAll(async () => {
  const clients = [
    { client_name: 'Café Überlingen', preferred_client_id: 'cafe', labels: { team: 'shop', env: 'prod' } },
    {
      client_name: 'Gift cards',
      preferred_client_id: 'gift-cards',
      redirect_uris: ['https://gift.example/cb', 'https://login.acme.example/cb'],
      labels: { team: 'shop' },
      code_challenge_method: 'none',
    },
    { client_name: 'Acme admin', preferred_client_id: 'admin', code_challenge_method: 'S256' },
  ];
  for (const client of clients) await tour.registry.register(client);
});

test('words match in any order and without accents, and are marked', async () => {
  await tour.open('/clients?q=uber+CAFE');
  await link('Café Überlingen').waitFor();
  expect(await tour.page.locator('tbody mark').allTextContents()).toEqual(
    expect.arrayContaining(['Café', 'Über']),
  );
  await tour.open('/clients?host=acme');
  await link('Gift cards').waitFor();
  expect(await link('Acme admin').count()).toBe(0);
  expect(await tour.page.locator('tbody mark').allTextContents()).toEqual(['acme']);
  // The URI that matches is shown, although it is not the first.
  await tour.page.getByText('login.acme.example').waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
});

test('the beginning of a URL is no search yet, and stays in the search box', async () => {
  await tour.open('/clients?q=gift');
  await link('Gift cards').waitFor();
  await box().fill('https://');
  await link('Acme admin').waitFor();
  await urlIs('');
  expect(await box().inputValue()).toBe('https://');
  await box().pressSequentially('gift.ex');
  await urlIs('?q=https://gift.ex');
  await link('Acme admin').waitFor({ state: 'detached' });
  await tour.open('/clients?q=https://');
  await link('Acme admin').waitFor();
});

test('a typed filter becomes a chip, is part of the URL, and shares its state with the filter menu', async () => {
  await tour.open('/clients');
  await box().pressSequentially('gift warning:pkce');
  // The only kind that contains it.
  expect(await suggestions().count()).toBe(1);
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await box().press('Enter');
  await urlIs('?q=gift&warning=weak_pkce');
  expect(await box().inputValue()).toBe('gift ');
  await chips().getByText('Public client without S256').waitFor();
  await tour.page.getByRole('button', { name: '1 filter' }).click();
  const kind = tour.page.getByLabel('Type of warning', { exact: true });
  expect(await kind.inputValue()).toBe('weak_pkce');
  await kind.selectOption('');
  await urlIs('?q=gift');
  await tour.page.getByLabel('Redirect host', { exact: true }).fill('acme');
  await urlIs('?q=gift&host=acme');
  await tour.page.keyboard.press('Escape');
  await chips().getByText('acme').waitFor();
});

test('while a slow search is under way, the previous rows stay readable and the table says that it is busy', async () => {
  await tour.open('/clients');
  await link('Gift cards').waitFor();
  let answer!: () => void;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await tour.page.route('**/client?*', async (route) => {
    await answered;
    await route.continue();
  });
  await box().fill('admin');
  await tour.page.locator('table[aria-busy=true]').waitFor();
  await link('Gift cards').waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  answer();
  await link('Gift cards').waitFor({ state: 'detached' });
  await tour.page.locator('table[aria-busy=false]').waitFor();
  await tour.page.unroute('**/client?*');
});

test('a click is followed even if the list is redrawn while the button is held down', async () => {
  await tour.open('/clients?q=gift+cards');
  await link('Gift cards').waitFor();
  const answer = newGate();
  await tour.page.route('**/client?*', async (route) => {
    await answer.opened;
    await route.continue();
  });
  await box().fill('gift card');
  await tour.page.locator('table[aria-busy=true]').waitFor();
  await link('Gift cards').hover();
  await tour.page.mouse.down();
  answer.open();
  await tour.page.locator('table[aria-busy=false]').waitFor();
  await tour.page.mouse.up();
  await tour.page.waitForURL('**/clients/gift-cards');
  await tour.page.unroute('**/client?*');
});

test('labels add up, and Backspace, arrows and Delete remove chips by keyboard', async () => {
  await tour.open('/clients');
  await link('Gift cards').waitFor();
  await tour.page.keyboard.press('/');
  await tour.page.keyboard.type('label:team=shop label:env=prod host:example ');
  await urlIs('?label=team%3Ashop+env%3Aprod&host=example');
  await link('Café Überlingen').waitFor();
  // The former rows stay until the next list has arrived.
  await eventually(async () => expect(await tour.page.getByRole('row').count()).toBe(2));
  await tour.page.keyboard.press('Backspace');
  await urlIs('?label=team%3Ashop+env%3Aprod');
  await tour.page.keyboard.press('ArrowLeft');
  await tour.page.keyboard.press('ArrowLeft');
  await tour.page.keyboard.press('Delete');
  await urlIs('?label=env%3Aprod');
  await box().and(tour.page.locator(':focus')).waitFor();
  await tour.page.keyboard.press('Backspace');
  await urlIs('');
  await tour.page.goBack();
  await chips().getByText('env:prod').waitFor();
});

test('names and values are suggested while typing, and accepted with Enter', async () => {
  await tour.open('/clients');
  await link('Gift cards').waitFor();
  await box().pressSequentially('lab');
  await suggestions().getByText('-label:').waitFor();
  await box().press('ArrowDown');
  await box().press('Enter');
  expect(await box().inputValue()).toBe('label:');
  await suggestions().getByText('label:team:shop').waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await box().pressSequentially('shop');
  // What is typed is the first suggestion, since it is a label, too.
  await suggestions().getByText('label:shop').waitFor();
  await box().press('ArrowDown');
  await box().press('Enter');
  await urlIs('?label=team%3Ashop');
  // A word that could also begin a name is searched for.
  await box().pressSequentially('use');
  await suggestions().first().waitFor();
  await box().press('Enter');
  await urlIs('?label=team%3Ashop&q=use');
});

test('unknown names and invalid values say what exists', async () => {
  await tour.open('/clients');
  await box().pressSequentially('warnin:x');
  await tour.page.getByText('Unknown filter “warnin”. Did you mean “warning”?').waitFor();
  await box().fill('created_since:soon ');
  await tour.page.getByText("“soon” isn't a date. Example: created_since:2026-01-31").waitFor();
  await box().fill('enabled:maybe ');
  await tour.page.getByText("“maybe” isn't valid for enabled. Allowed values: true, false").waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
});

test('a view is saved by name, opened, shared by its URL, and removed', async () => {
  await tour.open('/clients?label=team%3Ashop&sort=client_name');
  await tour.page.getByRole('button', { name: 'Views' }).click();
  await tour.page.getByLabel('Save this view as').fill('Shop');
  await tour.page.keyboard.press('Enter');
  await tour.page.getByRole('list', { name: 'Saved views' }).getByText('Shop').waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await tour.page.getByRole('button', { name: 'Copy link to this view' }).click();
  expect(await tour.page.evaluate('navigator.clipboard.readText()')).toBe(tour.page.url());
  await tour.open('/clients');
  await tour.page.getByRole('button', { name: 'Views' }).click();
  await tour.page.getByRole('link', { name: 'Shop' }).click();
  await urlIs('?label=team%3Ashop&sort=client_name');
  await tour.page.getByRole('button', { name: 'Shop', exact: true }).click();
  await tour.page.getByRole('button', { name: 'Remove view: Shop' }).click();
  await tour.page.getByText('Save a search with its filters').waitFor();
});

test('filters and hints fit narrow and wide windows', async () => {
  await tour.open('/clients?label=team%3Ashop+env%3Aprod&host=example&warning=weak_pkce&q=foo%3Abar');
  await tour.page.getByText('Unknown filter “foo”').waitFor();
  for (const width of [375, 768, 1280, 1920]) {
    await tour.page.setViewportSize({ width, height: 800 });
    expect(await tour.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await accessibilityViolations(tour.page)).toEqual([]);
  }
});
