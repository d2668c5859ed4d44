import { onPostgres } from '../on-both-databases.js';
import { type Answer, pathOf, registration } from '../running-registry.js';

interface Change {
  readonly seq: number;
  readonly client_id: string;
  readonly kind: string;
  readonly at: string;
  readonly actor: object;
  readonly client: Record<string, unknown> | null;
  readonly cursor: string;
}

onPostgres((registry) => {
  const list = async (query: string): Promise<Answer> => registry().ask('GET', `/clients/changes${query}`);
  const changesOf = ({ body }: Answer) => body['changes'] as Change[];
  const lastSeq = async () => String((await list('?limit=1')).body['last_seq']);
  const register = async (overrides = {}) =>
    (await registry().ask('POST', '/client', { body: registration(overrides) })).body;

  test('an empty registry has no changes', async () => {
    expect((await list('')).body).toEqual({ changes: [], last_seq: '0' });
    expect((await list('?since=0')).body).toEqual({ changes: [], last_seq: '0' });
  });

  test('each change has its number, its author and the new state of the Client', async () => {
    const since = await lastSeq();
    const { client_id } = await register();
    const path = pathOf(client_id);
    await registry().ask('PUT', path, { body: registration({ client_name: 'Renamed' }) });
    const { body: client, headers } = await registry().ask('GET', path);
    const answer = await list(`?since=${since}`);
    const change = {
      seq: expect.any(Number),
      cursor: expect.stringMatching(/^\d+-[0-9a-f]{12}$/),
      client_id,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      actor: { id: expect.any(String), name: 'bootstrap', address: '127.0.0.1' },
    };
    expect(changesOf(answer)).toEqual([
      { ...change, kind: 'registered', client },
      { ...change, kind: 'updated', client },
    ]);
    const cursors = changesOf(answer).map(({ cursor }) => cursor);
    expect(headers.get('etag')).toBe(`"${cursors[1]}"`);
    expect(answer.body).toMatchObject({ last_seq: cursors[1] });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('a deleted Client is null in all its changes, so old pages do not bring it back', async () => {
    const since = await lastSeq();
    const { client_id } = await register();
    await registry().ask('DELETE', pathOf(client_id));
    const changes = changesOf(await list(`?since=${since}`));
    expect(changes).toMatchObject([
      { client_id, kind: 'registered', client: null },
      { client_id, kind: 'deleted', client: null },
    ]);
  });

  test('no change holds a secret', async () => {
    const { client_secret } = await register();
    const answer = await list('?limit=500');
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.body)).not.toContain(String(client_secret));
    expect(JSON.stringify(answer.body)).not.toMatch(/"client_secret"|hash/);
  });

  test('following Link: rel=next, or next, yields each change once and in order', async () => {
    const since = await lastSeq();
    const ids = Array.from({ length: 7 }, (_, index) => `paged-${index}`);
    for (const id of ids) await register({ preferred_client_id: id });
    const met: string[] = [];
    let path: string | undefined = `?since=${since}&limit=3`;
    let last: Answer | undefined;
    while (path !== undefined) {
      last = await list(path);
      met.push(...changesOf(last).map(({ client_id }) => client_id));
      path = /^<\/clients\/changes(\?[^>]+)>; rel="next"$/.exec(last.headers.get('link') ?? '')?.[1];
      expect(last.body['next']).toBe(path === undefined ? undefined : changesOf(last).at(-1)?.cursor);
    }
    expect(met).toEqual(ids);
    expect(last?.body['last_seq']).toBe(changesOf(last as Answer).at(-1)?.cursor);
    expect((await list(`?since=${String(last?.body['last_seq'])}`)).body).toEqual({
      changes: [],
      last_seq: last?.body['last_seq'],
    });
  });

  test('a full last page has no next', async () => {
    const since = await lastSeq();
    for (let count = 0; count < 4; count += 1) await register();
    const page = await list(`?since=${since}&limit=4`);
    expect(changesOf(page)).toHaveLength(4);
    expect(page.body).not.toHaveProperty('next');
    expect(page.headers.get('link')).toBeNull();
  });

  test('a change that does not exist is 410: a number not used yet, one never used, another mark', async () => {
    const number = Number.parseInt(await lastSeq(), 10);
    await registry().dataSource.query('SELECT next_change_seq()');
    await register();
    for (const since of [number + 3, number + 1, `${number}-0123456789ab`]) {
      const { status, body } = await list(`?since=${since}`);
      expect([since, status]).toEqual([since, 410]);
      expect(body['detail']).toBe(
        'There is no such change, perhaps because the database was restored or failed over; read all clients again ' +
          '(GET /clients/export) and continue from the Change-Seq returned with them.',
      );
    }
  });

  test('the number of a change without its mark is refused, with what to send instead', async () => {
    await register();
    const { status, body } = await list(`?since=${Number.parseInt(await lastSeq(), 10)}`);
    expect([status, body['errors']]).toEqual([
      400,
      [{ field: '/since', code: 'cursor', message: expect.stringContaining('`cursor`') }],
    ]);
  });

  test('a change from before marks existed is identified by its number alone', async () => {
    const { client_id } = await register();
    const { dataSource } = registry();
    await dataSource.query(`UPDATE client_change SET mark = '' WHERE client_id = $1`, [client_id]);
    await dataSource.query(`UPDATE client SET mark = '' WHERE client_id = $1`, [client_id]);
    const since = await lastSeq();
    expect(since).toMatch(/^\d+$/);
    expect((await registry().ask('GET', pathOf(client_id))).headers.get('etag')).toBe(`"${since}"`);
    expect((await list(`?since=${since}`)).body).toEqual({ changes: [], last_seq: since });
    const renamed = await registry().ask('PATCH', pathOf(client_id), {
      body: { client_name: 'Renamed' },
      headers: { 'if-match': `"${since}"` },
    });
    expect(renamed.status).toBe(200);
    expect(changesOf(await list(`?since=${since}`))).toMatchObject([{ client_id, kind: 'updated' }]);
  });

  test('`newest` gives the end of the feed', async () => {
    const ids = [await register(), await register(), await register()].map(({ client_id }) => client_id);
    expect(changesOf(await list('?newest=2')).map(({ client_id }) => client_id)).toEqual(ids.slice(1));
    const whole = changesOf(await list('?newest=500'));
    expect(whole.at(-1)?.client_id).toBe(ids[2]);
    expect(whole).toEqual(changesOf(await list('?limit=500')));
  });

  test.each([
    ['?since=-1', 'since'],
    ['?since=', 'since'],
    ['?since=1e3', 'since'],
    ['?since=0x1', 'since'],
    ['?since=1.5', 'since'],
    ['?since=now', 'since'],
    ['?since=99999999999999999', 'since'],
    ['?since=999999999999999999', 'since'],
    ['?since=1&since=2', 'since'],
    ['?since=1-xyz', 'since'],
    ['?since=1&newest=2', 'newest'],
    ['?newest=0', 'newest'],
    ['?newest=501', 'newest'],
    ['?limit=0', 'limit'],
    ['?limit=501', 'limit'],
    ['?limit=', 'limit'],
    ['?cursor=x', 'cursor'],
  ])('%s answers 400 and names the parameter', async (query, parameter) => {
    const { status, body } = await list(query);
    expect(status).toBe(400);
    const fields = (body['errors'] as { field: string }[]).map(({ field }) => field);
    expect(new Set(fields)).toEqual(new Set([`/${parameter}`]));
  });
});
