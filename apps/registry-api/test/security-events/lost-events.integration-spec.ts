import { onPostgres } from '../on-both-databases.js';
import { EventStream } from './event-stream.js';
import { eventuallyRecorded, idOf, prunerOf, recorded } from './recorded-events.js';

onPostgres((registry) => {
  const create = async (name: string) =>
    registry().ask('POST', '/token', { body: { name, scopes: ['clients:read'] } });
  const follow = async (lastEventId: string, kind = 'token_created') =>
    EventStream.open(registry(), lastEventId, `kind=${kind}`);
  /** The last events, latest first. */
  const ids = async () => (await recorded(registry())).map(idOf);
  const LOST = '410 There is no such event, perhaps because';

  /** As a failover does that loses the last transactions. */
  async function lose(events: number): Promise<void> {
    const { dataSource } = registry();
    await dataSource.query('ALTER TABLE security_event DISABLE TRIGGER security_event_stays');
    await dataSource.query(
      'DELETE FROM security_event WHERE seq > (SELECT head_seq FROM security_event_chain) - $1',
      [events],
    );
    await dataSource.query(
      `UPDATE security_event_chain SET (head_seq, head_mac, head_key_id) =
         (SELECT seq, mac, key_id FROM security_event ORDER BY seq DESC LIMIT 1)`,
    );
  }

  // What is recorded off the path of requests comes first.
  beforeAll(async () => {
    await create('first');
    await eventuallyRecorded(registry(), 'kind=token_first_used', [{}]);
  });
  beforeEach(async () => {
    for (let count = 0; count < 5; count += 1) await create(`t${count}`);
  });

  test('a reader that has seen an event that was lost gets 410, and from the new end on what follows', async () => {
    const [seen, , , kept] = await ids();
    await (await follow(seen!)).close();
    await lose(3);
    await expect(follow(seen!)).rejects.toThrow(LOST);
    const continued = await follow(kept!);
    await create('after the loss');
    await continued.until('after the loss');
    await continued.close();
  });

  test('an open stream ends if the last event that it has sent is lost, although another has its number', async () => {
    const [last] = await ids();
    const stream = await follow(last!);
    await stream.isOpenFor(750);
    await lose(2);
    await create('in its place');
    await stream.ended;
    expect(stream.text).not.toContain('data:');
  });

  test('the same if a new event has the number of the lost one', async () => {
    const [seen, , kept] = await ids();
    await lose(2);
    await create('in its place');
    const [other] = await ids();
    expect([Number.parseInt(other!, 10), other]).toEqual([
      Number.parseInt(seen!, 10),
      expect.not.stringMatching(seen!),
    ]);
    await expect(follow(seen!)).rejects.toThrow(LOST);
    const continued = await follow(kept!);
    await continued.until(`id: ${other!}\ndata: `);
    await continued.close();
  });

  test('events that do not match do not end a stream', async () => {
    const [, , before] = await ids();
    const stream = await follow(before!, 'token_revoked');
    await stream.isOpenFor(2_500);
    const { body } = await create('revoked');
    await registry().ask('DELETE', `/token/${String(body['id'])}`);
    await stream.until(`"subject":"${String(body['id'])}"`);
    await stream.close();
  });

  test('a number alone is the event that has it', async () => {
    const [last, former] = await ids();
    const seq = Number.parseInt(former!, 10);
    const stream = await follow(String(seq));
    await stream.until(`id: ${last!}\ndata: `);
    await stream.close();
    await expect(follow(String(seq + 2))).rejects.toThrow(LOST);
  });

  test('an event that was deleted because of its age is not lost', async () => {
    const [last, former] = await ids();
    await prunerOf(registry()).prune(new Date(Date.now() + 401 * 24 * 3_600_000));
    expect(await ids()).toEqual([]);
    const stream = await follow(former!);
    await create('later');
    await stream.until('later');
    await stream.close();
    await (await follow(last!)).close();
  });
});
