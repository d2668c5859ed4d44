import { accessibilityViolations } from './support/accessibility.js';
import { startTour } from './support/console-tour.js';
import { newGate } from './support/gate.js';

const tour = startTour();
const CB = 'https://used.example/cb';

test('a pasted request is explained, and what no check needs stays in the browser', async () => {
  const id = await tour.registry.register({ client_name: 'Explained', redirect_uris: [`${CB}/`] });
  await tour.open('/redirects');
  const sent: string[] = [];
  tour.page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  const box = tour.page.getByLabel('Authorization URL');
  await box.fill('https://login.example/authorize');
  await tour.page.getByRole('button', { name: 'Explain' }).click();
  await tour.page.getByText('This has no parameters.', { exact: false }).waitFor();
  const query = new URLSearchParams({ client_id: id, redirect_uri: CB, state: 'private-state' });
  await box.fill(`https://login.example/authorize?${query.toString()}`);
  await tour.page.getByRole('button', { name: 'Explain' }).click();
  await tour.page.getByText('The registry rejects this request').waitFor();
  await tour.page.getByText('Difference: a slash at the end.').waitFor();
  await tour.page
    .getByText('No change broke it: the client has never accepted a request like this.')
    .waitFor();
  expect(await tour.page.locator('mark').allTextContents()).toEqual(['/']);
  expect(sent.join('\n')).toContain('/clients/explain');
  expect(sent.join('\n')).not.toContain('private-state');
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await tour.page.getByRole('link', { name: 'Explained' }).click();
  await tour.page.getByRole('heading', { level: 1, name: 'Explained' }).waitFor();
  await tour.page.goBack();
  const kept = await box.inputValue();
  expect(kept).toContain(id);
  expect(kept).not.toContain('private-state');
  await tour.page.getByRole('button', { name: /^Account/ }).click();
  await tour.page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await tour.page.getByLabel('API token').fill(tour.registry.token);
  await tour.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await box.waitFor();
  expect(await box.inputValue()).toBe('');
});

test('the usage of a client: refusals with the closest redirect URI, and redirect URIs for a while', async () => {
  const id = await tour.registry.register({ client_name: 'Used', redirect_uris: [CB] });
  const now = new Date().toISOString();
  const use = { kind: 'request', refusal: 'no_match', pkce: 'S256', response_type: 'code' };
  const near = { redirect_uri: CB, origin: 'https://used.example', difference: 'a slash at the end' };
  await tour.registry.ask('POST', '/clients/usage', {
    ...{ batch_id: 'usage', reporter: 'test', from: now, to: now },
    rows: [{ client_id: id, count: 41, first_at: now, last_at: now, use: { ...use, ...near } }],
  });
  await tour.open(`/clients/${id}?tab=usage`);
  await tour.page.getByText(/^41 since .*: a slash at the end$/).waitFor();
  await tour.page.getByText('Closest redirect URI:').waitFor();

  await tour.page.getByRole('button', { name: 'Add temporary URI' }).click();
  const dialog = tour.page.getByRole('dialog');
  await dialog.getByLabel('Redirect URI').fill('not a URI');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText(/'not a URI'/).waitFor();
  await dialog.getByLabel('Redirect URI').fill('https://preview.example/cb');
  await dialog.getByLabel('Note').fill('branch 41');
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await tour.page.getByText('branch 41').waitFor();
  await tour.page.getByText(/^Expires /).waitFor();
  expect(await accessibilityViolations(tour.page)).toEqual([]);
  await tour.page.getByRole('button', { name: 'Remove https://preview.example/cb' }).click();
  await tour.page.getByText('branch 41').waitFor({ state: 'detached' });
  await tour.page.locator('h1:focus').waitFor();
  const client = await tour.registry.ask('GET', `/client/${id}`);
  expect(client['redirect_uris']).toEqual([CB]);
});

test('clients that were never used, and those that were refused, can be listed', async () => {
  await tour.registry.register({ client_name: 'Never used' });
  await tour.open('/clients?never_used=true&q=never+used');
  await tour.page.getByRole('link', { name: 'Never used' }).waitFor();
  await tour.page.getByRole('button', { name: 'Remove filter: Never used' }).waitFor();
});

test('a redirect URI that has ended since a form was opened is not called a change by someone else, even while its history loads', async () => {
  const ended = 'https://preview.example/ended';
  const id = await tour.registry.register({ client_name: 'Ended', redirect_uris: [CB, ended] });
  const answer = newGate();
  await tour.page.route(`**/client/${id}/history?*`, async (route) => {
    await answer.opened;
    const response = await route.fetch();
    const { changes, ...page } = (await response.json()) as { changes: { actor: object }[] };
    const actor = { id: 'registry', name: 'redirect URI expiry', address: '' };
    await route.fulfill({
      response,
      json: { ...page, changes: changes.map((each) => ({ ...each, actor })) },
    });
  });
  await tour.open(`/clients/${id}`);
  await tour.page.getByRole('button', { name: 'Edit Redirects' }).click();
  const uri = (number: number) =>
    tour.page.getByRole('textbox', { name: `Redirect URIs, ${number}`, exact: true });
  await uri(1).fill('https://mine.example/cb');
  await tour.registry.ask('PATCH', `/client/${id}`, { redirect_uris: [CB] });
  await tour.page.getByRole('button', { name: 'Save', exact: true }).click();
  await tour.page.getByRole('alert').getByText('This client has changed', { exact: true }).waitFor();
  await tour.page.getByText('Removed in the meantime').waitFor();
  expect(await tour.page.getByText(/[sS]omeone else/).count()).toBe(0);
  answer.open();
  await tour.page.getByText('Changed by the registry (redirect URI expiry)').first().waitFor();
  expect(await tour.page.getByText(/[sS]omeone else/).count()).toBe(0);
  expect(await accessibilityViolations(tour.page)).toEqual([]);
});
