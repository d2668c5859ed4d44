import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';

const tour = startTour();

const client = (id: string, overrides: Readonly<Record<string, unknown>> = {}) => ({
  client_id: id,
  client_name: `Imported ${id}`,
  redirect_uris: [`https://${id}.example/cb`],
  code_challenge_method: 'S256',
  ...overrides,
});

const fileOf = (...lines: readonly unknown[]) => ({
  name: 'clients.ndjson',
  mimeType: 'application/x-ndjson',
  buffer: Buffer.from(
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  ),
});

const choose = async (file: Parameters<ReturnType<typeof tour.page.locator>['setInputFiles']>[0]) =>
  tour.page.locator('input[type=file]').setInputFiles(file);
const chooseSet = async (name: string) => {
  const set = tour.page.getByRole('textbox', { name: 'Set' });
  await set.fill(name);
  await set.press('Enter');
};
const count = (name: string) =>
  tour.page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .locator('xpath=following-sibling::dd')
    .textContent();
const changes = () => tour.page.getByRole('table', { name: 'Changed clients' });
const nameOf = async (id: string) => (await tour.registry.ask('GET', `/client/${id}`))['client_name'];

test('a file is previewed, then imported, and the new secrets are saved', async () => {
  await tour.registry.register({ ...client('known'), client_id: undefined, preferred_client_id: 'known' });
  await tour.open('/clients');
  await tour.page.getByRole('link', { name: 'Import', exact: true }).click();
  await tour.page.getByRole('button', { name: 'Choose a file' }).waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await choose(fileOf(client('known', { client_name: 'Renamed', enabled: false }), client('fresh')));
  await changes().getByText('fresh').waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  expect(await Promise.all(['Registered', 'Updated', 'Disabled', 'Deleted'].map(count))).toEqual([
    '1',
    '1',
    '1',
    '0',
  ]);
  await expect(tour.registry.ask('GET', '/client/fresh')).rejects.toThrow('404');

  await tour.page.getByRole('button', { name: 'Import 2 changes' }).click();
  await tour.page.getByRole('heading', { level: 1, name: '2 changes imported' }).waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  expect(await nameOf('known')).toBe('Renamed');
  // Leaving before saving the secrets asks first.
  await tour.page.getByRole('link', { name: 'View clients' }).click();
  await tour.page.getByRole('dialog', { name: 'Leave without the secrets?' }).waitFor();
  await tour.page.getByRole('button', { name: 'Stay' }).click();
  const [download] = await Promise.all([
    tour.page.waitForEvent('download'),
    tour.page.getByRole('button', { name: 'Save secrets' }).click(),
  ]);
  const { client_id: id, client_secret: secret } = JSON.parse(
    await readFile(await download.path(), 'utf8'),
  ) as {
    client_id: string;
    client_secret: string;
  };
  expect(id).toBe('fresh');
  const check = await tour.registry.ask('POST', '/client/fresh/check/secret', { client_secret: secret });
  expect(check['valid']).toBe(true);
  await tour.page.getByRole('button', { name: 'Import another file' }).click();
  await choose(fileOf(client('second')));
  await tour.page.getByRole('button', { name: 'Import 1 change' }).click();
  await tour.page.getByRole('heading', { level: 1, name: '1 change imported' }).waitFor();
  // Reopening the same screen asks first as well.
  await tour.page.keyboard.press('Control+k');
  await tour.page.getByRole('combobox', { name: /Search for a page/ }).fill('import');
  await tour.page.keyboard.press('Enter');
  await tour.page
    .getByRole('dialog', { name: 'Leave without the secrets?' })
    .getByRole('button', { name: 'Leave' })
    .click();
  await tour.page.getByRole('button', { name: 'Choose a file' }).waitFor();
  await tour.open('/clients');
  await tour.page.getByRole('link', { name: 'Renamed', exact: true }).waitFor();
});

test('violations are listed by line and nothing is imported; a corrected file is previewed again', async () => {
  await tour.open('/import');
  await choose(
    fileOf(client('sound'), '', client('loose', { redirect_uris: ['http://loose.example/'] }), '{"half":'),
  );
  const violations = tour.page.getByRole('table', { name: 'Issues by line' });
  await violations.getByRole('row', { name: /^3 redirect_uris\/0 .*must have the scheme https/ }).waitFor();
  await violations.getByRole('row', { name: /^4 / }).waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  expect(await tour.page.getByRole('button', { name: /^Import \d/ }).count()).toBe(0);
  await choose(fileOf(client('sound')));
  await tour.page.getByRole('button', { name: 'Import 1 change' }).waitFor();
  await expect(tour.registry.ask('GET', '/client/sound')).rejects.toThrow('404');
});

