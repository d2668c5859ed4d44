import { eventually } from '@svc/test-servers';
import { startTour } from './support/console-tour.js';
import { newGate } from './support/gate.js';
import { keepMessages } from './support/keep-messages.js';

const tour = startTour();

const toast = (message: string) => tour.page.getByRole('alert').filter({ hasText: message });
const act = async (name: string) => {
  await tour.page.getByRole('button', { name: 'More actions' }).click();
  await tour.page.getByRole('menuitem', { name }).click();
};
/** Selects a new client, whose job answers as given, and begins an action on it. */
const actOnSelected = async (name: string, action: string, answer: { status: number; json: object }) => {
  await tour.registry.register({ client_name: name });
  await tour.open(`/clients?q=${encodeURIComponent(name)}`);
  await tour.page.route('**/clients/jobs/*', async (route) => route.fulfill(answer));
  await tour.page.getByRole('checkbox', { name: `Select ${name}` }).click();
  const selected = tour.page.getByRole('region', { name: 'Selected clients' });
  await selected.getByRole('button', { name: action }).click();
};

/** The next job starts, but the response is lost. */
const loseStart = async (path: string) =>
  tour.page.route(path, async (route) => {
    const body = route.request().postDataJSON() as { dry_run?: boolean } | null;
    if (route.request().method() !== 'POST' || body?.dry_run === true) return route.continue();
    await route.fetch();
    await route.abort();
  });

test('the sidebar undoes the latest action, even if the message of an older one closes later', async () => {
  const { page } = tour;
  const id = await tour.registry.register({ client_name: 'Toggled' });
  await keepMessages(page);
  await tour.open(`/clients/${id}`);
  await act('Disable');
  await toast('Toggled disabled').waitFor();
  await act('Enable');
  for (const message of ['Toggled enabled', 'Toggled disabled']) {
    await toast(message).getByRole('button', { name: 'Close' }).click();
    await toast(message).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Undo: Toggled enabled' }).waitFor();
  }
});

