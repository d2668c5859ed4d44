import { eventually } from '@svc/test-servers';
import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';

const tour = startTour();

/** The registry of this test has no days of usage to rest on, so its answer is replaced. */
async function recommend(clientId: string): Promise<void> {
  const { headers } = await fetch(`${tour.registry.url}/client/${clientId}`, {
    headers: { authorization: `Bearer ${tour.registry.token}` },
  });
  const recommendation = {
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
  const page = { recommendations: [recommendation], examined: 1, unproven: 0, incomplete_days: [] };
  await tour.page.route('**/clients/recommendations*', async (route) => route.fulfill({ json: page }));
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
