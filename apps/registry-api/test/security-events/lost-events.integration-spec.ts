import { setTimeout as sleep } from 'node:timers/promises';
import { onPostgres } from '../on-both-databases.js';
import { eventuallyRecorded, recorded } from './recorded-events.js';

onPostgres((registry) => {
  const create = async (name: string) =>
    registry().ask('POST', '/token', { body: { name, scopes: ['clients:read'] } });
  const follow = async (lastEventId: number, kind = 'token_created') =>
    fetch(`${registry().url}/audit?kind=${kind}`, {
      headers: {
        authorization: `Bearer ${registry().token}`,
        ...{ accept: 'text/event-stream', 'last-event-id': String(lastEventId) },
      },
    });
  const latest = async () => (await recorded(registry()))[0]!.seq;

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
    const seen = await latest();
    expect((await follow(seen)).status).toBe(200);
    await lose(3);
    const answer = await follow(seen);
    expect([answer.status, await answer.json()]).toEqual([
      410,
      expect.objectContaining({ detail: expect.stringMatching(/^There is no such event, perhaps because/) }),
    ]);
    const continued = await follow(seen - 3);
    expect(continued.status).toBe(200);
    await create('after the loss');
    let text = '';
    for await (const chunk of continued.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.includes('after the loss')) break;
    }
  });

  test('an open stream ends if the last event that it has sent is lost', async () => {
    const stream = await follow(await latest());
    const ended = stream.text();
    await sleep(1_500);
    await lose(3);
    expect(await ended).not.toContain('data:');
  });

  test('events that do not match do not end a stream', async () => {
    const stream = await follow((await latest()) - 2, 'token_revoked');
    let isOpen = true;
    const read = async () => {
      const reader = stream.body!.getReader();
      while (isOpen && !(await reader.read()).done);
    };
    const ended = read().finally(() => (isOpen = false));
    await sleep(2_500);
    expect(isOpen).toBe(true);
    const { body } = await create('revoked');
    isOpen = false;
    await registry().ask('DELETE', `/token/${String(body['id'])}`);
    await ended;
  });
});
