import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { DestinationPolicy } from '@svc/service-kit/destinations';
import { eventually } from '@svc/test-servers';
import { ClientKeys, KEY_TIMES } from '../../src/assertions/client-keys.js';
import { makeSigner } from '../hand-made-assertion.js';

const { publicJwk: KEY } = makeSigner('ES256', 'a');
const OLD = { ...KEY, kid: 'old' };
const json = (value: unknown): RequestListener => {
  return (_request, response) => void response.end(JSON.stringify(value));
};

let server: Server;
let uri: string;
let answer: RequestListener;
let requests: number;
beforeAll(async () => {
  server = createServer((request, response) => {
    requests += 1;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  requests = 0;
  answer = json({ keys: [KEY] });
});

const ALLOWED = new DestinationPolicy(['127.0.0.1'], 'JWKS_URI_ALLOW');
const kidsOf = (keys: readonly Readonly<Record<string, unknown>>[]) => keys.map(({ kid }) => kid);
const wants = (kid: string) => (key: Readonly<Record<string, unknown>>) => key['kid'] === kid;

test('keys are fetched once for many checks at a time, and cached', async () => {
  const keys = new ClientKeys(ALLOWED);
  const found = await Promise.all(Array.from({ length: 20 }, async () => keys.keysAt(uri, wants('a'))));
  expect(found.map(kidsOf)).toEqual(Array(20).fill(['a']));
  expect(kidsOf(await keys.keysAt(uri, wants('a')))).toEqual(['a']);
  expect(requests).toBe(1);
});

test('an unknown key is looked for again, at most once per cooldown', async () => {
  const keys = new ClientKeys(ALLOWED, { ...KEY_TIMES, cooldownMs: 60_000 });
  for (let count = 0; count < 50; count += 1) await keys.keysAt(uri, wants('unknown'));
  expect(requests).toBe(1);
  const eager = new ClientKeys(ALLOWED, { ...KEY_TIMES, cooldownMs: 0 });
  answer = json({ keys: [OLD] });
  await eager.keysAt(uri, wants('old'));
  answer = json({ keys: [KEY] });
  expect(kidsOf(await eager.keysAt(uri, wants('a')))).toEqual(['a']);
});

test('while an unknown key is looked for, and after that failed, the known keys stay in use', async () => {
  // Enough for the first fetch on a busy machine.
  const keys = new ClientKeys(ALLOWED, { ...KEY_TIMES, timeoutMs: 1_000, cooldownMs: 0 });
  await keys.keysAt(uri, wants('a'));
  answer = (_request, response) => void response.write('{');
  const unknown = expect(keys.keysAt(uri, wants('unknown'))).rejects.toThrow(/within 1000 ms/);
  let isOver = false;
  void unknown.then(() => (isOver = true));
  expect(kidsOf(await keys.keysAt(uri, wants('a')))).toEqual(['a']);
  expect(isOver).toBe(false);
  await unknown;
  expect(kidsOf(await keys.keysAt(uri, wants('a')))).toEqual(['a']);
  expect(requests).toBe(2);
});

test('a failed search for an unknown key is remembered for the cooldown', async () => {
  const keys = new ClientKeys(ALLOWED, { ...KEY_TIMES, cooldownMs: 60_000 });
  await keys.keysAt(uri, wants('a'));
  answer = (_request, response) => void response.writeHead(500).end();
  const later = performance.now() + 60_000;
  jest.spyOn(performance, 'now').mockReturnValue(later);
  for (let count = 0; count < 20; count += 1)
    await expect(keys.keysAt(uri, wants('unknown'))).rejects.toThrow('status 500');
  expect(requests).toBe(2);
});

test('keys are fetched again when they are too old', async () => {
  const keys = new ClientKeys(ALLOWED, { ...KEY_TIMES, maxAgeMs: 0 });
  await keys.keysAt(uri, wants('a'));
  await keys.keysAt(uri, wants('a'));
  expect(requests).toBe(2);
});

test('a failure is remembered for the cooldown', async () => {
  answer = (_request, response) => void response.writeHead(500).end();
  const keys = new ClientKeys(ALLOWED);
  for (let count = 0; count < 3; count += 1)
    await expect(keys.keysAt(uri, wants('a'))).rejects.toThrow('jwks_uri responded with status 500');
  expect(requests).toBe(1);
});

test('of many addresses at a time, some wait, and a full queue is no failure of the Client', async () => {
  const addresses = Array.from({ length: 20 }, (_, index) => `${uri}/${index}`);
  const all = async (keys: ClientKeys) =>
    Promise.allSettled(addresses.map(async (each) => keys.keysAt(each, wants('a'))));
  const patient = await all(new ClientKeys(ALLOWED, { ...KEY_TIMES, waitMs: 30_000 }));
  expect(patient.map(({ status }) => status)).toEqual(Array(20).fill('fulfilled'));
  const released: (() => void)[] = [];
  answer = (request, response) => void released.push(() => json({ keys: [KEY] })(request, response));
  const hasty = new ClientKeys(ALLOWED, { ...KEY_TIMES, timeoutMs: 30_000, waitMs: 100 });
  const first = all(hasty);
  await expect(hasty.keysAt(addresses[19]!, wants('a'))).rejects.toMatchObject({ code: 'checks_busy' });
  await eventually(async () => expect(released).toHaveLength(8));
  released.forEach((release) => release());
  expect((await first).filter(({ status }) => status === 'rejected')).toHaveLength(12);
  answer = json({ keys: [KEY] });
  expect(kidsOf(await hasty.keysAt(addresses[19]!, wants('a')))).toEqual(['a']);
});

test('an address that is not public is not called', async () => {
  await expect(
    new ClientKeys(new DestinationPolicy([], 'JWKS_URI_ALLOW')).keysAt(uri, wants('a')),
  ).rejects.toThrow(/loopback address, not a public one; the operator can allow it by JWKS_URI_ALLOW/);
  expect(requests).toBe(0);
});

test('neither is the target of a redirect, nor an internal address that a public name resolves to', async () => {
  answer = (_request, response) => void response.writeHead(302, { location: uri }).end();
  await expect(new ClientKeys(ALLOWED).keysAt(uri, wants('a'))).rejects.toThrow('responded with status 302');
  const rebound = new ClientKeys(
    new DestinationPolicy([], 'JWKS_URI_ALLOW'),
    KEY_TIMES,
    (_name, _options, done) => done(null, [{ address: '169.254.169.254', family: 4 }]),
  );
  await expect(rebound.keysAt('https://keys.example/', wants('a'))).rejects.toThrow(/link-local/);
  expect(requests).toBe(1);
});

test.each<[string, RequestListener, RegExp]>([
  ['too large', (_request, response) => void response.end('x'.repeat(70_000)), /larger than 65536 bytes/],
  ['not JSON', (_request, response) => void response.end('<html>'), /JSON Web Key Set/],
  ['no keys', json({}), /JSON Web Key Set/],
  ['never complete', (_request, response) => void response.write('{'), /within 200 ms/],
  [
    'compressed',
    (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(),
    /Content-Encoding/,
  ],
])('a response that is %s is refused', async (_case, respond, message) => {
  answer = respond;
  const keys = new ClientKeys(ALLOWED, { ...KEY_TIMES, timeoutMs: _case === 'never complete' ? 200 : 3_000 });
  await expect(keys.keysAt(uri, wants('a'))).rejects.toThrow(message);
});

test('keys that cannot be used are ignored, and of many only the first are looked at', async () => {
  answer = json({ keys: [null, { kty: 'oct', k: 'AA' }, { ...KEY, use: 'enc' }, { kty: 'AKP' }, KEY] });
  expect(kidsOf(await new ClientKeys(ALLOWED).keysAt(uri, wants('a')))).toEqual(['a']);
  answer = json({ keys: [...Array<unknown>(60).fill(OLD), KEY] });
  expect(kidsOf(await new ClientKeys(ALLOWED).keysAt(uri, wants('a')))).toEqual(Array(50).fill('old'));
});
