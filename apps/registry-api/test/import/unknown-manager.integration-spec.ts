import { onPostgres } from '../on-both-databases.js';
import { registration } from '../running-registry.js';

onPostgres((registry) => {
  test('the history of a Client from before managers were recorded says what took it over', async () => {
    const { dataSource, ask } = registry();
    await ask('POST', '/client', { body: registration({ preferred_client_id: 'older' }) });
    await dataSource.query('UPDATE client SET managed_by = NULL');
    await dataSource.query('UPDATE client_change SET labels = NULL');
    const taken = await ask('POST', '/clients/import?set=one&take_over=true', {
      body: JSON.stringify(registration({ client_id: 'older' })),
      headers: { 'content-type': 'application/x-ndjson' },
    });
    expect(taken.body).toMatchObject({ taken_over: 1 });
    const { status, body } = await ask('GET', '/client/older/history');
    expect([status, JSON.stringify(body)]).toEqual([200, expect.not.stringContaining('null')]);
    expect(body['changes']).toMatchObject([
      { kind: 'updated', changed: [{ field: 'managed_by', after: 'set:one' }] },
      { kind: 'registered' },
    ]);
  });
});
