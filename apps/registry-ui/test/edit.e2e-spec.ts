import { askForJson } from '@svc/test-servers';
import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';

const tour = startTour();

const name = () => tour.page.getByRole('textbox', { name: 'Name', exact: true });
const save = () => tour.page.getByRole('button', { name: 'Save', exact: true }).click();
const edit = async (id: string, section = 'Identity') => {
  await tour.open(`/clients/${id}`);
  await tour.page.getByRole('button', { name: `Edit ${section}` }).click();
};
/** A heading may show the name before, as another user changed it. */
const untilSaved = async (name: string) => tour.page.getByText(`${name} saved`).waitFor();
const heading = (title: string) => tour.page.getByRole('heading', { level: 1, name: title, exact: true });

test('editing a client changes only the edited fields', async () => {
  const id = await tour.registry.register({
    client_name: 'Before',
    session_expiration: 3600,
    redirect_uris: ['https://shop.example/1', 'https://shop.example/2'],
  });
  const before = await tour.registry.ask('GET', `/client/${id}`);
  await edit(id);
  await name().fill('After');
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await save();
  await heading('After').waitFor();
  await untilSaved('After');
  const { updated_at: _, ...after } = await tour.registry.ask('GET', `/client/${id}`);
  expect(after).toEqual({ ...before, client_name: 'After', updated_at: undefined });
});

test('a double click saves once, and is no conflict', async () => {
  const id = await tour.registry.register({ client_name: 'Once' });
  const saved: string[] = [];
  tour.page.on('request', (request) => {
    if (request.method() === 'PATCH') saved.push(request.url());
  });
  await edit(id);
  await name().fill('Twice clicked');
  await tour.page.getByRole('button', { name: 'Save', exact: true }).dblclick();
  await heading('Twice clicked').waitFor();
  expect(saved).toHaveLength(1);
});

test('concurrent changes are merged field by field', async () => {
  const id = await tour.registry.register({
    client_name: 'Original',
    client_uri: 'https://original.example/',
  });
  await edit(id);
  await name().fill('Mine');
  await tour.page.getByRole('textbox', { name: 'Home page' }).fill('https://mine.example/');
  await tour.registry.ask('PUT', `/client/${id}`, {
    client_name: 'Theirs',
    client_uri: 'https://original.example/',
    redirect_uris: ['https://theirs.example/cb'],
  });
  await save();
  await tour.page.getByText('Someone else has changed this client').waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);

  // Back in the form, nothing is lost.
  await tour.page.getByRole('button', { name: 'Back to my form' }).click();
  expect(await name().inputValue()).toBe('Mine');
  await save();
  await tour.page.getByRole('radiogroup', { name: 'Name' }).getByRole('radio', { name: 'Theirs' }).click();
  await tour.page.getByRole('button', { name: 'Save merged client' }).click();
  await untilSaved('Theirs');
  expect(await tour.registry.ask('GET', `/client/${id}`)).toMatchObject({
    client_name: 'Theirs',
    client_uri: 'https://mine.example/',
    redirect_uris: ['https://theirs.example/cb'],
  });
});

