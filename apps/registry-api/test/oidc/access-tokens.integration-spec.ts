import { createHmac, randomBytes } from 'node:crypto';
import { eventually } from '@svc/test-servers';
import { base64url, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { ClientChange } from '../../src/clients/client-change.entity.js';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { ask, registration, type RunningRegistry, runRegistry } from '../running-registry.js';
import { eventuallyRecorded, recorded } from '../security-events/recorded-events.js';
import { AUDIENCE, type OidcIssuer, startIssuer } from './oidc-issuer.js';

let issuer: OidcIssuer;
let registry: RunningRegistry;

const newRegistry = async (oidc: Readonly<Record<string, string>>): Promise<RunningRegistry> =>
  runRegistry({ OIDC_AUDIENCE: AUDIENCE, ...oidc });

beforeAll(async () => {
  issuer = await startIssuer();
  registry = await newRegistry({ OIDC_ISSUER: issuer.issuer });
}, DATABASE_START_MS);

afterAll(async () => {
  await registry.close();
  await issuer.halt();
});

const statusOf = async (token: string, path = '/client'): Promise<number> =>
  (await ask(registry.url + path, 'GET', token)).status;

test('an access token of the issuer grants access only by its scopes', async () => {
  const token = await issuer.accessToken('clients:read');
  expect(await statusOf(token)).toBe(200);
  expect(await statusOf(token, '/metrics')).toBe(403);
  const self = await ask(`${registry.url}/token/self`, 'GET', token);
  expect(self.body).toEqual({ name: 'automation', scopes: ['clients:read'] });
  const refused = await ask(`${registry.url}/client`, 'POST', token, { body: registration() });
  expect(refused.status).toBe(403);
  expect(refused.headers.get('www-authenticate')).toContain('scope="clients:write"');
});

test('the history names the subject of the access token', async () => {
  const token = await issuer.accessToken('clients:read clients:write');
  const { status, body } = await ask(`${registry.url}/client`, 'POST', token, { body: registration() });
  expect(status).toBe(201);
  const changes = registry.dataSource.getRepository(ClientChange);
  const change = await changes.findOneByOrFail({ clientId: String(body['client_id']) });
  expect(change).toMatchObject({ actorId: 'oidc:automation', actorName: 'automation' });
});

test('tokens created by a user of the issuer have a bounded lifetime, and so have their descendants', async () => {
  const maker = await issuer.sign({ scope: 'tokens:write clients:read' });
  const body = { name: 'made by a user', scopes: ['tokens:write', 'clients:read'] };
  const create = async (token: string, members: object = {}) =>
    (await ask(`${registry.url}/token`, 'POST', token, { body: { ...body, ...members } })).body;
  const made = await create(maker);
  expect(made).toMatchObject({ created_by: 'oidc:someone', issuer: issuer.issuer, subject: 'someone' });
  const days = (document: Record<string, unknown>) =>
    (Date.parse(String(document['expires_at'])) - Date.parse(String(document['created_at']))) / 86_400_000;
  expect(days(made)).toBe(90);
  expect(days(await create(maker, { expires_in: '10 y' }))).toBe(90);
  expect(days(await create(maker, { expires_in: '7 d' }))).toBe(7);
  const child = await create(String(made['token']), { expires_in: '10 y' });
  expect(child['expires_at']).toBe(made['expires_at']);
  expect(child).not.toHaveProperty('issuer');
});

test('the maximum lifetime of a user’s tokens is configurable', async () => {
  const other = await newRegistry({ OIDC_ISSUER: issuer.issuer, OIDC_TOKEN_MAX_LIFETIME: '12 h' });
  const body = { name: 'short', scopes: ['clients:read'] };
  const maker = await issuer.sign({ scope: 'tokens:write clients:read' });
  const { body: made } = await ask(`${other.url}/token`, 'POST', maker, { body });
  await other.close();
  expect(Date.parse(String(made['expires_at'])) - Date.parse(String(made['created_at']))).toBe(43_200_000);
});

test('the history shows a user’s display name', async () => {
  const claims = { preferred_username: 'jana', scope: 'clients:read clients:write' };
  const { body } = await ask(`${registry.url}/client`, 'POST', await issuer.sign(claims), {
    body: registration(),
  });
  const changes = registry.dataSource.getRepository(ClientChange);
  const change = await changes.findOneByOrFail({ clientId: String(body['client_id']) });
  expect(change).toMatchObject({ actorId: 'oidc:someone', actorName: 'jana' });
});

test('a user registers no more Clients a day than allowed, with however many access tokens', async () => {
  const limits = { REGISTRATION: 'token', REGISTRATION_PER_USER: '2' };
  const other = await newRegistry({ OIDC_ISSUER: issuer.issuer, ...limits });
  const register = async (sub: string) => {
    const token = await issuer.sign({ sub, scope: 'clients:register' });
    return ask(`${other.url}/register`, 'POST', token, { body: registration() });
  };
  const answers = await Promise.all([1, 2, 3, 4].map(async () => register('jana')));
  expect(await register('ivan')).toMatchObject({ status: 201 });
  await other.close();
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 429, 429]);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body['error_description']).toContain('more than 2 clients a day');
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('API tokens keep working alongside', async () => {
  expect(await statusOf(registry.token)).toBe(200);
});

