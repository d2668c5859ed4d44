import { onBothDatabases } from '../on-both-databases.js';
import { type Answer, pathOf, registration } from '../running-registry.js';

type Row = Record<string, unknown>;

onBothDatabases((registry) => {
  const load = async (records: readonly unknown[], query = ''): Promise<Answer> =>
    registry().ask('POST', `/clients/import${query}`, {
      body: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
      headers: { 'content-type': 'application/x-ndjson' },
    });
  const record = (clientId: string, overrides: Row = {}) =>
    registration({ client_id: clientId, ...overrides });
  const read = async (clientId: string): Promise<Answer> => registry().ask('GET', pathOf(clientId));
  const ids = async () => {
    const { body } = await registry().ask('GET', '/client?sort=client_id');
    return (body['clients'] as Row[]).map(({ client_id: id }) => id);
  };

  beforeEach(async () => {
    await registry().dataSource.query('DELETE FROM client');
  });

  test('prune deletes absent Clients, keeping their history; a violation prevents it', async () => {
    await load([record('a'), record('b'), record('c')], '?set=s');
    const refused = await load([record('a', { client_name: '' })], '?set=s&prune=true');
    expect(refused.status).toBe(400);
    expect(await ids()).toEqual(['a', 'b', 'c']);
    const { body } = await load([record('b')], '?set=s&prune=true');
    expect(body).toMatchObject({ deleted: 2, unchanged: 1 });
    expect(body['clients']).toEqual([
      { client_id: 'a', changes: ['deleted'] },
      { client_id: 'c', changes: ['deleted'] },
    ]);
    expect(await ids()).toEqual(['b']);
    const history = await registry().ask('GET', `${pathOf('a')}/history?limit=1`);
    expect(history.body['changes']).toMatchObject([{ kind: 'deleted' }]);
  });

  test('an import that would delete more or fewer Clients than expected changes nothing', async () => {
    await load([record('a'), record('b'), record('c')], '?set=s');
    const pruned = [record('a', { client_name: 'Renamed' }), record('d')];
    for (const query of ['expected_deleted=1', 'expected_deleted=3', 'expected_deleted=1&dry_run=true']) {
      const { status, body } = await load(pruned, `?set=s&prune=true&${query}`);
      const expected = /\d/.exec(query)?.[0];
      expect([status, body['detail']]).toEqual([
        409,
        `2 clients would be deleted instead of ${expected}; nothing was changed.`,
      ]);
    }
    const kept = await load(pruned, '?set=s&expected_deleted=2');
    expect(kept.body['detail']).toBe('0 clients would be deleted instead of 2; nothing was changed.');
    expect(await ids()).toEqual(['a', 'b', 'c']);
    expect((await read('a')).body).toMatchObject({ client_name: registration()['client_name'] });
    const { body } = await load(pruned, '?set=s&prune=true&expected_deleted=2');
    expect(body).toMatchObject({ registered: 1, updated: 1, deleted: 2 });
  });

  test('a set manages what it registers, and prunes only that', async () => {
    await registry().ask('POST', '/client', { body: registration({ preferred_client_id: 'of-users' }) });
    await load([record('plain')]);
    await load([record('a'), record('b')], '?set=one');
    await load([record('c')], '?set=two');
    expect((await read('a')).body).toMatchObject({ managed_by: 'set:one' });
    const { body } = await load([record('a')], '?set=one&prune=true');
    expect(body).toMatchObject({ set: 'one', deleted: 1, unchanged: 1 });
    expect(await ids()).toEqual(['a', 'c', 'of-users', 'plain']);
    const refused = await load([record('a')], '?prune=true');
    expect(refused.body['errors']).toMatchObject([{ field: '/prune', code: 'combination' }]);
  });

  test('what others manage is a conflict, unless it is taken over', async () => {
    await registry().ask('POST', '/client', { body: registration({ preferred_client_id: 'of-users' }) });
    await load([record('a')], '?set=one');
    const lines = [record('new'), record('of-users'), record('a')];
    for (const query of ['?set=two', '?set=two&dry_run=true']) {
      const { status, body } = await load(lines, query);
      expect([status, body['errors']]).toEqual([
        400,
        [
          ['/lines/2/client_id', 'users'],
          ['/lines/3/client_id', "the set 'one'"],
        ].map(([field, owner]) => ({
          ...{ field, code: 'managed_by_others' },
          message: `the client is managed by ${owner}; pass take_over=true to take it over`,
        })),
      ]);
    }
    const { body } = await load(lines, '?set=two&take_over=true');
    expect(body).toMatchObject({ registered: 1, updated: 2, taken_over: 2 });
    expect((await read('a')).body).toMatchObject({ managed_by: 'set:two' });
    const history = await registry().ask('GET', `${pathOf('a')}/history?limit=1`);
    expect(history.body['changes']).toMatchObject([
      { kind: 'updated', changed: [{ field: 'managed_by', before: 'set:one', after: 'set:two' }] },
    ]);
    expect((await load(lines, '?set=two')).body).toMatchObject({ unchanged: 3, taken_over: 0 });
  });

  test('an import without a set changes what users manage, but nothing of a set', async () => {
    await registry().ask('POST', '/client', { body: registration({ preferred_client_id: 'of-users' }) });
    await load([record('a')], '?set=one');
    const renamed = { client_name: 'Renamed' };
    expect((await load([record('of-users', renamed)])).body).toMatchObject({ updated: 1, taken_over: 0 });
    expect((await read('of-users')).body).toMatchObject({ managed_by: 'users' });
    expect((await load([record('a')])).status).toBe(400);
    expect((await load([record('a')], '?take_over=true')).body).toMatchObject({ taken_over: 1 });
    expect((await read('a')).body).toMatchObject({ managed_by: 'import' });
  });
});
