import { eventually } from '@svc/test-servers';
import { accessibilityViolations, expectAccessible } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';
import { type Gate, newGate } from './support/gate.js';

const tour = startTour();

/** More than can be counted exactly. */
const CLIENTS = 11_000;
const WEAK = 12;
const LONG_MS = 540_000;

const main = () => tour.page.getByRole('main');
const button = (name: string | RegExp) => tour.page.getByRole('button', { name });
const selectionBar = () => tour.page.getByRole('region', { name: 'Selected clients' });
const stats = async () => tour.registry.ask<Record<string, number>>('GET', '/clients/stats');
const latestJob = async () =>
  (await tour.registry.ask<{ jobs: Record<string, unknown>[] }>('GET', '/clients/jobs?limit=1')).jobs[0]!;

async function selectAll(path = '/clients', total = '10,000+'): Promise<void> {
  await tour.open(path);
  await tour.page
    .getByRole('link', { name: /^Client \d+$/ })
    .first()
    .waitFor();
  await tour.page.getByRole('checkbox', { name: 'Select all loaded clients' }).click();
  await button(`Select all ${total} that match`).click();
}

beforeAll(async () => {
  for (let from = 0; from < CLIENTS; from += 1_000) {
    const operations = Array.from({ length: 1_000 }, (_, index) => ({
      op: 'register',
      client: {
        client_name: `Client ${from + index}`,
        preferred_client_id: `client-${from + index}`,
        redirect_uris: ['https://shop.example/cb'],
        code_challenge_method: from + index < WEAK ? 'none' : 'S256',
      },
    }));
    await tour.registry.ask('POST', '/clients/bulk', { operations });
  }
}, LONG_MS);

test('a warning is fixed in all clients that have it, after a look at the difference', async () => {
  await tour.open('/recommendations');
  const row = tour.page.getByRole('row', { name: /Public client without S256/ });
  await row.getByText('keeps a stolen code from being redeemed').waitFor();
  await row.getByRole('button', { name: `Fix ${WEAK}` }).click();
  const dialog = tour.page.getByRole('dialog');
  await dialog.getByText(`${WEAK} will change`).first().waitFor();
  await dialog.getByText('Client 0', { exact: true }).waitFor();
  await dialog.getByText('S256', { exact: true }).first().waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  expect(await tour.registry.ask('GET', '/client/client-0')).toMatchObject({ code_challenge_method: 'none' });
  await dialog.getByRole('button', { name: `Fix ${WEAK} clients` }).click();
  await tour.page.waitForURL('**/activity/*');
  await main().getByText('Finished').first().waitFor();
  await main().getByText(`${WEAK} changed`).first().waitFor();
  await main().getByRole('link', { name: 'Client 0', exact: true }).waitFor();
  expect(await tour.registry.ask('GET', '/client/client-0')).toMatchObject({ code_challenge_method: 'S256' });
  await expectAccessible(tour.page);
});

test('a job that found another number of clients than its preview says so, and what to do', async () => {
  const job = { action: 'disable', filter: { q: 'Client 199' }, expected_total: 1 };
  const { id } = await tour.registry.ask<{ id: number }>('POST', '/clients/jobs', job);
  await eventually(async () => expect(await latestJob()).toMatchObject({ id, state: 'failed' }));
  await tour.open(`/activity/${id}`);
  await tour.page.getByText('the number of matching clients differs from the preview').waitFor();
  await tour.page
    .getByText(/0 changed · \d+ not done/)
    .first()
    .waitFor();
});

test('a preview closed before the registry has answered leaves no open job', async () => {
  let answer: (() => Promise<void>) | undefined;
  await tour.page.route('**/clients/jobs', async (route) => {
    const response = await route.fetch();
    answer = async () => route.fulfill({ response });
  });
  const canceled = tour.page.waitForRequest(/\/clients\/jobs\/\d+\/cancel$/);
  await selectAll();
  await selectionBar().getByRole('button', { name: 'Disable' }).click();
  const dialog = tour.page.getByRole('dialog', { name: 'Disable clients' });
  await dialog.getByText('Checking').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await eventually(async () => expect(answer).toBeDefined());
  await answer?.();
  await canceled;
  await tour.page.unroute('**/clients/jobs');
});

/** Jobs that are started change nothing, and run until the gate opens. */
async function holdJobs(gate: Gate): Promise<void> {
  let isEnded = false;
  void gate.opened.then(() => (isEnded = true));
  const shown = (job: object) => ({ ...job, dry_run: false, state: isEnded ? 'finished' : 'running' });
  await tour.page.route('**/clients/jobs', async (route) => {
    const body = route.request().postDataJSON() as { dry_run?: boolean };
    if (body.dry_run === true) return route.continue();
    const response = await route.fetch({ postData: JSON.stringify({ ...body, dry_run: true }) });
    await route.fulfill({ response, json: shown((await response.json()) as object) });
    await tour.page.route('**/clients/jobs/*', async (reading) => {
      const read = await reading.fetch();
      await reading.fulfill({ response: read, json: shown((await read.json()) as object) });
    });
  });
}

