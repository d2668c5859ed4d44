import { once } from 'node:events';
import { connect } from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';
import { ClientRegistration } from '../src/registration/client-registration.entity.js';
import { hashRegistrationToken, newRegistrationToken } from '../src/registration/registration-access.js';
import { DATABASE_START_MS } from './on-both-databases.js';
import { registration, type RunningRegistry, runRegistry } from './running-registry.js';

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}

/** A route that takes JSON, as the API document tells it. */
interface Route {
  readonly method: string;
  readonly path: string;
}

let registry: RunningRegistry;
let routes: Route[];
/** Of `a client`, for its developer. */
const registrationToken = newRegistrationToken();
let logsOfSetUp: string;

beforeAll(async () => {
  registry = await runRegistry({ REGISTRATION: 'token' });
  const made = await registry.ask('POST', '/client', {
    body: registration({ preferred_client_id: 'a client' }),
  });
  expect(made.status).toBe(201);
  const tokens = registry.dataSource.getRepository(ClientRegistration);
  await tokens.insert({ clientId: 'a client', tokenHash: hashRegistrationToken(registrationToken) });
  const { body } = await registry.ask('GET', '/openapi.json');
  const paths = Object.entries(body['paths'] as Record<string, Record<string, Operation>>);
  routes = paths.flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { requestBody }]) => requestBody && 'application/json' in requestBody.content)
      .map(([method]) => ({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/, 'a%20client') })),
  );
  logsOfSetUp = registry.logged();
}, DATABASE_START_MS);
afterAll(async () => registry.close());

afterAll(() => {
  const lines = registry.logged().slice(logsOfSetUp.length).split('\n');
  expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

const tokenFor = (path: string) => (path.startsWith('/register/') ? registrationToken : registry.token);

const send = async ({ method, path }: Route, body: string | Buffer, headers: Record<string, string> = {}) => {
  const response = await fetch(registry.url + path, {
    method,
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers: {
      authorization: `Bearer ${tokenFor(path)}`,
      'content-type': 'application/json',
      ...headers,
    },
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    problem: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
  };
};

test('the API document lists routes with bodies', () => {
  expect(routes).toEqual(
    expect.arrayContaining([
      { method: 'POST', path: '/client' },
      { method: 'PUT', path: '/client/a%20client' },
      { method: 'POST', path: '/client/a%20client/check/authorization_request' },
      { method: 'POST', path: '/client/a%20client/check/secret' },
      { method: 'POST', path: '/token' },
      { method: 'POST', path: '/register' },
      { method: 'PUT', path: '/register/a%20client' },
    ]),
  );
});

const OTHER_TYPE = 'This endpoint does not support the Content-Type of the body.';
const COMPRESSED = 'The body is compressed (Content-Encoding), which this endpoint does not support.';
const OTHER_CHARSET = 'The charset of a JSON body must be UTF-8 (RFC 8259 section 8.1).';
const NUL = 'The body has a string with a NUL character.';
const SURROGATE = 'The body has a string with an unpaired surrogate, which is not valid Unicode.';
const PROTOTYPE = 'The body has a member named __proto__.';
const TAKES_ANYTHING = /\/(check\/(authorization_request|secret|client_assertion)|explain)$/;
const IN_CHECKS = new Set([NUL, SURROGATE, PROTOTYPE]);
const MEMBERS = 'The body has an object with more than 1000 members.';
const type = (value: string) => ({ 'content-type': value });
const coding = (value: string) => ({ 'content-encoding': value });

test.each<[string, string | Buffer, Record<string, string>, number, string]>([
  ['an empty body', '', {}, 400, 'The body is empty; send a JSON object.'],
  ['spaces', ' \r\n\t', {}, 400, 'The body is empty; send a JSON object.'],
  ['JSON that is cut short', '{"client_name":', {}, 400, 'The body is not valid JSON.'],
  ['JSON with more behind it', '{} {}', {}, 400, 'The body is not valid JSON at position 3.'],
  ['a member twice', '{"a":1,"a":1}', {}, 400, 'The body has the member "a" twice.'],
  ['a NUL', '{"client_name":"a\\u0000b"}', {}, 400, NUL],
  ['a NUL in a name', '{"a\\u0000":1}', {}, 400, NUL],
  ['half a surrogate pair', '{"client_name":"\\ud800"}', {}, 400, SURROGATE],
  ['a number beyond a double', '{"a":1e400}', {}, 400, 'The body has a number that is too large.'],
  ['a prototype', '{"__proto__":{"a":1}}', {}, 400, PROTOTYPE],
  ['1,001 members', JSON.stringify({ ...Array(1_001).fill(0) }), {}, 400, MEMBERS],
  ['33 levels', '['.repeat(33) + ']'.repeat(33), {}, 400, 'The body is nested more than 32 levels deep.'],
  [
    '500,000 levels',
    '['.repeat(5e5) + ']'.repeat(5e5),
    {},
    400,
    'The body is nested more than 32 levels deep.',
  ],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}, 400, 'The body is not UTF-8.'],
  ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), {}, 400, 'The body is not UTF-8.'],
  ['another charset', '{}', type('application/json; charset=iso-8859-1'), 415, OTHER_CHARSET],
  ['a text', '{}', type('text/plain'), 415, OTHER_TYPE],
  ['a form', 'client_name=Shop', type('application/x-www-form-urlencoded'), 415, OTHER_TYPE],
  ['a multipart form', '--a--', type('multipart/form-data; boundary=a'), 415, OTHER_TYPE],
  ['XML', '<client/>', type('application/xml'), 415, OTHER_TYPE],
  ['another kind of JSON', '{}', type('application/problem+json'), 415, OTHER_TYPE],
  ['a type that is none', '{}', type('json'), 415, OTHER_TYPE],
  ['gzip', gzipSync('{}'), coding('gzip'), 415, COMPRESSED],
  ['deflate', deflateSync('{}'), coding('deflate'), 415, COMPRESSED],
])('%s gets the same answer from every route', async (_case, body, headers, status, detail) => {
  for (const route of routes) {
    // What an end user sent is validated there, whatever its characters.
    if (IN_CHECKS.has(detail) && TAKES_ANYTHING.test(route.path)) continue;
    const { problem, ...answer } = await send(route, body, headers);
    expect({ route, status: answer.status, detail: problem['detail'] }).toEqual({ route, status, detail });
    expect(answer.headers.get('content-type')).toMatch(/^application\/(problem\+)?json/);
    if (detail === COMPRESSED) expect(answer.headers.get('accept-encoding')).toBe('identity');
  }
});