test('a list changed by two users is merged item by item, with who changed it and when', async () => {
  const uris = (...paths: string[]) => paths.map((path) => `https://list.example/${path}`);
  const id = await tour.registry.register({
    client_name: 'Listed',
    redirect_uris: uris('kept', 'theirs-not', 'not'),
  });
  await edit(id, 'Redirects');
  const row = (number: number) =>
    tour.page.getByRole('textbox', { name: `Redirect URIs, ${number}`, exact: true });
  await row(3).fill('https://list.example/mine');
  const { token } = await tour.registry.ask<{ token: string }>('POST', '/token', {
    name: 'Colleague',
    scopes: ['clients:read', 'clients:write'],
  });
  await askForJson(`${tour.registry.url}/client/${id}`, {
    method: 'PATCH',
    token,
    body: { redirect_uris: uris('kept', 'not', 'theirs') },
  });
  await save();
  const notice = tour.page.getByRole('alert').filter({ hasText: 'Someone else has changed this client' });
  await notice
    .getByText(/^Changed by Colleague from 127\.0\.0\.1, (just now|\d+ seconds? ago|this minute)/)
    .waitFor();
  const list = tour.page.getByRole('group', { name: 'Redirect URIs' });
  // Once in the notice, and once at the field.
  expect(await tour.page.getByText(/Changed by Colleague from/).count()).toBe(2);
  const items = list.getByRole('checkbox');
  const stateOf = async (path: string) =>
    list.getByRole('checkbox', { name: `https://list.example/${path}`, exact: true }).isChecked();
  expect(await items.count()).toBe(4);
  expect(await Promise.all(['theirs', 'mine', 'theirs-not', 'not'].map(stateOf))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await tour.page.getByRole('button', { name: 'Save merged client' }).click();
  await untilSaved('Listed');
  expect((await tour.registry.ask('GET', `/client/${id}`))['redirect_uris']).toEqual(
    uris('kept', 'mine', 'theirs'),
  );
});

test('a field both changed has no preselection and blocks saving until resolved, here by keyboard', async () => {
  const id = await tour.registry.register({ client_name: 'Both', client_uri: 'https://one.example/' });
  await edit(id);
  await name().fill('Mine');
  await tour.page.getByRole('textbox', { name: 'Home page' }).fill('https://mine.example/');
  await tour.registry.ask('PATCH', `/client/${id}`, { client_name: 'Theirs' });
  await save();
  const field = (label: string) => tour.page.getByRole('radiogroup', { name: label });
  await field('Name').waitFor();
  expect(await field('Name').getByRole('radio', { checked: true }).count()).toBe(0);
  expect(await field('Home page').getByRole('radio', { checked: true }).count()).toBe(1);
  let sent = 0;
  tour.page.on('request', (request) => {
    if (request.method() === 'PATCH') sent += 1;
  });
  const saveMerged = tour.page.getByRole('button', { name: 'Save merged client' });
  await saveMerged.press('Enter');
  await field('Name').getByRole('radio', { name: 'Theirs' }).and(tour.page.locator(':focus')).waitFor();
  await tour.page.getByText('Choose which value to keep', { exact: true }).waitFor();
  await tour.page.getByRole('button', { name: '1 field to resolve' }).waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  expect(sent).toBe(0);
  await tour.page.keyboard.press('ArrowDown');
  await tour.page.keyboard.press('Space');
  expect(await field('Name').getByRole('radio', { name: 'Mine' }).getAttribute('aria-checked')).toBe('true');
  await saveMerged.press('Enter');
  await heading('Mine').waitFor();
  expect(await tour.registry.ask('GET', `/client/${id}`)).toMatchObject({
    client_name: 'Mine',
    client_uri: 'https://mine.example/',
  });
});

test('a merge shows violations, server refusals, and what has changed again', async () => {
  const id = await tour.registry.register({
    client_name: 'Thrice',
    client_uri: 'https://one.example/',
    redirect_uri_validation_method: 'prefix_match',
  });
  const theirs = async (members: object) => tour.registry.ask('PATCH', `/client/${id}`, members);
  const row = (label: string) => tour.page.getByRole('radiogroup', { name: label });
  await edit(id);
  await name().fill('Mine');
  await tour.page.getByRole('textbox', { name: 'Home page' }).fill('https://mine.example/');
  await theirs({ client_name: 'Theirs', client_uri: 'https://two.example/' });
  await save();
  const saveMerged = () => tour.page.getByRole('button', { name: 'Save merged client' }).click();
  await tour.page.getByText('Someone else has changed this client').waitFor();
  // The merged client is validated as it stands.
  await tour.page.getByRole('note').getByText('prefix_match is not OAuth 2.0 compliant').waitFor();
  await row('Name').getByRole('radio', { name: 'Theirs' }).click();
  await row('Home page').getByRole('radio', { name: 'Mine' }).click();

  await theirs({ client_uri: 'https://three.example/' });
  await saveMerged();
  await tour.page.getByText('This client has changed again').waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await row('Home page').getByText('https://three.example/').waitFor();
  const again = tour.page.getByText('It has changed again.');
  expect(await again.count()).toBe(1);
  await tour.page.getByText('You both changed this field.').filter({ has: again }).waitFor();
  const chosen = async (label: string, side: string) =>
    row(label).getByRole('radio', { name: side }).getAttribute('aria-checked');
  // A decision is reopened when its values change.
  expect([await chosen('Name', 'Theirs'), await chosen('Home page', 'Mine')]).toEqual(['true', 'false']);
  await row('Home page').getByRole('radio', { name: 'Mine' }).click();

  await tour.page.route(`**/client/${id}`, (route) =>
    route.fulfill({
      status: 400,
      contentType: 'application/problem+json',
      json: {
        detail: 'invalid',
        errors: [
          { field: '/client_name', code: 'policy', message: 'client_name is reserved' },
          { field: '/cookie_domain', code: 'policy', message: 'cookie_domain is missing' },
        ],
      },
    }),
  );
  await saveMerged();
  await tour.page.getByText('client_name is reserved', { exact: true }).filter({ visible: true }).waitFor();
  await tour.page.getByRole('alert').getByText('cookie_domain is missing').waitFor();
  await tour.page.unroute(`**/client/${id}`);
  await saveMerged();
  await untilSaved('Theirs');
  expect(await tour.registry.ask('GET', `/client/${id}`)).toMatchObject({
    client_name: 'Theirs',
    client_uri: 'https://mine.example/',
    redirect_uri_validation_method: 'prefix_match',
  });
});

test('a form survives the end of its session', async () => {
  const id = await tour.registry.register({ client_name: 'Long edit' });
  await edit(id);
  await name().fill('Typed for an hour');
  await tour.page.route(`**/client/${id}`, (route) =>
    route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"detail":"no"}' }),
  );
  await save();
  await tour.page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await tour.page.unroute(`**/client/${id}`);
  await tour.page.getByLabel('API token', { exact: true }).fill(tour.registry.token);
  await tour.page.keyboard.press('Enter');
  await tour.page.getByRole('dialog').waitFor({ state: 'hidden' });
  expect(await name().inputValue()).toBe('Typed for an hour');
  expect(await tour.page.getByRole('alert').count()).toBe(0);
  await save();
  await heading('Typed for an hour').waitFor();
});