test.each([
  ['as soon as it is shown', async () => undefined],
  ['after a reload', async () => tour.page.reload()],
])(
  'the list shows what a job has changed, though its page was left before it ended, %s',
  async (_when, beforeLeaving) => {
    const jobEnd = newGate();
    await holdJobs(jobEnd);
    await selectAll('/clients?q=client-9', '1,111');
    const rows = tour.page.locator('tbody tr[data-index]');
    const [first = '', second = ''] = await rows.getByRole('link').allTextContents();
    const disable = async (name: string) =>
      tour.registry.ask('POST', `/client/${name.toLowerCase().replace(' ', '-')}/disable`);
    const disabled = (name: string) => rows.filter({ hasText: name }).getByText('Disabled').waitFor();
    await selectionBar().getByRole('button', { name: 'Disable' }).click();
    await tour.page
      .getByRole('dialog')
      .getByRole('button', { name: /^Disable [\d,]+ clients$/ })
      .click();
    await main()
      .getByText(/^Running/)
      .first()
      .waitFor();
    await beforeLeaving();
    await main()
      .getByText(/^Running/)
      .first()
      .waitFor();
    await disable(first);
    await tour.page.goBack();
    // What it has changed so far.
    await disabled(first);
    await disable(second);
    jobEnd.open();
    await disabled(second);
    for (const name of [first, second]) {
      await tour.registry.ask('POST', `/client/${name.toLowerCase().replace(' ', '-')}/enable`);
    }
  },
);

test('a setting of selected clients is changed after a preview, as a job', async () => {
  await tour.open('/clients?q=client-88&sort=client_id');
  for (const name of ['Client 88', 'Client 880']) {
    await tour.page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).click();
  }
  await selectionBar().getByRole('button', { name: 'Edit' }).click();
  const dialog = tour.page.getByRole('dialog', { name: 'Edit clients' });
  await dialog.getByLabel('Setting', { exact: true }).selectOption('Labels');
  await dialog.getByRole('textbox').fill('team:shop');
  await dialog.getByRole('textbox').press('Enter');
  const second = dialog.getByRole('textbox').nth(1);
  await second.fill('team:pay');
  await dialog.getByRole('button', { name: 'Preview changes', disabled: true }).waitFor();
  await second.fill('');
  await dialog.getByText('added to those that each client has').waitFor();
  await dialog.getByRole('button', { name: 'Preview changes' }).press('Enter');
  const start = dialog.getByRole('button', { name: 'Change 2 clients' });
  await start.waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  const preview = dialog.getByRole('group', { name: 'Preview changes' });
  expect(await preview.evaluate((group) => group === group.ownerDocument.activeElement)).toBe(true);
  await start.click();
  await tour.page.waitForURL('**/activity/*');
  await main().getByRole('heading', { level: 1, name: 'Edit: Labels' }).waitFor();
  await main().getByText('2 changed').first().waitFor();
  expect(await tour.registry.ask('GET', '/client/client-88')).toMatchObject({ labels: { team: 'shop' } });
  expect(await tour.registry.ask('GET', '/client/client-89')).not.toHaveProperty('labels');
});

test('what was done to selected clients can be undone under Activity, long after the toast', async () => {
  await tour.open('/clients?q=client-77&sort=client_id');
  for (const name of ['Client 77', 'Client 770']) {
    await tour.page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).click();
  }
  await selectionBar().getByRole('button', { name: 'Disable' }).click();
  await tour.page.getByText('2 clients disabled').waitFor();
  await tour.open('/activity');
  const entry = main().getByRole('listitem').filter({ hasText: 'Disable clients' });
  await entry.getByText('2 selected clients').waitFor();
  await expectAccessible(tour.page);
  await entry.getByRole('button', { name: 'Undo: Disable clients' }).click();
  await main()
    .getByRole('heading', { level: 1, name: /^Undo of job/ })
    .waitFor();
  await main().getByText('2 changed').first().waitFor();
  expect(await tour.registry.ask('GET', '/client/client-77')).toMatchObject({ enabled: true });
});

test(
  'all clients that match change as a job that survives a reload, can be cancelled and undone',
  async () => {
    await selectAll();
    const bar = selectionBar();
    await bar.getByText('All 10,000+ that match are selected').waitFor();
    expect(await accessibilityViolations(tour.page)).toEqual([]);
    await bar.getByRole('button', { name: 'Disable' }).click();
    const dialog = tour.page.getByRole('dialog', { name: 'Disable clients' });
    await dialog.getByText('11,000 will change').first().waitFor({ timeout: LONG_MS });
    expect(await stats()).toMatchObject({ disabled: 0 });
    await dialog.getByRole('button', { name: 'Disable 11,000 clients' }).click();
    await tour.page.waitForURL('**/activity/*');
    await main()
      .getByText(/^Running/)
      .first()
      .waitFor({ timeout: LONG_MS });
    await main().getByRole('progressbar').waitFor();
    await tour.page.reload();
    await main()
      .getByText(/^Running/)
      .first()
      .waitFor();
    await main()
      .getByText(/[1-9][\d,]* changed ·/)
      .first()
      .waitFor({ timeout: LONG_MS });
    await button('Cancel: Disable clients').click();
    await main()
      .getByText(/^Cancelled/)
      .first()
      .waitFor();
    const { changed } = (await latestJob()) as { changed: number };
    expect(changed).toBeGreaterThan(0);
    expect(changed).toBeLessThan(CLIENTS);
    // The registry counts anew every ten seconds.
    await eventually(async () => expect(await stats()).toMatchObject({ disabled: changed }));
    await expectAccessible(tour.page);
    await button('Undo: Disable clients').click();
    await main()
      .getByRole('heading', { level: 1, name: /^Undo of job/ })
      .waitFor();
    await main()
      .getByText(/^Finished/)
      .first()
      .waitFor({ timeout: LONG_MS });
    await eventually(async () => expect(await stats()).toMatchObject({ disabled: 0 }));
  },
  2 * LONG_MS,
);
