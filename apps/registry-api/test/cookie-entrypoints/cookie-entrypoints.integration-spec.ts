import { onPostgres } from '../on-both-databases.js';
import { registration } from '../running-registry.js';

onPostgres((registry) => {
  test('lists the hostnames with cookie-based authorization, and those that lack an entry point', async () => {
    const clients = [
      {
        preferred_client_id: 'a',
        redirect_uris: ['https://x.example/cb'],
        cookie_entry_uri: 'https://x.example/cookie',
      },
      { preferred_client_id: 'b', redirect_uris: ['https://y.example/cb'], cookie_domain: 'y.example' },
      { preferred_client_id: 'c', redirect_uris: ['https://z.example/cb'] },
    ];
    for (const client of clients) {
      const { status } = await registry().ask('POST', '/client', { body: registration(client) });
      expect(status).toBe(201);
    }
    const { status, body } = await registry().ask('GET', '/clients/cookie_entrypoints');
    expect(status).toBe(200);
    expect(body).toEqual({
      hosts: [
        { hostname: 'x.example', entrypoints: ['https://x.example/cookie'], client_count: 1, clients: ['a'] },
        { hostname: 'y.example', entrypoints: [], client_count: 1, clients: ['b'] },
      ],
      lacking: ['y.example'],
    });
  });

  test('more Clients than one read returns are all listed', async () => {
    await registry().dataSource.query(`
      INSERT INTO client (client_id, metadata, cookie_name, seq, created_at, updated_at)
      SELECT 'many-' || i, jsonb_build_object('client_name', 'n', 'redirect_uris', jsonb_build_array('https://many.example/'),
             'cookie_domain', 'many.example'), 'c', nextval('client_change_seq'), now(), now()
      FROM generate_series(1, 4500) AS i`);
    const { body } = await registry().ask('GET', '/clients/cookie_entrypoints');
    expect(body['hosts']).toContainEqual(
      expect.objectContaining({ hostname: 'many.example', client_count: 4500 }),
    );
  });
});