test('a card saves its own fields, also when someone else has changed others, and takes the focus back', async () => {
  const id = await tour.registry.register({ client_name: 'Apart', client_uri: 'https://apart.example/' });
  await edit(id, 'Redirects');
  const uri = tour.page.getByRole('textbox', { name: 'Redirect URIs, 1', exact: true });
  await uri.fill('https://apart.example/mine');
  // The bar is in sight wherever the page is scrolled, and other cards wait.
  await tour.page.evaluate('scrollTo(0, 0)');
  await tour.page.getByText('Unsaved changes in Redirects').waitFor();
  const others = tour.page.getByRole('button', { name: 'Edit Identity' });
  expect(await others.getAttribute('aria-disabled')).toBe('true');
  await tour.registry.ask('PATCH', `/client/${id}`, { client_name: 'Apart, renamed' });
  const sent: unknown[] = [];
  tour.page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.postDataJSON());
  });
  await tour.page.keyboard.press('ControlOrMeta+s');
  await heading('Apart, renamed').waitFor();
  await tour.page.getByRole('button', { name: 'Edit Redirects' }).and(tour.page.locator(':focus')).waitFor();
  expect(sent.at(-1)).toEqual({ redirect_uris: ['https://apart.example/mine'] });
  expect(await tour.registry.ask('GET', `/client/${id}`)).toMatchObject({
    client_name: 'Apart, renamed',
    client_uri: 'https://apart.example/',
    redirect_uris: ['https://apart.example/mine'],
  });
});

test('labels that are removed are gone, and cleared fields are not set', async () => {
  const id = await tour.registry.register({
    client_name: 'Labelled',
    client_uri: 'https://labelled.example/',
    labels: { team: 'shop', tier: 'gold' },
  });
  await edit(id);
  await tour.page.getByRole('textbox', { name: 'Home page' }).fill('');
  await tour.page.getByRole('button', { name: 'Remove Labels, 1' }).click();
  await save();
  await untilSaved('Labelled');
  const saved = await tour.registry.ask('GET', `/client/${id}`);
  expect(saved['labels']).toEqual({ tier: 'gold' });
  expect(saved).not.toHaveProperty('client_uri');
});

test('unset fields fold away, and a public client shows no secrets', async () => {
  const id = await tour.registry.register({ client_name: 'Bare' });
  await tour.open(`/clients/${id}`);
  const unset = tour.page.getByRole('button', { name: /^Identity: \d settings not set/ });
  await unset.waitFor();
  expect(await tour.page.getByText('client_uri', { exact: true }).count()).toBe(0);
  expect(await tour.page.getByText('Client secrets').count()).toBe(0);
  await unset.press('Enter');
  await tour.page.getByText('client_uri', { exact: true }).waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await tour.page.getByRole('button', { name: 'More actions' }).click();
  await tour.page.getByRole('menuitem', { name: 'Delete' }).waitFor();
  expect(await tour.page.getByRole('menuitem', { name: 'Rotate secret' }).count()).toBe(0);
});

test('a warning is fixed where it stands, after its difference is shown, and not over the changes of others', async () => {
  const id = await tour.registry.register({ client_name: 'Loose', code_challenge_method: 'none' });
  await tour.open(`/clients/${id}`);
  const warning = tour.page.getByRole('note').filter({ hasText: 'should use code_challenge_method S256' });
  await warning.getByRole('button', { name: 'Fix' }).click();
  await warning.getByText('S256', { exact: true }).waitFor();
  await tour.registry.ask('PATCH', `/client/${id}`, { client_name: 'Loose, renamed' });
  await warning.getByRole('button', { name: 'Apply fix' }).click();
  await tour.page.getByText('The client has changed in the meantime.').waitFor();
  await heading('Loose, renamed').waitFor();
  await warning.getByRole('button', { name: 'Apply fix' }).click();
  await warning.waitFor({ state: 'detached' });
  expect(await tour.registry.ask('GET', `/client/${id}`)).toMatchObject({
    client_name: 'Loose, renamed',
    code_challenge_method: 'S256',
    warnings: [],
  });
});
