import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  X509Certificate,
} from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@svc/service-kit';
import { makeCertificates } from '@svc/test-servers';
import { IssuerKeys } from '../../src/oidc/issuer-keys.js';
import { OidcTokenVerifier } from '../../src/oidc/oidc-token-verifier.js';

const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
const strong = generateKeyPairSync('rsa', { modulusLength: 2048 });
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const AUDIENCE = 'https://registry.example';

let server: Server;
let issuer: string;
let logged = '';
/** The paths that the issuer's server was asked for. */
const asked: (string | undefined)[] = [];
let verifier: OidcTokenVerifier;

/** An issuer's key set with a key that is too short for RS256 (RFC 7518 section 3.3) ahead of a sound one. */
beforeAll(async () => {
  const keys = [
    { ...weak.publicKey.export({ format: 'jwk' }), kid: 'weak' },
    { ...curve.publicKey.export({ format: 'jwk' }), kid: 'curve' },
    { ...strong.publicKey.export({ format: 'jwk' }), kid: 'strong' },
  ];
  server = createServer(({ url }, response) => {
    asked.push(url);
    const document = url === '/jwks' ? { keys } : { issuer, jwks_uri: `${issuer}/jwks` };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = {
    issuer,
    audience: AUDIENCE,
    algorithms: ['RS256', 'ES256'],
    scopeClaim: 'scope',
    scopeMap: new Map<string, readonly string[]>(),
  };
  const logger = createLogger('registry', 'info', {
    write: (line: string) => void (logged += line),
  } as never);
  verifier = new OidcTokenVerifier(settings as never, new IssuerKeys(issuer).keyFor, logger);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

/** An access token, signed without regard to the length of the key. */
function token(key: KeyObject, kid?: string, header: object = {}): string {
  const now = Math.floor(Date.now() / 1000);
  const parts = [
    { alg: 'RS256', typ: 'at+jwt', kid, ...header },
    { iss: issuer, aud: AUDIENCE, sub: 'user', exp: now + 60, scope: 'clients:read' },
  ];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

test('a token that names a weak key of the issuer is rejected, and the log says why', async () => {
  expect(await verifier.verify(token(weak.privateKey, 'weak'))).toBeUndefined();
  expect(logged).toContain('2048 bits');
  expect(logged).toContain('"kid":"weak"');
});

test('a token that names a strong key beside it is accepted', async () => {
  expect(await verifier.verify(token(strong.privateKey, 'strong'))).toMatchObject({ id: 'oidc:user' });
});

test('a token that names no key is tried with each that can be used', async () => {
  expect(await verifier.verify(token(strong.privateKey))).toMatchObject({ id: 'oidc:user' });
  expect(await verifier.verify(token(weak.privateKey))).toBeUndefined();
});

test('a token that names a key of another kind is rejected', async () => {
  expect(await verifier.verify(token(strong.privateKey, 'curve'))).toBeUndefined();
});

test('a token that brings its own key is rejected, and the key is not fetched', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'registry-keys-'));
  const { serverKey, serverCert } = await makeCertificates(folder);
  const [own, certificate] = [createPrivateKey(await readFile(serverKey)), await readFile(serverCert)];
  await rm(folder, { recursive: true });
  const x5c = [new X509Certificate(certificate).raw.toString('base64')];
  const jwk = createPublicKey(own).export({ format: 'jwk' });
  const all = { jwk, jku: `${issuer}/own.json`, x5u: `${issuer}/own.pem`, x5c };
  for (const header of [...Object.entries(all).map((entry) => Object.fromEntries([entry])), all]) {
    for (const kid of ['own', 'curve', undefined]) {
      const forged = await verifier.verify(token(own, kid, { alg: 'ES256', ...header }));
      expect([header, kid, forged]).toEqual([header, kid, undefined]);
    }
    // It is the key that is wrong: with the issuer's the same header is accepted.
    const sound = token(curve.privateKey, 'curve', { alg: 'ES256', ...header });
    expect(await verifier.verify(sound)).toMatchObject({ id: 'oidc:user' });
  }
  expect(asked).toContain('/jwks');
  expect(asked.filter((path) => path?.startsWith('/own'))).toEqual([]);
});
