import { eventually, query, SharedPostgres, startTcpProxy } from '@svc/test-servers';
import pg from 'pg';
import { Beats } from '../../src/database/beats.js';

const server = new SharedPostgres();
afterAll(async () => server.dropDatabases());

test('a committed beat shows how young the data is, even if its acknowledgement was lost', async () => {
  const direct = new URL(await server.createRegistryDatabase());
  const proxy = await startTcpProxy(direct.host);
  const proxied = new URL(direct);
  proxied.host = proxy.address;
  const primary = new pg.Pool({ connectionString: proxied.href });
  primary.on('error', () => undefined);
  const standby = new pg.Pool({ connectionString: direct.href });
  const beats = new Beats(primary);
  const beatOnServer = async () => (await query(direct.href, 'SELECT beat FROM standby_beat'))[0]?.['beat'];
  const readBeat = async () => (await beats.readFrom(standby))!;
  try {
    await beats.start();
    const acknowledged = await beatOnServer();
    const before = performance.now();
    await proxy.sent(1, { stall: true });
    await eventually(async () => expect(await beatOnServer()).not.toBe(acknowledged));
    const { sentAt } = await readBeat();
    expect(sentAt).toBeGreaterThan(before);
    await eventually(async () => expect(beats.isPrimaryAway).toBe(true));
    proxy.resume();
    await eventually(async () => expect((await readBeat()).sentAt).toBeGreaterThan(sentAt));
    expect(beats.isPrimaryAway).toBe(false);
  } finally {
    proxy.resume();
    await beats.close();
    await Promise.all([primary.end(), standby.end()]);
    await proxy.stop();
  }
});