test('a token for another audience is rejected', async () => {
  expect(await statusOf(await issuer.accessToken('clients:read', 'https://other.example'))).toBe(401);
});

const now = Math.floor(Date.now() / 1000);

test.each([
  ['as it should be', {}, {}, 200],
  ['with a list of audiences', { aud: ['https://other.example', AUDIENCE] }, {}, 200],
  ['with the long name of its type', {}, { typ: 'application/at+jwt' }, 200],
  ['that names no key', {}, { kid: undefined }, 200],
  ['that was an ID token', {}, { typ: 'JWT' }, 401],
  ['without a type', {}, { typ: undefined }, 401],
  ['of another issuer', { iss: 'https://evil.example' }, {}, 401],
  ['of another issuer that begins alike', { iss: 'http://127.0.0.1' }, {}, 401],
  ['for nobody', { aud: undefined }, {}, 401],
  ['that has expired', { exp: now - 60 }, {}, 401],
  ['that never expires', { exp: undefined }, {}, 401],
  ['that is not valid yet', { nbf: now + 600 }, {}, 401],
  ['of nobody', { sub: undefined }, {}, 401],
  ['of a subject with a NUL', { sub: 'a\0b' }, {}, 401],
  ['of a subject with half a character', { sub: '\ud800' }, {}, 401],
  ['without a scope', { scope: undefined }, {}, 403],
  ['with a scope that is a number', { scope: 7 }, {}, 403],
])('a token %s', async (_case, claims, header, status) => {
  const token = await issuer.sign(claims, header as never);
  expect(await statusOf(token)).toBe(status);
});

test('a token signed by a foreign key is rejected', async () => {
  const { privateKey } = await generateKeyPair('ES256');
  const jwt = new SignJWT({ scope: 'clients:read' }).setIssuer(issuer.issuer).setAudience(AUDIENCE);
  const token = await jwt
    .setSubject('someone')
    .setExpirationTime('5m')
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'first' })
    .sign(privateKey);
  expect(await statusOf(token)).toBe(401);
});

