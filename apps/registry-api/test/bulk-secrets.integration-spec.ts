import { onPostgres } from './on-both-databases.js';
import { pathOf, registration } from './running-registry.js';

onPostgres((registry) => {
  const register = async () => {
    const { body } = await registry().ask('POST', '/client', { body: registration() });
    return body as { client_id: string; client_secret: string };
  };

  test('in bulk, a Client can be sent back with its secret, as to PUT and PATCH, but not with another one', async () => {
    const { client_id, client_secret } = await register();
    const foreign = { client_secret: (await register()).client_secret };
    const client = { ...registration({ client_name: 'Sent back' }), client_secret };
    const operations = [
      { op: 'update', client_id, client },
      { op: 'update', client_id, patch: { client_name: 'Patched', client_secret } },
      { op: 'update', client_id, client: { ...client, ...foreign } },
      { op: 'update', client_id, patch: { client_name: 'Foreign', ...foreign } },
    ];
    const { body } = await registry().ask('POST', '/clients/bulk', { body: { atomic: false, operations } });
    expect((body['results'] as { status: number }[]).map(({ status }) => status)).toEqual([
      200, 200, 400, 400,
    ]);
    const read = await registry().ask('GET', pathOf(client_id));
    expect(read.body['client_name']).toBe('Patched');
  });
});
