import { ClientChange } from '../src/clients/client-change.entity.js';
import { onBothDatabases } from './on-both-databases.js';
import { pathOf, registration } from './running-registry.js';

onBothDatabases((registry) => {
  const historyOf = async (clientId: unknown): Promise<ClientChange[]> =>
    registry()
      .dataSource.getRepository(ClientChange)
      .find({ where: { clientId: String(clientId) }, order: { seq: 'ASC' } });

  test('each change leaves one row that says who, from where and what', async () => {
    const { body, headers } = await registry().ask('POST', '/client', { body: registration() });
    const path = pathOf(body['client_id']);
    await registry().ask('PUT', path, { body: registration({ client_name: 'Renamed' }) });
    await registry().ask('DELETE', path);
    const history = await historyOf(body['client_id']);
    const actor = { actorName: 'bootstrap', address: '127.0.0.1' };
    expect(history).toMatchObject([
      { ...actor, kind: 'registered', before: null, after: { client_name: 'Shop' } },
      { ...actor, kind: 'updated', before: { client_name: 'Shop' }, after: { client_name: 'Renamed' } },
      { ...actor, kind: 'deleted', before: { client_name: 'Renamed' }, after: null },
    ]);
    expect(`"${history[0]?.seq}"`).toBe(headers.get('etag'));
  });

  test('what was refused leaves no row', async () => {
    const taken = registration({ preferred_client_id: 'once' });
    await registry().ask('POST', '/client', { body: taken });
    await registry().ask('POST', '/client', { body: taken });
    await registry().ask('PUT', '/client/once', { body: registration({ redirect_uris: [] }) });
    const stale = { 'if-match': '"0"' };
    await registry().ask('PUT', '/client/once', { body: registration({ client_name: 'x' }), headers: stale });
    await registry().ask('DELETE', '/client/once', { headers: stale });
    expect((await historyOf('once')).map(({ kind }) => kind)).toEqual(['registered']);
  });

  test('no secret and no token stands anywhere in the database or in the log', async () => {
    const { body } = await registry().ask('POST', '/client', { body: registration() });
    const secret = String(body['client_secret']);
    await registry().ask('PUT', pathOf(body['client_id']), { body: { ...body, client_name: 'Renamed' } });
    const dumps: unknown[] = [];
    for (const { tableName } of registry().dataSource.entityMetadatas) {
      dumps.push(await registry().dataSource.query(`SELECT t::text AS row FROM ${tableName} t`));
    }
    const everything = JSON.stringify(dumps) + registry().logged();
    expect(everything).toContain(String(body['client_id']));
    for (const value of [secret, registry().token]) {
      expect(everything).not.toContain(value);
      expect(everything).not.toContain(Buffer.from(value).toString('hex'));
    }
  });
});