test('no signature, a shared key and the public key as a shared key are all rejected', async () => {
  const [, claims = ''] = (await issuer.sign({})).split('.');
  const unsigned = (header: object) => `${base64url.encode(JSON.stringify(header))}.${claims}`;
  const none = `${unsigned({ alg: 'none', typ: 'at+jwt' })}.`;
  const { publicKey } = await generateKeyPair('RS256', { extractable: true });
  const shared = [randomBytes(32).toString('hex'), await exportSPKI(publicKey)].map((key) => {
    const input = unsigned({ alg: 'HS256', typ: 'at+jwt', kid: 'first' });
    return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`;
  });
  for (const token of [none, `${none}AA`, ...shared]) expect(await statusOf(token)).toBe(401);
});

test('something that only looks like a token is rejected like any other', async () => {
  const answers = await Promise.all(
    ['eyJ.eyJ.AA', 'eyJhbGciOiJFUzI1NiJ9.e30.AA', `eyJ${'a'.repeat(9000)}.a.a`, 'svcr_unknown'].map((token) =>
      ask(`${registry.url}/client`, 'GET', token),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  const texts = new Set(answers.map(({ body }) => body['detail']));
  expect([...texts]).toEqual(['The bearer token is not valid.']);
});

test(
  'while the issuer is away its tokens get 503, and the own ones go on; the log says why',
  async () => {
    const gone = await startIssuer();
    const alone = await newRegistry({ OIDC_ISSUER: gone.issuer });
    const token = await gone.sign({});
    await gone.halt();
    const answer = await ask(`${alone.url}/client`, 'GET', token);
    const own = await alone.ask('GET', '/client');
    await alone.close();
    expect(alone.logged()).toMatch(/"level":"error".*ECONNREFUSED.*"msg":"request failed"/);
    expect(answer).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } });
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(own.status).toBe(200);
  },
  DATABASE_START_MS,
);

test(
  'roles of another name count when they are mapped',
  async () => {
    const mapped = await runRegistry({
      OIDC_ISSUER: issuer.issuer,
      OIDC_AUDIENCE: AUDIENCE,
      OIDC_SCOPE_CLAIM: '/realm_access/roles',
      OIDC_SCOPE_MAP: 'registry-reader=clients:read registry-admin=*',
    });
    const statusWith = async (roles: string[], path: string) => {
      const token = await issuer.sign({ realm_access: { roles } });
      return (await ask(mapped.url + path, 'GET', token)).status;
    };
    const statuses = [
      await statusWith(['registry-reader'], '/client'),
      await statusWith(['registry-reader'], '/metrics'),
      await statusWith(['other', 'registry-admin'], '/metrics'),
      await statusWith(['clients:read'], '/client'),
    ];
    await mapped.close();
    expect(statuses).toEqual([200, 403, 200, 403]);
  },
  DATABASE_START_MS,
);

test('no access token is in the log', async () => {
  const token = await issuer.sign({ aud: 'https://other.example' });
  await statusOf(token);
  expect(registry.logged()).not.toContain(token.split('.')[2]);
});

test('the first use of an access token and each refused one are logged, and are security events', async () => {
  const statusWith = async (resource: string, id: string) => {
    const token = await issuer.accessToken('clients:read', resource);
    return (await ask(`${registry.url}/client`, 'GET', token, { headers: { 'x-request-id': id } })).status;
  };
  expect(await statusWith(AUDIENCE, 'first')).toBe(200);
  expect(await statusWith(AUDIENCE, 'again')).toBe(200);
  expect(await statusWith('https://other.example', 'refused')).toBe(401);
  // One of all uses within an hour, also by other tests.
  await eventuallyRecorded(registry, 'kind=signed_in&actor=oidc:automation', [
    { actor: { id: 'oidc:automation', name: 'automation', source: issuer.issuer, address: '127.0.0.1' } },
  ]);
  await eventually(async () =>
    expect(await recorded(registry, 'kind=credential_refused')).toContainEqual(
      expect.objectContaining({
        actor: { id: '', name: '', source: 'none', address: '127.0.0.1' },
        details: expect.objectContaining({ reason: 'token' }) as object,
      }),
    ),
  );
  const lines = registry.logged().trim().split('\n');
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(logged.filter(({ msg }) => msg === 'a token is in use')).toContainEqual(
    expect.objectContaining({ principal_id: 'oidc:automation', address: '127.0.0.1' }),
  );
  expect(logged.filter(({ request_id }) => request_id === 'refused')).toContainEqual(
    expect.objectContaining({ msg: 'sign-in rejected', reason: 'token', address: '127.0.0.1' }),
  );
});

test('groups of the issuer reach the Clients with the labels that they are mapped to', async () => {
  const restricted = await newRegistry({
    OIDC_ISSUER: issuer.issuer,
    OIDC_SELECTOR_MAP: 'shop-admins=team:shop admins=*',
  });
  const scope = 'clients:read clients:write tokens:write metrics:read';
  const askAs = async (groups: unknown, method: string, path: string, body?: object) =>
    ask(restricted.url + path, method, await issuer.sign({ scope, groups }), { body });
  await restricted.ask('POST', '/client', { body: registration({ labels: { team: 'billing' } }) });
  const shop = ['shop-admins'];
  const { body } = await askAs(shop, 'POST', '/client', registration());
  expect(body['labels']).toEqual({ team: 'shop' });
  const totalOf = async (groups: string[]) =>
    (await askAs(groups, 'GET', '/client?count=true')).body['total'];
  expect([await totalOf(shop), await totalOf(['admins'])]).toEqual([1, 2]);
  for (const unlisted of [['others'], 'former shop-admins', 'shop-admins admins']) {
    expect((await askAs(unlisted, 'GET', '/client')).status).toBe(403);
  }
  expect((await askAs(shop, 'GET', '/token/self')).body).toMatchObject({
    selector: { team: 'shop' },
    scopes: ['clients:read', 'clients:write', 'tokens:write'],
  });
  const made = await askAs(shop, 'POST', '/token', { name: 'pipeline', scopes: ['clients:read'] });
  expect(made.body).toMatchObject({ created_by: 'oidc:someone', selector: { team: 'shop' } });
  expect((await askAs(shop, 'GET', '/token')).body['tokens']).toMatchObject([{ name: 'pipeline' }]);

  // The same sub of another issuer is another user.
  const id = String(made.body['id']);
  const setIssuer = async (url: string) =>
    restricted.dataSource.query('UPDATE api_token SET issuer = $1 WHERE id = $2', [url, id]);
  await setIssuer('https://former-issuer.example');
  expect((await askAs(shop, 'GET', '/token')).body['tokens']).toEqual([]);
  expect((await askAs(shop, 'GET', '/token?state=ended')).body['tokens']).toEqual([]);
  for (const method of ['GET', 'DELETE']) {
    expect((await askAs(shop, method, `/token/${id}`)).status).toBe(404);
  }
  await setIssuer(issuer.issuer);
  expect((await askAs(shop, 'DELETE', `/token/${id}`)).status).toBe(200);
  expect((await askAs(shop, 'GET', '/token?state=ended')).body['tokens']).toMatchObject([{ id }]);
  await restricted.close();
});
