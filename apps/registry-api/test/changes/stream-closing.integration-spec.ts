import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { runRegistry } from '../running-registry.js';

test.each([
  ['few changes', 1],
  ['more changes than buffers hold', 3_000],
])(
  'a registry with an open stream that nothing is read from closes at once, with %s',
  async (_case, changes) => {
    const registry = await runRegistry();
    await registry.dataSource.query(
      `INSERT INTO client_change (seq, client_id, kind, at, actor_id, actor_name, address)
       SELECT next_change_seq(), 'absent', 'deleted', now(), 'x', 'x', '127.0.0.1' FROM generate_series(1, $1::int)`,
      [changes],
    );
    const request = get(`${registry.url}/clients/changes?since=0`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${registry.token}` },
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.pause();
    response.on('error', () => undefined);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const startedAt = performance.now();
    await registry.close();
    const ms = performance.now() - startedAt;
    response.destroy();
    expect(ms).toBeLessThan(5_000);
  },
  DATABASE_START_MS,
);
