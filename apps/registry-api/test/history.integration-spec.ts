import { ClientChange } from '../src/clients/client-change.entity.js';
import { onPostgres } from './on-both-databases.js';
import { type Answer, pathOf, registration } from './running-registry.js';

type Numbered = { readonly seq: number };

onPostgres(
  (registry) => {
    const historyOf = async (clientId: unknown): Promise<ClientChange[]> =>
      registry()
        .dataSource.getRepository(ClientChange)
        .find({ where: { clientId: String(clientId) }, order: { seq: 'ASC' } });

    const changesOf = async (path: string) =>
      (await registry().ask('GET', `${path}/history`)).body['changes'] as [Numbered, ...Numbered[]];

    test('each change leaves one row with its author, address and content', async () => {
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
      expect(`"${history[0]?.seq}-${history[0]?.mark}"`).toBe(headers.get('etag'));
    });

    test('a rejected request leaves no row', async () => {
      const taken = registration({ preferred_client_id: 'once' });
      await registry().ask('POST', '/client', { body: taken });
      await registry().ask('POST', '/client', { body: taken });
      await registry().ask('PUT', '/client/once', { body: registration({ redirect_uris: [] }) });
      const stale = { 'if-match': '"0"' };
      await registry().ask('PUT', '/client/once', {
        body: registration({ client_name: 'x' }),
        headers: stale,
      });
      await registry().ask('DELETE', '/client/once', { headers: stale });
      expect((await historyOf('once')).map(({ kind }) => kind)).toEqual(['registered']);
    });

    test('no secret and no token is anywhere in the database or in the log', async () => {
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

    test('GET /client/{client_id}/history lists the latest change first, with the differences', async () => {
      const { body } = await registry().ask('POST', '/client', {
        body: registration({ preferred_client_id: 'a/b c' }),
      });
      await registry().ask('PUT', '/client/a%2Fb%20c', {
        body: registration({ client_name: 'Renamed', client_uri: 'https://shop.example/' }),
      });
      await registry().ask('DELETE', '/client/a%2Fb%20c');
      const history = (await registry().ask('GET', '/client/a%2Fb%20c/history')).body;
      expect(history).not.toHaveProperty('next');
      const [deleted, updated, registered] = history['changes'] as Record<string, unknown>[];
      const actor = { name: 'bootstrap', address: '127.0.0.1' };
      expect(updated).toMatchObject({
        client_id: 'a/b c',
        kind: 'updated',
        actor,
        changed: [
          { field: 'client_name', before: 'Shop', after: 'Renamed' },
          { field: 'client_uri', after: 'https://shop.example/' },
        ],
      });
      expect(registered).toMatchObject({ kind: 'registered', at: body['created_at'], actor });
      expect(registered?.['changed']).toContainEqual({ field: 'client_name', after: 'Shop' });
      expect(deleted).toMatchObject({ kind: 'deleted' });
      expect(deleted?.['changed']).toContainEqual({ field: 'client_name', before: 'Renamed' });
    });

    test('a long history is paged', async () => {
      const { body } = await registry().ask('POST', '/client', { body: registration() });
      const path = pathOf(body['client_id']);
      for (let index = 0; index < 6; index += 1) {
        await registry().ask('PUT', path, { body: registration({ client_name: `Name ${index}` }) });
      }
      const kinds: unknown[] = [];
      let next: string | undefined = `${path}/history?limit=3`;
      let pages = 0;
      for (; next !== undefined; pages += 1) {
        const page: Answer = await registry().ask('GET', next);
        kinds.push(...(page.body['changes'] as { kind: string }[]).map(({ kind }) => kind));
        next = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
        expect(next === undefined).toBe(page.body['next'] === undefined);
      }
      expect(kinds).toEqual([...Array<string>(6).fill('updated'), 'registered']);
      expect(pages).toBe(3);
    });

    test('a version that is put back brings back texts in other languages', async () => {
      const translated = { 'client_name#de': 'Laden', 'client_uri#fr': 'https://shop.example/fr' };
      const { body } = await registry().ask('POST', '/client', { body: registration(translated) });
      const path = pathOf(body['client_id']);
      const [{ seq }] = await changesOf(path);
      await registry().ask('PUT', path, { body: registration({ client_name: 'Renamed' }) });
      const { body: version } = await registry().ask('GET', `${path}/history/${seq}`);
      const restored = await registry().ask('PUT', path, { body: version['metadata'] });
      expect(restored.body).toMatchObject({ client_name: 'Shop', ...translated });
    });

    test('a version has permanent redirect URIs that were temporary for a former Client with its id', async () => {
      const [kept, reused] = ['https://shop.example/cb', 'https://preview.example/cb'];
      const reuse = { preferred_client_id: 'reused' };
      await registry().ask('POST', '/client', { body: registration(reuse) });
      const temporary = { redirect_uri: reused, expires_in: '1 h' };
      await registry().ask('POST', '/client/reused/redirect_uris', { body: temporary });
      await registry().ask('DELETE', '/client/reused');
      await registry().ask('POST', '/client', {
        body: registration({ ...reuse, redirect_uris: [kept, reused] }),
      });
      const [registered, deleted] = await changesOf('/client/reused');
      const urisAfter = async ({ seq }: Numbered) =>
        (await registry().ask('GET', `/client/reused/history/${seq}`)).body['metadata'];
      expect(await urisAfter(registered)).toMatchObject({ redirect_uris: [kept, reused] });
      expect(await urisAfter(deleted!)).toMatchObject({ redirect_uris: [kept] });
    });

    test('a Client that never existed has no history', async () => {
      for (const clientId of ['never', '%00', '%C3%A9']) {
        const { status, body } = await registry().ask('GET', `/client/${clientId}/history`);
        expect({ status, error: body['error'] }).toEqual({ status: 404, error: 'not_found' });
      }
    });

    test.each([
      ['limit=0', 'limit'],
      ['limit=501', 'limit'],
      ['limit=', 'limit'],
      ['cursor=', 'cursor'],
      ['cursor=0', 'cursor'],
      ['cursor=-1', 'cursor'],
      ['cursor=9007199254740992', 'cursor'],
      ['cursor=1&cursor=2', 'cursor'],
      ['since=1', 'since'],
    ])('a history with ?%s answers 400 and names the parameter', async (query, parameter) => {
      const { status, body } = await registry().ask('GET', `/client/any/history?${query}`);
      expect(status).toBe(400);
      const fields = (body['errors'] as { field: string }[]).map(({ field }) => field);
      expect(new Set(fields)).toEqual(new Set([`/${parameter}`]));
    });
  },
  { CLIENT_LANGUAGES: 'de fr' },
);