test('the same file is read again after it was corrected', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'import-'));
  const file = join(folder, 'clients.ndjson');
  const write = async (...redirect_uris: string[]) =>
    writeFile(file, `${JSON.stringify(client('corrected', { redirect_uris }))}\n`);
  await tour.open('/import');
  await write('http://corrected.example/');
  await choose(file);
  await tour.page.getByRole('table', { name: 'Issues by line' }).waitFor();
  // A browser reports a file that is chosen again only if the input is empty.
  expect(await tour.page.locator('input[type=file]').inputValue()).toBe('');
  await write('https://corrected.example/');
  await choose(file);
  await tour.page.getByRole('button', { name: 'Import 1 change' }).waitFor();
  await rm(folder, { recursive: true });
});

test('clients of a set missing from the file are deleted only on request and after their number is typed', async () => {
  await tour.open('/import');
  await choose(fileOf(client('kept-in'), client('left-out')));
  await chooseSet('tour');
  await tour.page.getByRole('button', { name: 'Import 2 changes' }).click();
  await tour.page.getByRole('heading', { level: 1, name: '2 changes imported' }).waitFor();
  await tour.open('/import');
  await choose(fileOf(client('kept-in')));
  await chooseSet('tour');
  await tour.page.getByText('all clients already match the file').waitFor();
  await tour.page.getByRole('switch', { name: 'Delete clients in the set that are not in the file' }).click();
  await changes()
    .getByRole('row', { name: /left-out/ })
    .waitFor();
  const importing = tour.page.getByRole('button', { name: 'Import 1 change' });
  expect(await importing.isDisabled()).toBe(true);
  await tour.page.getByLabel(/^1 client will be deleted/).fill('1');
  await importing.click();
  await tour.page.getByRole('heading', { level: 1, name: '1 change imported' }).waitFor();
  await expect(tour.registry.ask('GET', '/client/left-out')).rejects.toThrow('404');
});

/** Imports a set directly, past the console. */
const importSet = async (name: string, ...ids: string[]) => {
  const response = await tour.page.request.post(`${tour.registry.url}/clients/import?set=${name}`, {
    headers: { authorization: `Bearer ${tour.registry.token}`, 'content-type': 'application/x-ndjson' },
    data: fileOf(...ids.map((id) => client(id))).buffer,
  });
  expect(response.status()).toBe(200);
};

