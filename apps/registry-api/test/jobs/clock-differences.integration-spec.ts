import { eventually } from '@svc/test-servers';
import { onPostgres } from '../on-both-databases.js';
import { pathOf, registration } from '../running-registry.js';

onPostgres((registry) => {
  test('a Client belongs to a job even if it was registered by a clock that is ahead', async () => {
    const { ask, dataSource } = registry();
    const { body: client } = await ask('POST', '/client', { body: registration() });
    const ahead = `UPDATE client SET created_at = created_at + interval '1 h' WHERE client_id = $1`;
    await dataSource.query(ahead, [client['client_id']]);
    const { headers } = await ask('POST', '/clients/jobs', { body: { action: 'disable', filter: {} } });
    await eventually(async () => {
      const { body: job } = await ask('GET', String(headers.get('location')));
      expect(job).toMatchObject({ state: 'finished', changed: 1 });
    });
    expect((await ask('GET', pathOf(client['client_id']))).body['enabled']).toBe(false);
  });
});
