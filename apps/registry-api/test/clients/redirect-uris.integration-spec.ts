import { jest } from '@jest/globals';
import { ClientsService } from '../../src/clients/clients.service.js';
import { ExpiredUriRemover } from '../../src/clients/expired-uri-remover.js';
import { SemaphoreTimeoutError } from '../../src/database/semaphore.js';
import { onPostgres } from '../on-both-databases.js';
import { type Answer, ask, pathOf, registration, untilServed } from '../running-registry.js';

const CALLBACK = 'https://shop.example/cb';
const preview = (number: number) => `https://pr-${number}.preview.example/cb`;

const ENVIRONMENT = { CLIENT_METADATA: 'frontchannel_logout_uri' };

type Temporary = { redirect_uri: string; expires_at: string; note?: string };

onPostgres((registry) => {
  const register = async (overrides: Record<string, unknown> = {}) =>
    String((await registry().ask('POST', '/client', { body: registration(overrides) })).body['client_id']);
  const add = async (id: string, uri: string, more: object = {}) =>
    registry().ask('POST', `${pathOf(id)}/redirect_uris`, { body: { redirect_uri: uri, ...more } });
  const remove = async (id: string, uri: string) =>
    registry().ask('DELETE', `${pathOf(id)}/redirect_uris?redirect_uri=${encodeURIComponent(uri)}`);
  const read = async (id: string) => registry().ask('GET', pathOf(id));
  const isAccepted = async (id: string, redirect_uri: string) => {
    const body = { response_type: 'code', redirect_uri };
    return (await registry().ask('POST', `${pathOf(id)}/check/authorization_request`, { body })).body[
      'valid'
    ];
  };
  const expire = async (id: string) =>
    registry().dataSource.query(
      `UPDATE client SET temporary_uris = (
         SELECT jsonb_agg(t || '{"expires_at": "2026-01-01T00:00:00.000Z"}') FROM jsonb_array_elements(temporary_uris) t
       ) WHERE client_id = $1`,
      [id],
    );

  test('a redirect URI is added and removed without sending the others', async () => {
    const id = await register();
    const added = await add(id, preview(1));
    expect([added.status, added.body['redirect_uris']]).toEqual([200, [CALLBACK, preview(1)]]);
    expect(added.headers.get('etag')).toBe((await read(id)).headers.get('etag'));
    const again = await add(id, preview(1));
    expect(again.headers.get('etag')).toBe(added.headers.get('etag'));
    const removed = await remove(id, CALLBACK);
    expect([removed.status, removed.body['redirect_uris']]).toEqual([200, [preview(1)]]);
    expect((await remove(id, CALLBACK)).headers.get('etag')).toBe(removed.headers.get('etag'));
    expect((await remove(id, preview(1))).status).toBe(400);
    expect((await add('nobody', CALLBACK)).status).toBe(404);
    expect((await add(id, 'https://shop.example/#x')).status).toBe(400);
  });

  test('50 pipelines that add and remove at once lose nothing', async () => {
    const id = await register({
      redirect_uris: [CALLBACK, ...Array.from({ length: 25 }, (_, n) => preview(100 + n))],
    });
    const replies = await Promise.all([
      ...Array.from({ length: 25 }, async (_, n) =>
        untilServed(async () => add(id, preview(n), { expires_in: '1 h', note: `run ${n}` })),
      ),
      ...Array.from({ length: 25 }, async (_, n) => untilServed(async () => remove(id, preview(100 + n)))),
    ]);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const { body } = await read(id);
    const expected = Array.from({ length: 25 }, (_, n) => preview(n)).sort();
    expect([...(body['redirect_uris'] as string[])].sort()).toEqual([CALLBACK, ...expected].sort());
    const temporary = body['temporary_redirect_uris'] as Temporary[];
    expect(temporary.map(({ redirect_uri: uri }) => uri).sort()).toEqual(expected);
    const history = await registry().ask('GET', `${pathOf(id)}/history?limit=100`);
    expect(history.body['changes']).toHaveLength(51);
  });

  test('from its end a redirect URI fails checks, and is then removed with a change in the feed', async () => {
    const id = await register();
    const { body: added } = await add(id, preview(1), { expires_in: 3_600, note: 'pull request 1' });
    const [temporary] = added['temporary_redirect_uris'] as Temporary[];
    expect(temporary).toEqual({
      redirect_uri: preview(1),
      expires_at: expect.any(String),
      note: 'pull request 1',
    });
    expect(Math.abs(Date.parse(temporary!.expires_at) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    expect(await isAccepted(id, preview(1))).toBe(true);
    const before = await read(id);
    await expire(id);
    expect([await isAccepted(id, preview(1)), await isAccepted(id, CALLBACK)]).toEqual([false, true]);
    await registry().service.app.get(ExpiredUriRemover).remove(new Date());
    const after = await read(id);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    expect(after.body['redirect_uris']).toEqual([CALLBACK]);
    expect(after.body).not.toHaveProperty('temporary_redirect_uris');
    const { body } = await registry().ask('GET', `${pathOf(id)}/history`);
    expect(body['changes']).toMatchObject([
      {
        actor: { id: 'registry', name: 'redirect URI expiry' },
        changed: [
          { field: 'redirect_uris', before: [CALLBACK, preview(1)], after: [CALLBACK] },
          { field: 'temporary_redirect_uris', before: [{ redirect_uri: preview(1) }] },
        ],
      },
      { changed: [{ field: 'redirect_uris' }, { field: 'temporary_redirect_uris', after: [temporary] }] },
      { kind: 'registered' },
    ]);
    const { body: feed } = await registry().ask('GET', '/clients/changes?newest=1');
    expect(feed['changes']).toMatchObject([{ client_id: id, kind: 'updated' }]);
  });

  test('a Client that has become invalid keeps neither its expired redirect URI nor those of others', async () => {
    const ids = await Promise.all(Array.from({ length: 3 }, async () => register()));
    for (const id of ids) await add(id, preview(1), { expires_in: 3_600 });
    await registry().dataSource.query(
      `UPDATE client SET metadata = metadata || '{"grant_types": ["a former one"]}' WHERE client_id = ANY ($1)`,
      [ids.slice(0, 2)],
    );
    for (const id of ids) await expire(id);
    await registry().service.app.get(ExpiredUriRemover).remove(new Date());
    for (const id of ids) expect((await read(id)).body['redirect_uris']).toEqual([CALLBACK]);
  });

  test('a Client that cannot be changed keeps no other from being changed', async () => {
    const ids = await Promise.all(Array.from({ length: 3 }, async () => register()));
    for (const id of ids) await add(id, preview(1), { expires_in: 3_600 });
    for (const id of ids) await expire(id);
    const { dataSource } = registry();
    const [stuck, ...others] = ids.toSorted();
    await dataSource.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
       CREATE TRIGGER refused BEFORE UPDATE ON client FOR EACH ROW WHEN (old.client_id = '${stuck}')
         EXECUTE FUNCTION refuse()`,
    );
    const removing = registry().service.app.get(ExpiredUriRemover).remove(new Date());
    await expect(removing).rejects.toThrow('no');
    for (const id of others) expect((await read(id)).body['redirect_uris']).toEqual([CALLBACK]);
    await dataSource.query('DROP TRIGGER refused ON client; DROP FUNCTION refuse');
  });

  test('a database that cannot be used is not tried again for each Client', async () => {
    const ids = await Promise.all(Array.from({ length: 3 }, async () => register()));
    for (const id of ids) await add(id, preview(1), { expires_in: 3_600 });
    for (const id of ids) await expire(id);
    const { app } = registry().service;
    const tried = jest
      .spyOn(app.get(ClientsService), 'removeExpiredUris')
      .mockRejectedValue(new SemaphoreTimeoutError('all places stayed taken'));
    await expect(app.get(ExpiredUriRemover).remove(new Date())).rejects.toThrow('all places stayed taken');
    expect(tried).toHaveBeenCalledTimes(1);
    tried.mockRestore();
    await app.get(ExpiredUriRemover).remove(new Date());
    for (const id of ids) expect((await read(id)).body['redirect_uris']).toEqual([CALLBACK]);
  });

  test('an end can be moved and dropped, but not given to a URI that has none, nor to the only one', async () => {
    const id = await register();
    await add(id, preview(1), { expires_in: '1 h' });
    const moved = await add(id, preview(1), { expires_in: '2 d', note: 'longer' });
    expect(moved.body['temporary_redirect_uris']).toMatchObject([{ note: 'longer' }]);
    expect((await remove(id, CALLBACK)).status).toBe(400);
    expect(
      (await registry().ask('PATCH', pathOf(id), { body: { redirect_uris: [preview(1)] } })).status,
    ).toBe(400);
    const dropped = await add(id, preview(1));
    expect(dropped.body).not.toHaveProperty('temporary_redirect_uris');
    expect((await add(id, preview(1), { expires_in: '1 h' })).status).toBe(409);
  });

  test('a list that is sent back keeps the ends, and an import of an export does not make them permanent', async () => {
    const id = await register();
    const { body: added } = await add(id, preview(1), { expires_in: '1 h' });
    const put = await registry().ask('PUT', pathOf(id), { body: { ...added, client_name: 'Renamed' } });
    expect(put.status).toBe(200);
    expect(put.body['temporary_redirect_uris']).toEqual(added['temporary_redirect_uris']);
    const record = JSON.stringify(put.body);
    const headers = { 'content-type': 'application/x-ndjson' };
    await registry().ask('POST', '/clients/import', { body: record, headers });
    expect((await read(id)).body['temporary_redirect_uris']).toEqual(added['temporary_redirect_uris']);
    await registry().ask('DELETE', pathOf(id));
    await registry().ask('POST', '/clients/import', { body: record, headers });
    expect((await read(id)).body['redirect_uris']).toEqual([CALLBACK]);
  });

  test.each<[string, (id: string, client: object) => Promise<Answer>]>([
    ['replacement', async (id, body) => registry().ask('PUT', pathOf(id), { body })],
    ['patch', async (id, body) => registry().ask('PATCH', pathOf(id), { body })],
    [
      'bulk operation',
      async (id, client) =>
        registry().ask('POST', '/clients/bulk', {
          body: { operations: [{ op: 'update', client_id: id, client }] },
        }),
    ],
  ])('a %s with a Client that was read before does not bring an ended URI back', async (_case, send) => {
    const id = await register();
    const { redirect_uris, temporary_redirect_uris } = (await add(id, preview(1), { expires_in: '1 h' }))
      .body;
    await expire(id);
    await registry().service.app.get(ExpiredUriRemover).remove(new Date());
    await send(id, { redirect_uris, temporary_redirect_uris, client_name: 'Renamed' });
    expect((await read(id)).body).toMatchObject({ client_name: 'Renamed', redirect_uris: [CALLBACK] });
  });

  test('a URI that a former version removed, and another adds again, does not end', async () => {
    const id = await register();
    await add(id, preview(1), { expires_in: '1 h' });
    await registry().dataSource.query(
      `UPDATE client SET metadata = jsonb_set(metadata, '{redirect_uris}', $2::jsonb) WHERE client_id = $1`,
      [id, JSON.stringify([CALLBACK])],
    );
    const { body } = await add(id, preview(1));
    expect(body).not.toHaveProperty('temporary_redirect_uris');
    await expire(id);
    expect(await isAccepted(id, preview(1))).toBe(true);
  });

  test('at most 50 redirect URIs of a Client end', async () => {
    const id = await register();
    const uris = Array.from({ length: 50 }, (_, n) => preview(n));
    await Promise.all(uris.map(async (uri) => untilServed(async () => add(id, uri, { expires_in: '1 h' }))));
    expect((await add(id, preview(50), { expires_in: '1 h' })).status).toBe(409);
    expect((await add(id, preview(49), { expires_in: '2 h' })).status).toBe(200);
    expect((await add(id, preview(50))).status).toBe(200);
  });

  test.each([
    ['too short a life', { expires_in: 59 }],
    ['too long a life', { expires_in: '91 d' }],
    ['a life that is none', { expires_in: 'soon' }],
    ['a long note', { note: 'x'.repeat(201) }],
    ['a note of two lines', { note: 'a\nb' }],
    ['an unknown member', { life: 1 }],
  ])('refuses %s', async (_case, more) => {
    expect((await add(await register(), preview(1), more)).status).toBe(400);
  });

  test('a Client out of reach is 404', async () => {
    const id = await register({ labels: { team: 'theirs' } });
    const token = String(
      (
        await registry().ask('POST', '/token', {
          body: { name: 'narrow', scopes: ['clients:write'], selector: { team: 'ours' } },
        })
      ).body['token'],
    );
    const url = `${registry().url}${pathOf(id)}/redirect_uris`;
    expect((await ask(url, 'POST', token, { body: { redirect_uri: preview(1) } })).status).toBe(404);
    expect((await ask(`${url}?redirect_uri=x`, 'DELETE', token)).status).toBe(404);
  });

  describe('a frontchannel_logout_uri', () => {
    const logoutOf = (number: number) => `https://pr-${number}.preview.example/logout`;
    const refusal = [
      expect.objectContaining({
        field: '/frontchannel_logout_uri',
        code: 'frontchannel_logout_temporary',
        message: expect.stringContaining('permanent redirect URI'),
      }),
    ];
    const patch = async (id: string, body: object) => registry().ask('PATCH', pathOf(id), { body });

    test('must not depend on a redirect URI that ends', async () => {
      const id = await register();
      expect((await add(id, preview(1), { expires_in: '1 h' })).status).toBe(200);
      const refused = await patch(id, { frontchannel_logout_uri: logoutOf(1) });
      expect([refused.status, refused.body['errors']]).toEqual([400, refusal]);
      expect((await add(id, preview(1))).status).toBe(200);
      expect((await patch(id, { frontchannel_logout_uri: logoutOf(1) })).status).toBe(200);
    });

    test('does not lose the last permanent redirect URI of its host', async () => {
      const id = await register({ frontchannel_logout_uri: 'https://shop.example/logout' });
      expect((await add(id, preview(1))).status).toBe(200);
      expect((await add(id, `${CALLBACK}2`, { expires_in: '1 h' })).status).toBe(200);
      const refused = await remove(id, CALLBACK);
      expect([refused.status, refused.body['errors']]).toEqual([400, refusal]);
    });

    test('that depends on one already hinders no other change until that ends', async () => {
      const id = await register({
        redirect_uris: [CALLBACK, preview(1), preview(2)],
        frontchannel_logout_uri: logoutOf(1),
      });
      const expires_at = new Date(Date.now() + 3_600_000).toISOString();
      const temporary = [1, 2].map((number) => ({ redirect_uri: preview(number), expires_at }));
      await registry().dataSource.query('UPDATE client SET temporary_uris = $2 WHERE client_id = $1', [
        id,
        JSON.stringify(temporary),
      ]);
      expect((await patch(id, { client_name: 'Other' })).status).toBe(200);
      expect((await patch(id, { frontchannel_logout_uri: logoutOf(2) })).body['errors']).toEqual(refusal);
      expect((await patch(id, { frontchannel_logout_uri: 'https://shop.example/logout' })).status).toBe(200);
    });
  });
}, ENVIRONMENT);
