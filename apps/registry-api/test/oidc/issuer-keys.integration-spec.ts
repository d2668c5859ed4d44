import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { jwtVerify } from 'jose';
import { IssuerKeys, ISSUER_TIMES } from '../../src/oidc/issuer-keys.js';
import { type OidcIssuer, startIssuer } from './oidc-issuer.js';

let issuer: OidcIssuer;
let server: Server | undefined;

beforeAll(async () => {
  issuer = await startIssuer();
});
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  if (server) await once(server, 'close');
  server = undefined;
});
afterAll(async () => issuer.halt());

test('a key that the issuer has changed to is fetched once the cooldown is over', async () => {
  const keys = new IssuerKeys(issuer.issuer, { ...ISSUER_TIMES, cooldownMs: 0 });
  const patient = new IssuerKeys(issuer.issuer);
  const before = await issuer.sign({});
  await jwtVerify(before, keys.keyFor);
  await jwtVerify(before, patient.keyFor);
  await issuer.rotate();
  const after = await issuer.sign({});
  await jwtVerify(after, keys.keyFor);
  await expect(jwtVerify(after, patient.keyFor)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
});

test('a failed discovery is not retried before the cooldown is over', async () => {
  let asked = 0;
  const url = await serve((_request, response) => {
    asked += 1;
    response.writeHead(500).end();
  });
  const token = await issuer.sign({});
  const patient = new IssuerKeys(url);
  const eager = new IssuerKeys(url, { ...ISSUER_TIMES, cooldownMs: 0 });
  for (const keys of [patient, patient, patient]) await expectUnavailable(keys, token);
  expect(asked).toBe(1);
  for (const keys of [eager, eager, eager]) await expectUnavailable(keys, token);
  expect(asked).toBe(4);
});

test('setting the clock back does not put the next discovery off', async () => {
  let asked = 0;
  const url = await serve((_request, response) => {
    asked += 1;
    response.writeHead(500).end();
  });
  const keys = new IssuerKeys(url, { ...ISSUER_TIMES, cooldownMs: 1 });
  const token = await issuer.sign({});
  await expectUnavailable(keys, token);
  const { now } = Date;
  Date.now = () => now() - 3_600_000;
  try {
    await sleep(50);
    await expectUnavailable(keys, token);
  } finally {
    Date.now = now;
  }
  expect(asked).toBe(2);
});

test('many tokens at once cause one discovery', async () => {
  let asked = 0;
  const url = await serve((_request, response) => {
    asked += 1;
    response.writeHead(500).end();
  });
  const keys = new IssuerKeys(url);
  const token = await issuer.sign({});
  await Promise.all(Array.from({ length: 20 }, () => expectUnavailable(keys, token)));
  expect(asked).toBe(1);
});

test.each<[string, (url: string) => unknown]>([
  ['of another issuer', () => ({ issuer: 'https://other.example', jwks_uri: 'https://other.example/jwks' })],
  ['without keys', (url) => ({ issuer: url })],
  ['with keys in a file', (url) => ({ issuer: url, jwks_uri: 'file:///etc/passwd' })],
  ['with an address that is none', (url) => ({ issuer: url, jwks_uri: 'nowhere' })],
  ['that is a list', () => []],
  ['that is null', () => null],
])('a discovery document %s is not used', async (_case, documentOf) => {
  const url = await serve((request, response) => {
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(documentOf(`http://${request.headers.host}`)));
  });
  await expectUnavailable(new IssuerKeys(url), await issuer.sign({}));
});

test('a discovery that redirects, or never ends, is not followed', async () => {
  const redirecting = await serve((_request, response) =>
    response.writeHead(302, { location: issuer.issuer }).end(),
  );
  await expectUnavailable(new IssuerKeys(redirecting), await issuer.sign({}));
  const silent = await serve(() => undefined);
  await expectUnavailable(new IssuerKeys(silent, { ...ISSUER_TIMES, timeoutMs: 100 }), await issuer.sign({}));
});

async function expectUnavailable(keys: IssuerKeys, token: string): Promise<void> {
  await expect(jwtVerify(token, keys.keyFor)).rejects.toMatchObject({ code: 'issuer_unavailable' });
}

async function serve(listener: RequestListener): Promise<string> {
  server?.closeAllConnections();
  server?.close();
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
