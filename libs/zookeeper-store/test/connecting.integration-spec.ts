import { createConnection, createServer, type AddressInfo, type Server } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeCertificates, startZookeeper, type ZookeeperServer } from '@svc/test-servers';
import { closeAll, connect, createNode } from './support/clients.js';

let zookeeper: ZookeeperServer;
let mute: Server;
let muteAddress: string;

beforeAll(async () => {
  zookeeper = await startZookeeper({ tls: true });
  mute = createServer(() => undefined);
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  muteAddress = `127.0.0.1:${(mute.address() as AddressInfo).port}`;
});

afterAll(async () => {
  mute.close();
  await zookeeper.stop();
});

afterEach(closeAll);

const SOON = { timeoutMs: 1_500 };

test.each([
  ['a dead port', '127.0.0.1:1', /127\.0\.0\.1:1 .*ECONNREFUSED/],
  ['an unknown host name', 'no-such-host.invalid:2181', /no-such-host\.invalid:2181 .*(ENOTFOUND|EAI_AGAIN)/],
  ['several dead servers', '127.0.0.1:1,127.0.0.1:2', /127\.0\.0\.1:1, 127\.0\.0\.1:2 .*ECONNREFUSED/],
])('%s fails after the timeout, naming the servers and the reason', async (_case, addresses, message) => {
  await expect(connect(addresses, SOON)).rejects.toThrow(message);
});

test('a server that accepts connections but sends nothing times out', async () => {
  await expect(connect(muteAddress, SOON)).rejects.toThrow(/no session within \d+ ms/);
});

test('a dead server next to a live one costs only one attempt', async () => {
  for (let run = 0; run < 4; run += 1) {
    const client = await connect(`127.0.0.1:1,${zookeeper.address}`);
    expect(await client.getData('/')).toMatchObject({ version: expect.any(Number) });
  }
});

test('a mute server next to a live one is skipped', async () => {
  for (let run = 0; run < 2; run += 1) {
    const client = await connect(`${muteAddress},${zookeeper.address}`, { sessionTimeoutMs: 1_000 });
    expect(await client.getData('/')).toBeDefined();
  }
});

/** Hosts without IPv6 have nothing to listen on. */
const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === '::1'),
);

(hasIpv6 ? test : test.skip)('a server at an IPv6 address is reached', async () => {
  const relay = createServer((socket) => {
    const upstream = createConnection(zookeeper.port, '127.0.0.1');
    socket.pipe(upstream).pipe(socket);
    for (const end of [socket, upstream]) end.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => relay.listen(0, '::1', resolve));
  const client = await connect(`[::1]:${(relay.address() as AddressInfo).port}`);
  expect(await client.getData('/')).toBeDefined();
  await closeAll();
  relay.close();
});

test('TLS with a client certificate', async () => {
  const { address, certificates } = zookeeper.tls!;
  const tls = {
    ca: readFileSync(certificates.ca),
    cert: readFileSync(certificates.clientCert),
    key: readFileSync(certificates.clientKey),
  };
  const client = await connect(address, { tls });
  await createNode(client, '/tls', 'secret');
  expect((await client.getData('/tls'))?.data.toString()).toBe('secret');
});

test('a certificate from an untrusted CA is rejected, with the reason', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-tls-'));
  const foreign = await makeCertificates(folder);
  const { certificates } = zookeeper.tls!;
  const tls = {
    ca: readFileSync(foreign.ca),
    cert: readFileSync(certificates.clientCert),
    key: readFileSync(certificates.clientKey),
  };
  await expect(connect(zookeeper.tls!.address, { ...SOON, tls })).rejects.toThrow(/\(127\.0\.0\.1:\d+: .+\)/);
  await rm(folder, { recursive: true });
});

test.each([
  [
    'a key of another certificate',
    'serverKey',
    /^tls_cert and tls_key do not belong together \(key values mismatch\)/,
  ],
  ['a certificate instead of a key', 'clientCert', /^tls_key cannot be used \(.+\)/],
] as const)('%s is an error of connecting, with the reason', async (_case, key, message) => {
  const { address, certificates } = zookeeper.tls!;
  const tls = {
    ca: readFileSync(certificates.ca),
    cert: readFileSync(certificates.clientCert),
    key: readFileSync(certificates[key]),
  };
  await expect(connect(address, { tls })).rejects.toThrow(message);
});

test('a plaintext client on a TLS port fails, with a hint', async () => {
  await expect(connect(zookeeper.tls!.address, SOON)).rejects.toThrow(/cannot be reached/);
});

test('a password is sent only to loopback, over TLS, or if allowed explicitly', async () => {
  const auth = 'someone:secret';
  const refused = connect('zookeeper.example.com:2181', { ...SOON, auth });
  await expect(refused).rejects.toThrow(/zookeeper\.example\.com:2181 would be sent unencrypted/);
  await expect(refused).rejects.not.toThrow(/secret/);
  await expect(connect(zookeeper.address, { auth })).resolves.toBeDefined();
});
