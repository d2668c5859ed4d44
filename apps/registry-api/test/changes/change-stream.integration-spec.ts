import { fastestOf } from '@svc/test-servers';
import { onBothDatabases } from '../on-both-databases.js';
import { pathOf, registration } from '../running-registry.js';
import { type FollowOptions, FollowedChanges } from './followed-changes.js';

/** From a change to its readers, and from the end of a token to the end of its streams, in milliseconds. */
const AT_MOST_MS = 1_000;

onBothDatabases((registry) => {
  const follow = async (options: FollowOptions = {}, token = registry().token) =>
    FollowedChanges.open(registry(), token, options);
  const register = async (overrides = {}) =>
    (await registry().ask('POST', '/client', { body: registration(overrides) })).body;
  const lastSeq = async () =>
    String((await registry().ask('GET', '/clients/changes?limit=1')).body['last_seq']);
  const makeToken = async (body: object) =>
    (await registry().ask('POST', '/token', { body: { name: 'reader', ...body } })).body;

  test('a stream begins after `since` and continues with new changes, each as on a page', async () => {
    const since = await lastSeq();
    const before = await register();
    const stream = await follow({ since });
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    expect(stream.retryMs).toBeGreaterThanOrEqual(1_000);
    await stream.arrived(1);
    await registry().ask('PUT', pathOf(before['client_id']), { body: registration({ client_name: 'New' }) });
    await stream.arrived(2);
    await registry().ask('DELETE', pathOf(before['client_id']));
    await stream.arrived(3);
    expect(stream.changes).toMatchObject([
      { kind: 'registered', client: { client_name: 'Shop' } },
      { kind: 'updated', client: { client_name: 'New' } },
      { kind: 'deleted', client: null },
    ]);
    const { body } = await registry().ask('GET', `/clients/changes?since=${stream.changes[1]?.cursor}`);
    expect(body['changes']).toEqual(stream.changes.slice(2));
    expect(stream.lastEventId).toBe(stream.changes[2]?.cursor);
    stream.close();
  });

  test('a change arrives within a second', async () => {
    const stream = await follow();
    const delay = async () => {
      const seen = stream.changes.length;
      await register();
      const changed = Date.now();
      await stream.arrived(seen + 1);
      return Date.now() - changed;
    };
    expect(await fastestOf(3, delay)).toBeLessThan(AT_MOST_MS);
    stream.close();
  });

  test('`newest` is only for pages', async () => {
    const headers = { accept: 'text/event-stream' };
    const { status, body } = await registry().ask('GET', '/clients/changes?newest=2', { headers });
    expect([status, body['detail']]).toEqual([400, 'newest cannot be used with a stream.']);
  });

  test('without `since` it begins with the next change, and says from where', async () => {
    await register();
    const since = await lastSeq();
    const stream = await follow();
    expect(stream.lastEventId).toBe(since);
    const { client_id } = await register();
    expect(await stream.arrived(1)).toMatchObject([{ client_id }]);
    stream.close();
  });

  test('a reader that comes back with Last-Event-ID misses nothing and gets nothing twice', async () => {
    const since = await lastSeq();
    await register();
    const first = await follow({ since });
    await first.arrived(1);
    first.close();
    const missed = [await register(), await register()];
    const second = await follow({ since: '0', lastEventId: first.lastEventId });
    const live = await register();
    await second.arrived(3);
    expect(second.changes).toMatchObject([...missed, live].map(({ client_id }) => ({ client_id })));
    second.close();
  });

  test('a reader far behind catches up in order while Clients are registered', async () => {
    const since = await lastSeq();
    const count = 150;
    await registry().dataSource.query(
      `INSERT INTO client_change (seq, client_id, kind, at, actor_id, actor_name, address)
       SELECT next_change_seq(), 'old', 'deleted', now(), 'a', 'a', '::1' FROM generate_series(1, $1)`,
      [count],
    );
    const stream = await follow({ since });
    const late = await Promise.all([register(), register(), register()]);
    await stream.arrived(count + late.length);
    expect(stream.seqs).toEqual(
      Array.from({ length: count + late.length }, (_, index) => Number.parseInt(since, 10) + 1 + index),
    );
    stream.close();
  });

  test.each([
    ['what was never given out', { since: '999999999' }, '410 There is no such change'],
    ['a Last-Event-ID of another kind', { lastEventId: 'x' }, '400 Last-Event-ID must be the id of an event'],
    ['a `since` of another kind', { since: '-1' }, '400 /since'],
  ])('%s is refused before the stream begins', async (_name, options, message) => {
    await expect(follow(options)).rejects.toThrow(message);
  });

  test('the number of a change without its mark is refused before the stream begins', async () => {
    await register();
    const { body } = await registry().ask('GET', '/clients/changes?newest=1');
    const number = String(Number.parseInt(String(body['last_seq']), 10));
    for (const options of [{ since: number }, { lastEventId: number }])
      await expect(follow(options)).rejects.toThrow(/^400 .*`cursor`/);
  });

  test('without a valid token with the scope there is no stream', async () => {
    const { token } = await makeToken({ scopes: ['clients:check'] });
    await expect(follow({}, String(token))).rejects.toThrow('403 The token lacks the scope clients:read');
    await expect(follow({}, 'x'.repeat(40))).rejects.toThrow('401');
  });

  test('a stream ends within a second after its token was revoked; others go on', async () => {
    const stays = await follow();
    const delay = async () => {
      const { id, token } = await makeToken({ scopes: ['clients:read'] });
      const ends = await follow({}, String(token));
      await registry().ask('DELETE', `/token/${String(id)}`);
      const revoked = Date.now();
      await ends.ended();
      return ends.endedAt - revoked;
    };
    expect(await fastestOf(3, delay)).toBeLessThan(AT_MOST_MS);
    await register();
    expect(await stays.arrived(1)).toHaveLength(1);
    stays.close();
  });

  test('a stream ends within a second after its token expired', async () => {
    const delay = async () => {
      const { token, expires_at } = await makeToken({ scopes: ['clients:read'], expires_in: '2 s' });
      const stream = await follow({}, String(token));
      await stream.ended();
      return stream.endedAt - Date.parse(String(expires_at));
    };
    const lateMs = await fastestOf(2, delay);
    expect(lateMs).toBeGreaterThan(-10);
    expect(lateMs).toBeLessThan(AT_MOST_MS);
  });

  test('streams do not count towards the 100 concurrent requests', async () => {
    const some = async () => Promise.all(Array.from({ length: 60 }, async () => follow()));
    const streams = [...(await some()), ...(await some())];
    const { client_id } = await register();
    await Promise.all(streams.map(async (stream) => stream.arrived(1)));
    expect(new Set(streams.flatMap(({ changes }) => changes.map((change) => change.client_id)))).toEqual(
      new Set([client_id]),
    );
    for (const stream of streams) stream.close();
  });

  test('callers that accept JSON or anything get a page', async () => {
    for (const accept of ['application/json', '*/*', 'text/html, text/*']) {
      const { headers } = await registry().ask('GET', '/clients/changes', { headers: { accept } });
      expect(headers.get('content-type')).toMatch(/^application\/json/);
    }
  });
});
