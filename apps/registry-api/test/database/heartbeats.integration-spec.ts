import { eventually, query, SharedPostgres, startTcpProxy } from '@svc/test-servers';
import pg from 'pg';
import { Heartbeats } from '../../src/database/heartbeats.js';

const server = new SharedPostgres();
afterAll(async () => server.dropDatabases());

test('a committed heartbeat shows how young the data is, even if its acknowledgement was lost', async () => {
  const direct = new URL(await server.createRegistryDatabase());
  const proxy = await startTcpProxy(direct.host);
  const proxied = new URL(direct);
  proxied.host = proxy.address;
  const primary = new pg.Pool({ connectionString: proxied.href });
  primary.on('error', () => undefined);
  const standby = new pg.Pool({ connectionString: direct.href });
  const heartbeats = new Heartbeats(primary);
  const heartbeatOnServer = async () =>
    (await query(direct.href, 'SELECT beat FROM standby_beat'))[0]?.['beat'];
  const readHeartbeat = async () => (await heartbeats.readFrom(standby))!;
  try {
    await heartbeats.start();
    const acknowledged = await heartbeatOnServer();
    const before = performance.now();
    await proxy.sent(1, { stall: true });
    await eventually(async () => expect(await heartbeatOnServer()).not.toBe(acknowledged));
    const { sentAt } = await readHeartbeat();
    expect(sentAt).toBeGreaterThan(before);
    await eventually(async () => expect(heartbeats.isPrimaryUnavailable).toBe(true));
    proxy.resume();
    await eventually(async () => expect((await readHeartbeat()).sentAt).toBeGreaterThan(sentAt));
    expect(heartbeats.isPrimaryUnavailable).toBe(false);
  } finally {
    proxy.resume();
    await heartbeats.close();
    await Promise.all([primary.end(), standby.end()]);
    await proxy.stop();
  }
});
