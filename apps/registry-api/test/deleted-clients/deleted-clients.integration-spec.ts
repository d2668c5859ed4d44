import { ExpiredUriRemover } from '../../src/clients/expired-uri-remover.js';
import { DeletedClientPruner } from '../../src/deleted-clients/deleted-client-pruner.js';
import { onPostgres } from '../on-both-databases.js';
import { type Answer, ask, pathOf, registration } from '../running-registry.js';

const DAY_MS = 24 * 3_600_000;

onPostgres((registry) => {
  const register = async (id: string, more: Record<string, unknown> = {}): Promise<Answer> =>
    registry().ask('POST', '/client', { body: registration({ preferred_client_id: id, ...more }) });
  const remove = async (id: string) => registry().ask('DELETE', pathOf(id));
  const binned = async (method: string, id: string, action = ''): Promise<Answer> =>
    registry().ask(method, `/deleted-clients/${encodeURIComponent(id)}${action}`);
  const kindsOf = async (id: string) => {
    const { body } = await registry().ask('GET', `${pathOf(id)}/history`);
    return (body['changes'] as { kind: string }[]).map(({ kind }) => kind);
  };
  /** A token for the Clients of one team. */
  const teamToken = async (team: string): Promise<string> => {
    const body = { name: team, scopes: ['clients:read', 'clients:write'], selector: { team } };
    return String((await registry().ask('POST', '/token', { body })).body['token']);
  };

  test('a restored Client is disabled and has no secret; its id, metadata and history are as they were', async () => {
    const { body: before } = await register('back/again', { client_uri: 'https://shop.example/' });
    await remove('back/again');
    const deleted = await binned('GET', 'back/again');
    expect(deleted.body).toMatchObject({ client_id: 'back/again', deleted_by: { name: 'bootstrap' } });
    const restored = await binned('POST', 'back/again', '/restore');
    const { client_secret: _, client_secret_hint: _1, client_secret_expires_at: _2, ...kept } = before;
    const changed = { enabled: false, client_secrets: [], updated_at: expect.any(String) };
    expect(restored).toMatchObject({ status: 200, body: { ...kept, ...changed } });
    expect(restored.body).not.toHaveProperty('client_secret_hint');
    const read = await registry().ask('GET', pathOf('back/again'));
    expect([read.body, read.headers.get('etag')]).toEqual([restored.body, restored.headers.get('etag')]);
    expect(await kindsOf('back/again')).toEqual(['restored', 'deleted', 'registered']);
    const secret = { client_secret: before['client_secret'] };
    const check = await registry().ask('POST', `${pathOf('back/again')}/check/secret`, { body: secret });
    expect(check.body).toMatchObject({ valid: false });
    expect((await binned('GET', 'back/again')).status).toBe(404);
    expect(await binned('POST', 'back/again', '/restore')).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('no deleted client') },
    });
  });

  test('lists, checks, exports and the feed treat a deleted Client as gone', async () => {
    await register('gone');
    await remove('gone');
    expect((await registry().ask('GET', pathOf('gone'))).status).toBe(404);
    expect((await registry().ask('GET', '/client?q=gone')).body['clients']).toEqual([]);
    const exported = await fetch(`${registry().url}/clients/export`, {
      headers: { authorization: `Bearer ${registry().token}` },
    });
    expect(await exported.text()).not.toContain('"gone"');
    const { body } = await registry().ask('GET', '/clients/changes?newest=1');
    expect(body['changes']).toMatchObject([{ client_id: 'gone', kind: 'deleted', client: null }]);
    await binned('POST', 'gone', '/restore');
    const restored = await registry().ask('GET', '/clients/changes?newest=1');
    expect(restored.body['changes']).toMatchObject([{ kind: 'restored', client: { enabled: false } }]);
  });

  test('the list has the latest deletion first, in pages', async () => {
    const ids = ['page-1', 'page-2', 'page-3'];
    for (const id of ids) await register(id);
    for (const id of ids) await remove(id);
    const first = await registry().ask('GET', '/deleted-clients?limit=2');
    expect(first.body['clients']).toMatchObject([{ client_id: 'page-3' }, { client_id: 'page-2' }]);
    const next = await registry().ask('GET', `/deleted-clients?limit=2&cursor=${String(first.body['next'])}`);
    expect((next.body['clients'] as unknown[])[0]).toMatchObject({ client_id: 'page-1' });
    expect(first.headers.get('link')).toContain('rel="next"');
  });

  test('registering the id anew, or purging it, ends the possibility of restoring it', async () => {
    for (const id of ['anew', 'purged']) {
      await register(id);
      await remove(id);
    }
    expect((await register('anew', { client_name: 'Another' })).status).toBe(201);
    expect((await binned('GET', 'anew')).status).toBe(404);
    await remove('anew');
    expect((await binned('GET', 'anew')).body).toMatchObject({ client: { client_name: 'Another' } });
    expect((await binned('DELETE', 'purged')).status).toBe(204);
    expect((await binned('DELETE', 'purged')).status).toBe(404);
    expect(await kindsOf('purged')).toEqual(['deleted', 'registered']);
  });

  test('a Client whose id a former version registered anew and deleted stays gone', async () => {
    const query = async (text: string, values: unknown[]) => registry().dataSource.query(text, values);
    await register('former');
    await remove('former');
    const [{ row }] = (await query('SELECT to_jsonb(d) AS row FROM deleted_client d WHERE client_id = $1', [
      'former',
    ])) as [{ row: unknown }];
    await register('former', { labels: { team: 'other' } });
    await query('DELETE FROM client WHERE client_id = $1', ['former']);
    // A former version does not know the table, and leaves its row.
    const insert =
      'INSERT INTO deleted_client SELECT * FROM jsonb_populate_record(NULL::deleted_client, $1::text::jsonb)';
    await query(insert, [JSON.stringify(row)]);
    expect((await binned('GET', 'former')).status).toBe(404);
    expect((await binned('POST', 'former', '/restore')).status).toBe(404);
    const listed = (await registry().ask('GET', '/deleted-clients')).body['clients'] as {
      client_id: string;
    }[];
    expect(listed.map(({ client_id }) => client_id)).not.toContain('former');
  });

  test('a redirect URI that ended while its Client was deleted does not come back', async () => {
    await register('preview');
    const uri = 'https://pr.example/cb';
    const temporary = { redirect_uri: uri, expires_in: '1 h' };
    await registry().ask('POST', `${pathOf('preview')}/redirect_uris`, { body: temporary });
    await remove('preview');
    await registry().dataSource.query(
      `UPDATE deleted_client SET temporary_uris = jsonb_set(temporary_uris, '{0,expires_at}', '"2026-01-01T00:00:00.000Z"')
       WHERE client_id = 'preview'`,
    );
    expect((await binned('POST', 'preview', '/restore')).status).toBe(200);
    expect((await registry().ask('POST', `${pathOf('preview')}/enable`)).status).toBe(200);
    const body = { redirect_uri: uri, response_type: 'code' };
    const checked = await registry().ask('POST', `${pathOf('preview')}/check/authorization_request`, {
      body,
    });
    expect(checked.body).toMatchObject({ valid: false });
    await registry().service.app.get(ExpiredUriRemover).remove(new Date());
    const { body: cleaned } = await registry().ask('GET', pathOf('preview'));
    expect(cleaned['redirect_uris']).not.toContain(uri);
  });

  test('of concurrent restorations and purges one takes effect, and each purge is a security event', async () => {
    for (let round = 0; round < 3; round += 1) {
      const id = `raced-${round}`;
      await register(id);
      await remove(id);
      const answers = await Promise.all([
        ...Array.from({ length: 3 }, async () => binned('DELETE', id)),
        ...Array.from({ length: 3 }, async () => binned('POST', id, '/restore')),
      ]);
      const [done, ...others] = answers.map(({ status }) => status).sort();
      expect([200, 204]).toContain(done);
      expect(others).toEqual(Array(5).fill(404));
      const { body } = await registry().ask('GET', `/audit?kind=deleted_client_purged&subject=${id}`);
      const event = { actor: { name: 'bootstrap' }, subject: id, details: { client_name: 'Shop' } };
      expect(body['events']).toMatchObject(done === 204 ? [event] : []);
      expect((await registry().ask('GET', pathOf(id))).status).toBe(done === 204 ? 404 : 200);
    }
  });

  test('If-Match of a former deletion restores and purges nothing', async () => {
    await register('match');
    await remove('match');
    const headers = { 'if-match': '"1"' };
    for (const [method, path] of [
      ['POST', '/deleted-clients/match/restore'],
      ['DELETE', '/deleted-clients/match'],
    ] as const) {
      expect((await registry().ask(method, path, { headers })).status).toBe(412);
    }
    const { headers: current } = await binned('GET', 'match');
    const match = { 'if-match': current.get('etag') ?? '' };
    expect((await registry().ask('DELETE', '/deleted-clients/match', { headers: match })).status).toBe(204);
  });

  test('a token that reaches some Clients lists, restores and purges only those', async () => {
    const token = await teamToken('shop');
    for (const team of ['shop', 'pay']) {
      await register(`of-${team}`, { labels: { team } });
      await remove(`of-${team}`);
    }
    const asShop = async (method: string, path: string) => ask(registry().url + path, method, token);
    const { body } = await asShop('GET', '/deleted-clients');
    expect(body['clients']).toMatchObject([{ client_id: 'of-shop' }]);
    for (const path of ['of-pay/restore', 'of-none/restore'])
      expect((await asShop('POST', `/deleted-clients/${path}`)).status).toBe(404);
    expect((await asShop('DELETE', '/deleted-clients/of-pay')).status).toBe(404);
    expect((await asShop('POST', '/deleted-clients/of-shop/restore')).status).toBe(200);
  });

  test('a token that reaches some Clients registers no id of a deleted Client that it does not reach', async () => {
    const token = await teamToken('sales');
    const asSales = async (path: string, body: unknown, type = 'application/json') =>
      ask(registry().url + path, 'POST', token, { body, headers: { 'content-type': type } });
    await register('of-hr', { labels: { team: 'hr' } });
    await remove('of-hr');
    const client = registration({ preferred_client_id: 'of-hr' });
    const operations = { operations: [{ op: 'register', client }] };
    expect(await asSales('/client', client)).toMatchObject({
      status: 409,
      body: { errors: [{ code: 'taken' }] },
    });
    for (const more of [{}, { dry_run: true }])
      expect(await asSales('/clients/bulk', { ...operations, ...more })).toMatchObject({
        status: 409,
        body: { errors: [{ code: 'taken' }] },
      });
    const { body: imported } = await asSales(
      '/clients/import',
      registration({ client_id: 'of-hr' }),
      'application/x-ndjson',
    );
    expect(imported).toMatchObject({ errors: [{ code: 'taken' }] });
    const { body } = await binned('GET', 'of-hr');
    expect(body).toMatchObject({ client: { labels: { team: 'hr' } } });
  });

  test('a registration during a deletion takes no id out of the reach of those who deleted the Client', async () => {
    const token = await teamToken('rivals');
    const body = registration({ preferred_client_id: 'contended' });
    await register('contended', { labels: { team: 'hr' } });
    for (let round = 0; round < 10; round += 1) {
      const [deleted, ...others] = await Promise.all([
        remove('contended'),
        ...Array.from({ length: 4 }, async () => ask(`${registry().url}/client`, 'POST', token, { body })),
      ]);
      expect(deleted.status).toBe(204);
      expect(others.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
      expect((await binned('POST', 'contended', '/restore')).status).toBe(200);
    }
  });

  test('a registration that replaces a deleted Client is a security event, however it is registered', async () => {
    const replace = {
      alone: async (id: string) => register(id, { client_name: 'New' }),
      bulk: async (id: string) => {
        const client = registration({ preferred_client_id: id });
        return registry().ask('POST', '/clients/bulk', {
          body: { operations: [{ op: 'register', client }] },
        });
      },
      import: async (id: string) =>
        registry().ask('POST', '/clients/import', {
          body: registration({ client_id: id }),
          headers: { 'content-type': 'application/x-ndjson' },
        }),
    };
    for (const [id, again] of Object.entries(replace)) {
      await register(id, { client_name: 'Former' });
      await remove(id);
      expect((await again(id)).status).toBeLessThan(300);
      expect((await binned('GET', id)).status).toBe(404);
      const { body } = await registry().ask('GET', `/audit?kind=deleted_client_purged&subject=${id}`);
      const event = { actor: { name: 'bootstrap' }, subject: id, details: { client_name: 'Former' } };
      expect(body['events']).toMatchObject([event]);
    }
  });

  test('one request may delete a Client and register its id', async () => {
    await register('both');
    const client = registration({ preferred_client_id: 'both', client_name: 'New' });
    const operations = [
      { op: 'delete', client_id: 'both' },
      { op: 'register', client },
    ];
    expect((await registry().ask('POST', '/clients/bulk', { body: { operations } })).status).toBe(200);
    expect((await registry().ask('GET', pathOf('both'))).body).toMatchObject({ client_name: 'New' });
  });

  test('anyone registers the id of a Client that can no longer be restored', async () => {
    const token = await teamToken('ops');
    await register('past', { labels: { team: 'hr' } });
    await remove('past');
    await registry().dataSource.query('UPDATE deleted_client SET deleted_at = $2 WHERE client_id = $1', [
      'past',
      new Date(Date.now() - 31 * DAY_MS),
    ]);
    const body = registration({ preferred_client_id: 'past' });
    expect((await ask(`${registry().url}/client`, 'POST', token, { body })).status).toBe(201);
    const { body: audit } = await registry().ask('GET', '/audit?kind=deleted_client_purged&subject=past');
    expect(audit['events']).toEqual([]);
  });

  test('after the retention a Client can no longer be restored, and is removed', async () => {
    await register('old');
    await remove('old');
    await registry().dataSource.query('UPDATE deleted_client SET deleted_at = $2 WHERE client_id = $1', [
      'old',
      new Date(Date.now() - 31 * DAY_MS),
    ]);
    expect((await binned('POST', 'old', '/restore')).status).toBe(404);
    await registry().service.app.get(DeletedClientPruner).prune(new Date());
    const left = await registry().dataSource.query(`SELECT FROM deleted_client WHERE client_id = 'old'`);
    expect(left).toEqual([]);
  });

  test('a version of the history is what a PUT takes, without redirect URIs that had an end', async () => {
    const { body } = await register('versions', { client_uri: 'https://shop.example/' });
    const temporary = { redirect_uri: 'https://pr.example/cb', expires_in: '1 h' };
    await registry().ask('POST', `${pathOf('versions')}/redirect_uris`, { body: temporary });
    await registry().ask('POST', `${pathOf('versions')}/disable`);
    await registry().ask('PATCH', pathOf('versions'), { body: { client_name: 'Renamed', client_uri: null } });
    const { body: history } = await registry().ask('GET', `${pathOf('versions')}/history`);
    const changes = history['changes'] as { seq: number; kind: string }[];
    const disabled = changes.find(({ kind }) => kind === 'disabled');
    const version = await registry().ask('GET', `${pathOf('versions')}/history/${disabled?.seq}`);
    expect(version.body).toMatchObject({
      kind: 'disabled',
      metadata: { client_name: 'Shop', redirect_uris: body['redirect_uris'] },
    });
    const current = await registry().ask('GET', pathOf('versions'));
    const headers = { 'if-match': current.headers.get('etag') ?? '' };
    const put = await registry().ask('PUT', pathOf('versions'), { body: version.body['metadata'], headers });
    expect(put).toMatchObject({
      status: 200,
      body: { client_name: 'Shop', client_uri: 'https://shop.example/', enabled: false },
    });
    await remove('versions');
    const [last] = (await registry().ask('GET', `${pathOf('versions')}/history`)).body['changes'] as [
      { seq: number },
    ];
    const deleted = await registry().ask('GET', `${pathOf('versions')}/history/${last.seq}`);
    expect(deleted.body).toMatchObject({ kind: 'deleted', metadata: version.body['metadata'] });
    expect((await registry().ask('GET', `${pathOf('versions')}/history/1x`)).status).toBe(404);
  });
});
