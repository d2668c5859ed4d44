import { eventually } from '@svc/test-servers';
import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';
import { newGate } from './support/gate.js';
import { keepMessages } from './support/keep-messages.js';

const tour = startTour();

/** The registry of this test has no days of usage to rest on, so its answer is replaced. */
async function recommend(...clientIds: readonly string[]): Promise<void> {
  const recommendations = await Promise.all(clientIds.map(recommendationOf));
  const page = { recommendations, examined: 1, unproven: 0, incomplete_days: [] };
  await tour.page.route('**/clients/recommendations*', async (route) => route.fulfill({ json: page }));
}

async function recommendationOf(clientId: string) {
  const { headers } = await fetch(`${tour.registry.url}/client/${clientId}`, {
    headers: { authorization: `Bearer ${tour.registry.token}` },
  });
  return {
    client_id: clientId,
    client_name: 'Loose',
    kind: 'require_s256',
    reason: 'all requests use S256 since 2026-10-25',
    etag: headers.get('etag'),
    request: {
      method: 'PATCH',
      path: `/client/${clientId}`,
      body: { code_challenge_method: 'S256' },
      replaces: { code_challenge_method: 'none' },
    },
    evidence: {
      ...{ from: '2026-10-25', to: '2026-11-23', requests: 7, secret_checks: 0, refused: 0 },
      ...{ seen: [], unused: [] },
    },
    replay: { requests: 7, refused: 0 },
  };
}

test('a recommendation is previewed, applied and undone', async () => {
  const id = await tour.registry.register({ client_name: 'Loose', code_challenge_method: 'none' });
  const method = async () => (await tour.registry.ask('GET', `/client/${id}`))['code_challenge_method'];
  await recommend(id);
  await tour.open('/recommendations');
  await tour.page.getByRole('checkbox', { name: 'Require PKCE with S256' }).check();
  await tour.page.getByRole('button', { name: 'Preview 1 change' }).click();
  await tour.page.getByRole('dialog').getByText('S256', { exact: true }).waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  expect(await method()).toBe('none');
  await tour.page.getByRole('button', { name: 'Apply' }).click();
  await tour.page.getByText('1 client changed').waitFor();
  expect(await method()).toBe('S256');
  await tour.page.getByRole('button', { name: 'Undo' }).click();
  await eventually(async () => expect(await method()).toBe('none'));
});

test('applying recommendations again after the response was lost reports the changes, and undoes them', async () => {
  const { page, registry } = tour;
  const id = await registry.register({ client_name: 'Loose', code_challenge_method: 'none' });
  const method = async () => (await registry.ask('GET', `/client/${id}`))['code_challenge_method'];
  await recommend(id);
  await tour.open('/recommendations');
  await page.getByRole('checkbox', { name: 'Require PKCE with S256' }).check();
  await page.getByRole('button', { name: 'Preview 1 change' }).click();
  const dialog = page.getByRole('dialog');
  const apply = dialog.getByRole('button', { name: 'Apply' });
  await page.route('**/clients/bulk', async (route) => {
    const { dry_run: isPreview } = route.request().postDataJSON() as { dry_run: boolean };
    if (isPreview) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await apply.click();
  await dialog.getByRole('alert').waitFor();
  expect(await method()).toBe('S256');
  await page.unroute('**/clients/bulk');
  await page.evaluate('dispatchEvent(new Event("visibilitychange"))');
  await apply.click();
  await page.getByText('1 client changed').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await eventually(async () => expect(await method()).toBe('none'));
});

test('two recommendations are undone at the same time, each once', async () => {
  const { page } = tour;
  const body = { client_name: 'Loose', code_challenge_method: 'none' };
  const ids = [await tour.registry.register(body), await tour.registry.register(body)];
  await keepMessages(page);
  await recommend(...ids);
  await tour.open('/recommendations');
  for (const index of [0, 1]) {
    await page.getByRole('checkbox', { name: 'Require PKCE with S256' }).nth(index).check();
    await page.getByRole('button', { name: 'Preview 1 change' }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  }
  const undo = page.getByRole('alert').getByRole('button', { name: 'Undo' });
  await eventually(async () => expect(await undo.count()).toBe(2));
  const answer = newGate();
  let requests = 0;
  await page.route('**/clients/bulk', async (route) => {
    requests += 1;
    await answer.opened;
    await route.continue();
  });
  await page.evaluate(`{
    const buttons = [...document.querySelectorAll('[role=alert] button')];
    for (const button of buttons.filter(({ textContent }) => textContent === 'Undo')) {
      button.click();
      button.click();
    }
  }`);
  await eventually(async () => expect(requests).toBe(2));
  answer.open();
  for (const id of ids) {
    await eventually(async () =>
      expect(await tour.registry.ask('GET', `/client/${id}`)).toMatchObject({
        code_challenge_method: 'none',
      }),
    );
  }
  expect(requests).toBe(2);
});
