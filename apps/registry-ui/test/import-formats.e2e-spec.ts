import { readFile } from 'node:fs/promises';
import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';

const tour = startTour();

const SAMPLES = new URL('../../../tools/sample/clients/', import.meta.url);

const choose = async (name: string, content: string | Buffer) =>
  tour.page.locator('input[type=file]').setInputFiles({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(content),
  });
const chooseSample = async (name: string) => choose(name, await readFile(new URL(name, SAMPLES)));
const formatShown = async () => tour.page.getByLabel('Format').locator('option:checked').textContent();
const leftOut = () => tour.page.getByRole('table', { name: 'Clients left out' });
const importAll = async (changes: string) => {
  await tour.page.getByRole('button', { name: `Import ${changes}` }).click();
  await tour.page.getByRole('heading', { level: 1, name: `${changes} imported` }).waitFor();
};

beforeEach(async () => {
  await tour.open('/import');
  await tour.page.getByRole('button', { name: 'Choose a file' }).waitFor();
});

test('the columns of a spreadsheet are matched, corrected by hand, and missing ids are made', async () => {
  await choose(
    'apps.csv',
    '\uFEFFApp;Callback URL;Contact person\r\nDiary;https://diary.example/cb;Ada\r\nMap;https://map.example/cb;Bo\r\n',
  );
  const columns = tour.page.getByRole('table', { name: 'Columns' });
  const fieldOf = (column: string) => columns.getByLabel(`Import ${column} as`);
  await columns.getByText('https://map.example/cb').waitFor();
  expect(await fieldOf('App').inputValue()).toBe('client_name');
  expect(await fieldOf('Callback URL').inputValue()).toBe('redirect_uris');
  expect(await fieldOf('Contact person').inputValue()).toBe('');
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await fieldOf('Contact person').selectOption({ label: 'Description' });
  await tour.page.getByText('2 clients have no ID in the file and get new ones').waitFor();
  await importAll('2 changes');
  const { clients } = (await tour.registry.ask('GET', '/client?q=diary')) as {
    clients: { client_name: string; description: string; redirect_uris: string[] }[];
  };
  expect(clients).toMatchObject([
    { client_name: 'Diary', description: 'Ada', redirect_uris: ['https://diary.example/cb'] },
  ]);
});

test('a field that is assigned to another column leaves its former one', async () => {
  await choose('apps.csv', 'name,other\nOne,Uno\n');
  const columns = tour.page.getByRole('table', { name: 'Columns' });
  await columns.getByLabel('Import other as').selectOption('client_name');
  expect(await columns.getByLabel('Import name as').inputValue()).toBe('');
});

test('a realm of Keycloak is recognised; its own clients are left out, with the reason', async () => {
  await chooseSample('keycloak-realm.json');
  await tour.page.getByRole('table', { name: 'Changed clients' }).waitFor();
  expect(await formatShown()).toBe('Keycloak');
  await leftOut()
    .getByRole('row', { name: /Keycloak creates it in each realm/ })
    .first()
    .waitFor();
  await tour.page.getByText(/fields? (is|are) not imported/).click();
  await tour.page.getByRole('table', { name: 'Fields that are not imported' }).waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
});

test('a realm without line breaks is recognised, too', async () => {
  const realm: unknown = JSON.parse(await readFile(new URL('keycloak-realm.json', SAMPLES), 'utf8'));
  await choose('realm.json', JSON.stringify(realm));
  await leftOut().waitFor();
  expect(await formatShown()).toBe('Keycloak');
});

test.each([
  ['auth0-clients.json', 'Auth0'],
  ['authentik-blueprint.yaml', 'authentik'],
  ['hydra-client.csv', 'Ory Hydra'],
  ['seacat-clients.ndjson', 'SeaCat Auth'],
])('%s is recognised as an export of %s', async (name, product) => {
  await chooseSample(name);
  await tour.page.getByLabel('Format').waitFor();
  expect(await formatShown()).toBe(product);
});

test('YAML of our own fields is imported; a refused client is shown by its number with its text, without secrets', async () => {
  const yaml = [
    '- {client_id: y1, client_name: Yes, redirect_uris: ["https://y1.example/cb"]}',
    '- {client_id: y2, client_name: No, redirect_uris: ["http://y2.example/cb"], client_secret: hush-hush-hush-hush}',
  ];
  await choose('clients.yaml', yaml.join('\n'));
  const violations = tour.page.getByRole('table', { name: 'Issues by line' });
  await violations.getByRole('row', { name: /^2 redirect_uris\/0 .*https.*"client_id":"y2"/ }).waitFor();
  expect(await tour.page.getByText('hush-hush').count()).toBe(0);
  await choose('clients.yaml', yaml[0] ?? '');
  await importAll('1 change');
  expect(await tour.registry.ask('GET', '/client/y1')).toMatchObject({ client_name: 'Yes' });
});

test.each([
  ['broken.json', '{"clients": [', "The file isn't valid JSON"],
  ['broken.yaml', 'a: [1\nb: 2', "The file isn't valid YAML, line 2"],
  ['broken.csv', 'a,b\n1,2\n"x', 'line 3: a quoted cell is not closed'],
  ['latin1.csv', Buffer.from('name,redirect_uris\nCaf\xe9,x\n', 'latin1'), "The file isn't UTF-8"],
])('%s: the message says what is wrong and where', async (name, content, message) => {
  await choose(name, content);
  await tour.page.getByRole('alert').getByText(message).waitFor();
  expect(await tour.page.getByRole('button', { name: /^Import \d/ }).count()).toBe(0);
});

test('what cannot be converted without the settings of the registry says why, and can be retried', async () => {
  const page = await tour.browser.newPage(tour.registry.token);
  const features = /\/client\/features$/;
  await page.goto(`${tour.registry.url}/ui/import`);
  await page.getByRole('button', { name: 'Choose a file' }).waitFor();
  await page.route(features, async (route) => route.fulfill({ status: 400, json: { detail: 'Not now.' } }));
  await page.reload();
  await page.locator('input[type=file]').setInputFiles({
    name: 'apps.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('name,redirect_uris\nOne,https://one.example/cb\n'),
  });
  await page.getByText('Not now.').waitFor();
  await page.unroute(features);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('table', { name: 'Columns' }).waitFor();
  await page.close();
});

test('an unfamiliar document asks where it comes from', async () => {
  await choose('package.json', '{\n"name": "svc",\n"version": "1.0.0"\n}');
  await tour.page.getByText('Format not recognised.').waitFor();
  await tour.page.getByLabel('Format').selectOption({ label: 'Keycloak' });
  await tour.page.getByRole('alert').getByText('not an export of Keycloak').waitFor();
});

test.each(['clients.csv', 'clients.yaml', 'clients.ndjson'])(
  'the sample %s can be imported as it is',
  async (name) => {
    const [download] = await Promise.all([
      tour.page.waitForEvent('download'),
      tour.page.getByRole('button', { name }).click(),
    ]);
    await choose(name, await readFile(await download.path()));
    await tour.page.getByRole('button', { name: /^Import [12] changes?$/ }).waitFor();
  },
);
