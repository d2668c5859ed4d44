import { type KeyObject, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@svc/service-kit';
import { IssuerKeys } from '../../src/oidc/issuer-keys.js';
import { OidcTokenVerifier } from '../../src/oidc/oidc-token-verifier.js';

const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
const strong = generateKeyPairSync('rsa', { modulusLength: 2048 });
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const AUDIENCE = 'https://registry.example';

let server: Server;
let issuer: string;
let logged = '';
let verifier: OidcTokenVerifier;

/** An issuer's key set with a key that is too short for RS256 (RFC 7518 section 3.3) ahead of a sound one. */
beforeAll(async () => {
  const keys = [
    { ...weak.publicKey.export({ format: 'jwk' }), kid: 'weak' },
    { ...curve.publicKey.export({ format: 'jwk' }), kid: 'curve' },
    { ...strong.publicKey.export({ format: 'jwk' }), kid: 'strong' },
  ];
  server = createServer(({ url }, response) => {
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
function token(key: KeyObject, kid?: string): string {
  const now = Math.floor(Date.now() / 1000);
  const parts = [
    { alg: 'RS256', typ: 'at+jwt', kid },
    { iss: issuer, aud: AUDIENCE, sub: 'user', exp: now + 60, scope: 'clients:read' },
  ];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
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