test('an action that ends after signing out is not reported to the next user', async () => {
  const { page } = tour;
  const id = await tour.registry.register({ client_name: 'Still running' });
  const answer = newGate();
  await page.route(`**/client/${id}/disable`, async (route) => {
    await answer.opened;
    await route.continue();
  });
  await tour.open(`/clients/${id}`);
  await act('Disable');
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByLabel('API token').fill(tour.registry.token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Still running' }).waitFor();
  const response = page.waitForResponse(`**/client/${id}/disable`);
  answer.open();
  await (await response).finished();
  await page.waitForTimeout(500);
  expect(await toast('Still running disabled').count()).toBe(0);
});

test('the end of the session is not reported as an unknown outcome of an action on selected clients', async () => {
  const { page } = tour;
  await actOnSelected('Session over', 'Disable', { status: 401, json: {} });
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await page.waitForTimeout(500);
  expect(await toast("its result couldn't be loaded").count()).toBe(0);
});

test('a deletion whose outcome cannot be read is reported, though its clients and dialog are gone', async () => {
  const { page } = tour;
  const answer = { status: 503, json: { detail: 'The server is restarting.' } };
  await actOnSelected('Gone unseen', 'Delete', answer);
  const dialog = page.getByRole('dialog', { name: 'Delete 1 client?' });
  await dialog.getByLabel('To confirm, type the number').fill('1');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('No matching clients').waitFor();
  await toast("its result couldn't be loaded").waitFor();
});

test('an action on selected clients without a response may have started, and the list shows what it does', async () => {
  const { page } = tour;
  await tour.registry.register({ client_name: 'Silently disabled' });
  await tour.open('/clients?q=silently');
  await loseStart('**/clients/jobs');
  await page.getByRole('checkbox', { name: 'Select Silently disabled' }).click();
  await page
    .getByRole('region', { name: 'Selected clients' })
    .getByRole('button', { name: 'Disable' })
    .click();
  await toast('The action may have started').waitFor();
  const row = page.getByRole('row', { name: /Silently disabled/ });
  await row.getByText('Disabled', { exact: true }).waitFor();
});

test('an action on selected clients that finds nothing left to do shows what has become of them', async () => {
  const { page } = tour;
  const id = await tour.registry.register({ client_name: 'Disabled elsewhere' });
  await tour.open('/clients?q=elsewhere');
  const row = page.getByRole('row', { name: /Disabled elsewhere/ });
  await row.waitFor();
  await tour.registry.ask('POST', `/client/${id}/disable`);
  await row.getByRole('checkbox').click();
  await page
    .getByRole('region', { name: 'Selected clients' })
    .getByRole('button', { name: 'Disable' })
    .click();
  await toast('0 clients disabled').waitFor();
  await row.getByText('Disabled', { exact: true }).waitFor();
});

test('an edit of selected clients without a response closes its dialog and says that it may have started', async () => {
  const { page } = tour;
  const id = await tour.registry.register({ client_name: 'Silently edited' });
  await tour.open('/clients?q=silently');
  await page.getByRole('checkbox', { name: 'Select Silently edited' }).click();
  await page.getByRole('region', { name: 'Selected clients' }).getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit clients' });
  await dialog.getByLabel('Setting', { exact: true }).selectOption('Labels');
  await dialog.getByRole('textbox').fill('team:shop');
  await dialog.getByRole('button', { name: 'Preview changes' }).click();
  await loseStart('**/clients/jobs');
  await dialog.getByRole('button', { name: 'Change 1 client' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await toast('The action may have started').waitFor();
  await eventually(async () =>
    expect(await tour.registry.ask('GET', `/client/${id}`)).toMatchObject({ labels: { team: 'shop' } }),
  );
});

test('a job whose undo got no response is shown as undone', async () => {
  const { page } = tour;
  const clientId = await tour.registry.register({ client_name: 'Silently restored' });
  const body = { action: 'disable', client_ids: [clientId] };
  const { id } = await tour.registry.ask<{ id: number }>('POST', '/clients/jobs', body);
  await tour.open(`/activity/${id}`);
  await page.getByText('Finished').first().waitFor();
  await loseStart('**/undo');
  const undo = page.getByRole('button', { name: 'Undo: Disable clients' });
  await undo.click();
  await toast('The action may have started').waitFor();
  await page.getByRole('link', { name: 'View the job that undid this one' }).waitFor();
  await undo.waitFor({ state: 'hidden' });
});

const openFix = async () => {
  await tour.registry.register({
    client_name: 'Weak',
    redirect_uris: ['https://weak.example/cb'],
    token_endpoint_auth_method: 'none',
    code_challenge_method: 'none',
  });
  await tour.open('/recommendations');
  await tour.page
    .getByRole('button', { name: /^Fix \d+/ })
    .first()
    .click();
};
const openEdit = async (name = 'Refused edit') => {
  await tour.registry.register({ client_name: name });
  await tour.open(`/clients?q=${encodeURIComponent(name)}`);
  await tour.page.getByRole('checkbox', { name: `Select ${name}` }).click();
  await tour.page
    .getByRole('region', { name: 'Selected clients' })
    .getByRole('button', { name: 'Edit' })
    .click();
  const dialog = tour.page.getByRole('dialog', { name: 'Edit clients' });
  await dialog.getByLabel('Setting', { exact: true }).selectOption('Description');
  await dialog.getByRole('textbox').fill('refused');
  await dialog.getByRole('button', { name: 'Preview changes' }).click();
};

test.each([
  ['a fix', openFix],
  ['an edit', async () => openEdit()],
])('while %s of many clients is sent, Escape does not hide that it is refused', async (_what, open) => {
  const { page } = tour;
  const answer = newGate();
  await page.route('**/clients/jobs', async (route) => {
    const body = route.request().postDataJSON() as { dry_run?: boolean } | null;
    if (body === null || body.dry_run === true) return route.continue();
    await answer.opened;
    await route.fulfill({ status: 403, json: { detail: 'Not for you.' } });
  });
  await open();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^(Fix|Change) \d+ clients?$/ }).click();
  await dialog.getByRole('button', { name: 'Cancel', disabled: true }).waitFor();
  await page.keyboard.press('Escape');
  for (const input of await dialog.locator('select, input, textarea').all())
    expect(await input.isDisabled()).toBe(true);
  answer.open();
  await dialog.getByText('Not for you.').waitFor();
  await page.unroute('**/clients/jobs');
});

test.each(['Overview', 'Activity'])(
  'an undo that is answered after the user has opened %s leaves them there',
  async (screen) => {
    const { page } = tour;
    const id = await tour.registry.register({ client_name: 'Undone late' });
    const job = { action: 'disable', filter: {}, client_ids: [id] };
    const { id: jobId } = await tour.registry.ask<{ id: number }>('POST', '/clients/jobs', job);
    const answer = newGate();
    await page.route(`**/clients/jobs/${jobId}/undo`, async (route) => {
      await answer.opened;
      await route.continue();
    });
    await tour.open(`/activity/${jobId}`);
    await page.getByRole('button', { name: 'Undo: Disable clients' }).click();
    await page.getByRole('link', { name: screen, exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: screen }).waitFor();
    answer.open();
    await toast(`Undo of job ${jobId} started`).waitFor();
    await page.getByRole('heading', { level: 1, name: screen }).waitFor();
  },
);

test('a job says which clients it covers in the words of the filters', async () => {
  const filter = { enabled: 'true', secret_expires_within: '7', q: 'nobody' };
  const { id } = await tour.registry.ask<{ id: number }>('POST', '/clients/jobs', {
    action: 'disable',
    filter,
  });
  await tour.open(`/activity/${id}`);
  await tour.page.getByText(/Status: Enabled/).waitFor();
  await tour.page.getByText(/Search: nobody/).waitFor();
  await tour.page.getByText(/Secret expires: Within 7 days/).waitFor();
});

test('the hint about the default appears only for settings that can be empty', async () => {
  await openEdit('Emptied');
  const dialog = tour.page.getByRole('dialog', { name: 'Edit clients' });
  const hint = dialog.getByText('Leave it empty to restore the default.');
  const choose = async (setting: string) => {
    await dialog.getByLabel('Setting', { exact: true }).selectOption(setting);
    await dialog.getByRole('group', { name: 'Preview changes' }).waitFor({ state: 'detached' });
  };
  await hint.waitFor();
  await choose('Application type');
  await dialog.getByRole('radio').first().waitFor();
  expect(await hint.count()).toBe(0);
  await choose('Grant types');
  await hint.waitFor();
  for (const box of await dialog.getByRole('checkbox', { checked: true }).all()) await box.uncheck();
  await dialog.getByRole('button', { name: 'Preview changes' }).click();
  await dialog.getByText('1 unchanged').first().waitFor();
});