test('if more clients would be deleted than was confirmed, nothing is imported, and the number is asked for anew', async () => {
  await importSet('stale', 'listed', 'unlisted');
  await tour.open('/import');
  await choose(fileOf(client('listed', { client_name: 'Renamed' })));
  await chooseSet('stale');
  await changes()
    .getByRole('row', { name: /^1 listed/ })
    .waitFor();
  await tour.page.getByRole('switch', { name: 'Delete clients in the set that are not in the file' }).click();
  await tour.page.getByLabel(/^1 client will be deleted/).fill('1');
  await importSet('stale', 'joined', 'joined-too');
  await tour.page.getByRole('button', { name: 'Import 2 changes' }).click();
  await tour.page
    .getByRole('alert')
    .getByText('3 clients would be deleted instead of 1; nothing was changed.')
    .waitFor();
  const number = tour.page.getByLabel(/^3 clients will be deleted/);
  await number.waitFor();
  expect(await number.inputValue()).toBe('');
  expect(await tour.page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  expect(await nameOf('unlisted')).toBe('Imported unlisted');
  await number.fill('3');
  await tour.page.getByRole('button', { name: 'Import 4 changes' }).click();
  await tour.page.getByRole('heading', { level: 1, name: '4 changes imported' }).waitFor();
});

/** The import succeeds, but its response is lost. */
const loseResponse = async () => {
  await tour.page.route(/\/clients\/import\?dry_run=false/, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await tour.page.getByRole('button', { name: /^Import \d/ }).click();
  await tour.page.getByText("Can't reach the registry.").waitFor();
  await tour.page.unroute(/\/clients\/import\?dry_run=false/);
};
const missed = () =>
  tour.page.getByRole('alert').filter({ hasText: 'the response with their secrets was lost' });

test('retrying an import whose response was lost names the clients whose secrets are lost', async () => {
  await tour.open('/import');
  await choose(fileOf(client('lost-one'), client('lost-two')));
  await loseResponse();
  expect(await missed().count()).toBe(0);
  await tour.page.getByRole('button', { name: 'Try again' }).click();
  await tour.page.getByRole('heading', { level: 1, name: '0 changes imported' }).waitFor();
  expect(await missed().getByRole('link').allTextContents()).toEqual(['lost-one', 'lost-two']);
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  // Another file has nothing to do with it.
  await tour.page.getByRole('button', { name: 'Import another file' }).click();
  await choose(fileOf(client('lost-one')));
  await tour.page.getByText('all clients already match the file').waitFor();
  expect(await missed().count()).toBe(0);
});

test('after a refusal, clients that others registered meanwhile have lost no secrets', async () => {
  await tour.open('/import');
  await choose(fileOf(client('others-one'), client('others-two')));
  await chooseSet('others');
  const order = /\/clients\/import\?dry_run=false/;
  await tour.page.route(order, async (route) =>
    route.fulfill({ status: 503, json: { detail: 'Another import is in progress.' } }),
  );
  await tour.page.getByRole('button', { name: /^Import \d/ }).click();
  await tour.page.getByText('Another import is in progress.').waitFor();
  await importSet('others', 'others-one', 'others-two');
  await tour.page.unroute(order);
  await tour.page.getByRole('button', { name: 'Try again' }).click();
  await tour.page.getByRole('heading', { level: 1, name: '0 changes imported' }).waitFor();
  expect(await missed().count()).toBe(0);
});

test('the new preview of an import that also deleted, but whose response was lost, names them, too', async () => {
  await importSet('emptied', 'former');
  await tour.open('/import');
  await choose(fileOf(client('lost-three'), client('lost-four')));
  await chooseSet('emptied');
  await tour.page.getByRole('switch', { name: 'Delete clients in the set that are not in the file' }).click();
  await tour.page.getByLabel(/^1 client will be deleted/).fill('1');
  await loseResponse();
  await tour.page.getByRole('button', { name: 'Try again' }).click();
  await tour.page.getByText('all clients already match the file').waitFor();
  expect(await missed().getByRole('link').allTextContents()).toEqual(['lost-three', 'lost-four']);
});

test('a file can be dropped on the drop zone only, and a busy registry is not retried automatically', async () => {
  let asked = 0;
  const refusals = [
    { status: 503, headers: { 'retry-after': '1' }, json: { detail: 'Another import is in progress.' } },
    { status: 413, json: { detail: 'The body is larger than 104857600 bytes.' } },
  ];
  await tour.page.route('**/clients/import?*', async (route) => {
    const refusal = refusals[asked];
    asked += 1;
    await (refusal ? route.fulfill(refusal) : route.continue());
  });
  await tour.open('/import');
  /** @returns whether the browser would leave the console and open the file */
  const drop = async (onto: string) =>
    tour.page.evaluate<boolean>(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([${JSON.stringify(JSON.stringify(client('dropped')))}], 'dropped.ndjson'));
      const dropped = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      return document.querySelector(${JSON.stringify(onto)}).dispatchEvent(dropped);
    })()`);
  await tour.page.getByText('or drop it here').waitFor();
  expect(await drop('h1')).toBe(false);
  expect(await tour.page.getByText('dropped.ndjson').count()).toBe(0);
  expect(await drop('main :has(> input[type=file])')).toBe(false);
  await tour.page.getByText('dropped.ndjson').waitFor();
  for (const { json } of refusals) {
    await tour.page.getByRole('alert').getByText(json.detail).waitFor();
    await tour.page.getByRole('button', { name: 'Try again' }).click();
  }
  await tour.page.getByRole('button', { name: 'Import 1 change' }).waitFor();
  expect(asked).toBe(3);
});

test('a file larger than 100 MiB, or empty, is rejected before it is sent', async () => {
  const asked: string[] = [];
  tour.page.on('request', (request) => {
    if (request.url().includes('/clients/import')) asked.push(request.url());
  });
  const folder = await mkdtemp(join(tmpdir(), 'import-'));
  const path = join(folder, 'large.ndjson');
  const file = await open(path, 'w');
  await file.truncate(100 * 1024 * 1024 + 1);
  await file.close();
  await tour.open('/import');
  await choose(path);
  await tour.page.getByText('The file is 100.1 MiB; the limit is 100 MiB.').waitFor();
  await choose(fileOf());
  await tour.page.getByText('The file is empty.').waitFor();
  expect(asked).toEqual([]);
  await rm(folder, { recursive: true });
});
