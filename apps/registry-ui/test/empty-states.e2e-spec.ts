import { startTour } from './support/console-tour.js';

const tour = startTour();

test('pages without content say what would be there, and lead to the next step', async () => {
  await tour.open('/activity');
  await tour.page.getByText('you can follow the progress here').waitFor();
  await tour.page.getByRole('link', { name: 'View clients' }).click();
  await tour.page.getByRole('link', { name: 'Register your first client' }).waitFor();

  await tour.open('/changes');
  await tour.page.getByText('Every change to a client appears here').waitFor();
  await tour.page.getByRole('link', { name: 'Register client' }).waitFor();
  await tour.page.getByLabel('Type of change').selectOption('Deleted');
  await tour.page.getByText('No recent changes of this type').waitFor();
  await tour.page.getByRole('button', { name: 'All types' }).click();
  await tour.page.getByText('No changes yet').waitFor();
});

test('a client that was never used says how its usage comes to be recorded', async () => {
  const id = await tour.registry.register({ client_name: 'Never used' });
  await tour.open(`/clients/${id}?tab=usage`);
  await tour.page.getByText('Once an authorization server checks requests').waitFor();
  await tour.page.getByText('No requests were rejected in this period.').waitFor();
});