test('a deletion may announce JSON without sending any', async () => {
  const body = registration({ preferred_client_id: 'announced' });
  expect((await registry.ask('POST', '/client', { body })).status).toBe(201);
  expect(await send({ method: 'DELETE', path: '/client/announced' }, '')).toMatchObject({ status: 204 });
});

test.each([
  ['a list', '[]'],
  ['a list of objects', '[{"client_name":"Shop"}]'],
  ['a string', '"Shop"'],
  ['a number', '1e-400'],
  ['null', 'null'],
  ['true', 'true'],
])('%s in the place of an object is refused by every route that needs one', async (_case, body) => {
  for (const route of routes) {
    const { status, problem } = await send(route, body);
    expect({ route, refused: status >= 400 && status < 500 }).toEqual({ route, refused: true });
    expect(problem).toMatchObject({ status, detail: expect.any(String) });
  }
});

test.each([
  ['constructor', '{"constructor":{"prototype":{"polluted":true}}}'],
  ['prototype', '{"prototype":{"polluted":true}}'],
  ['names of methods', '{"toString":1,"valueOf":2,"hasOwnProperty":3}'],
  ['then', '{"then":"x","toJSON":"x"}'],
  ['an empty name', '{"":1}'],
  ['a very large integer', '{"session_expiration":123456789012345678901234567890}'],
  ['a long string', `{"client_name":${JSON.stringify('x'.repeat(1_000_000))}}`],
  [
    'many names',
    JSON.stringify(Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`n${at}`, at]))),
  ],
])('a body with %s never brings a route down', async (_case, body) => {
  for (const route of routes) {
    const { status } = await send(route, body);
    expect({ route, isServerError: status >= 500 }).toEqual({ route, isServerError: false });
  }
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('a body without a type is rejected', async () => {
  for (const { method, path } of routes) {
    const answer = await exchange(
      `${method} ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${tokenFor(path)}\r\n` +
        'Connection: close\r\nContent-Length: 2\r\n\r\n{}',
    );
    expect([method, path, answer.split('\r\n')[0]]).toEqual([
      method,
      path,
      'HTTP/1.1 415 Unsupported Media Type',
    ]);
  }
});

test('a body that ends before its length leaves nothing behind', async () => {
  for (const { method, path } of routes) {
    const answer = await exchange(
      `${method} ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${tokenFor(path)}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 200\r\n\r\n{"client_name":"Half"',
      'end',
    );
    expect([method, path, answer]).toEqual([method, path, expect.stringMatching(/^$|^HTTP\/1\.1 400 /)]);
  }
});

test('a body larger than the limit is rejected with 413', async () => {
  const body = JSON.stringify({ client_name: 'x'.repeat(17 * 1024 * 1024) });
  for (const route of routes) {
    const { status, problem } = await send(route, body).catch(() => ({ status: 413, problem: {} }));
    expect({ route, status }).toEqual({ route, status: 413 });
    if ('detail' in problem) expect(problem['detail']).toMatch(/^The body is larger than /);
  }
});

test('the limit is 1 MiB', async () => {
  const bodyOf = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;
  const route = { method: 'POST', path: '/client' };
  expect((await send(route, bodyOf(1024 * 1024))).status).toBe(400);
  expect((await send(route, bodyOf(1024 * 1024 + 1))).status).toBe(413);
});

/**
 * Sends bytes as they are; resolves with all that came back once the connection is closed.
 *
 * @param how whether the caller's side of it ends with them
 */
async function exchange(request: string, how: 'write' | 'end' = 'write'): Promise<string> {
  const socket = connect(Number(new URL(registry.url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  socket[how](request);
  await once(socket, 'close');
  return answer;
}
