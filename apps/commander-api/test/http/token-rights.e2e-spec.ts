import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, CSV, eventually, KINDS, TokenServer } from './token-server.js';

const ENDED = ['revoked', 'expired', 'unknown'] as const;

let server: TokenServer;
beforeAll(async () => {
  server = await TokenServer.start();
}, 120_000);
afterAll(async () => {
  await server.stop();
  server.remove();
});

interface Route {
  readonly method: string;
  readonly path: string;
  readonly scope: string;
}

/** Every operation of the API document that needs a token. */
async function routes(): Promise<Route[]> {
  const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { security: object[]; 'x-required-scope'?: string }>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security.length > 0)
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        scope: operation['x-required-scope'] ?? '',
      })),
  );
}

/** What the test expects of a kind of token, independently of the server's code. */
interface Rights {
  readonly scopes: readonly string[];
  readonly libraries: 'all' | 'own' | 'none';
  readonly lookups: 'all' | 'own' | 'none';
}

function rightsOf(kind: string): Rights {
  if (kind === 'http')
    return {
      scopes: [
        'passwords:encrypt',
        'library:read',
        'library:write',
        'iplookup:read',
        'iplookup:write',
        'metrics:read',
      ],
      libraries: 'all',
      lookups: 'all',
    };
  if (kind === 'configured')
    return { scopes: ['library:read', 'iplookup:read'], libraries: 'own', lookups: 'all' };
  const words = KINDS[kind] ?? [];
  const reach = (own: string, all: string) =>
    words.includes(all) ? 'all' : words.includes(own) ? 'own' : 'none';
  return {
    scopes: words.filter((word) => word.includes(':')),
    libraries: reach('--library', '--all-libraries'),
    lookups: reach('--lookup', '--all-lookups'),
  };
}

/** A request to a route: to the token's own library and lookup, or another that exists, or one that does not. */
type Name = 'own' | 'other' | 'missing';
const NAMES = { own: ['parsers', 'sites'], other: ['other', 'other'], missing: ['none', 'none'] } as const;

/** Whether the name may be used; undefined if the route names nothing. */
function reaches({ path }: Route, name: Name, { libraries, lookups }: Rights): boolean | undefined {
  const isReached = (reach: Rights['libraries']) => reach === 'all' || (reach === 'own' && name === 'own');
  if (path.startsWith('/library/')) return libraries === 'all';
  if (path.startsWith('/libraries/')) return isReached(libraries);
  return path.startsWith('/iplookup/') ? isReached(lookups) : undefined;
}

async function ask({ method, path }: Route, name: Name, kind: string): Promise<Answer> {
  const [library, lookup] = NAMES[name];
  const url = path
    .replace('{library}', library)
    .replace('{name}', lookup)
    .replace('{other}', lookup)
    .replace('{ip}', '10.1.2.3');
  if (path.startsWith('/iplookup/from-')) {
    const type = path.endsWith('maxmind') ? 'application/zip' : 'text/csv';
    const query = `?lookup_name=${lookup}${path.endsWith('csv') ? '&input_ip_format=ipv4' : ''}`;
    return server.send(kind, method, url + query, { body: CSV, headers: { 'content-type': type } });
  }
  const isList = path.endsWith('/addresses');
  return server.send(kind, method, url, {
    ...(path === '/encpwd' && method === 'POST' && { body: 'hunter2' }),
    ...(isList && { body: '{"ips":["10.1.2.3"]}', headers: { 'content-type': 'application/json' } }),
  });
}

const NOT_FOUND =
  /There is no (unnamed library|library of this name|lookup \\"\w+\\"), or the token may not use it/;

/** What the answer says about the token's rights. */
function verdictOf({ status, text }: Answer): string {
  if (status === 401) return 'invalid';
  if (status === 403) return 'no scope';
  if (status === 404 && NOT_FOUND.test(text)) return 'no such name';
  return 'allowed';
}

/** Deleting a lookup comes last. */
const inOrder = (found: readonly Route[]) =>
  [...found].sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

test.each([...Object.keys(KINDS), 'configured', 'http'])(
  'on every route, the token %s may do what it was created for, and nothing else',
  async (kind) => {
    const rights = rightsOf(kind);
    const found = inOrder(await routes());
    expect(found.length).toBeGreaterThan(27);
    for (const route of found) {
      const place = `${route.method} ${route.path}`;
      for (const name of ['missing', 'other', 'own'] as const) {
        if (route.method === 'DELETE' && rights.lookups === 'all') continue;
        const answer = await ask(route, name, kind);
        // A library or lookup that does not exist has the same answer as one that the token may not use.
        const isKnown = name !== 'missing' || !route.path.startsWith('/libraries/');
        const expected = !rights.scopes.includes(route.scope)
          ? 'no scope'
          : reaches(route, name, rights) === false || !isKnown
            ? 'no such name'
            : 'allowed';
        expect([place, name, verdictOf(answer), answer.text]).toEqual([place, name, expected, answer.text]);
        expect([place, answer.status < 500 || route.path.endsWith('maxmind')]).toEqual([place, true]);
      }
      if (rights.scopes.includes('iplookup:write')) await restoreLookups();
    }
  },
  120_000,
);

/** Some requests above delete or roll back. */
async function restoreLookups(): Promise<void> {
  for (const name of ['sites', 'other']) {
    const versions = await server.send('http', 'GET', `/iplookup/${name}/versions`);
    if (versions.status === 200 && versions.text.includes('"version"')) continue;
    for (let build = 0; build < 2; build++)
      expect(
        (
          await server.send('http', 'POST', `/iplookup/from-csv?lookup_name=${name}&input_ip_format=ipv4`, {
            body: CSV,
            headers: { 'content-type': 'text/csv' },
          })
        ).status,
      ).toBe(200);
  }
}

test.each(ENDED)('on every route, a token that is %s gets 401', async (state) => {
  await ENDINGS[state]();
  const tried = (await routes()).map(async (route) => [route.path, (await ask(route, 'own', state)).status]);
  // Many invalid tokens become 429.
  for (const [path, status] of await Promise.all(tried))
    expect([path, status]).toEqual([path, status === 429 ? 429 : 401]);
});

const encrypts = async (kind: string) =>
  (await server.send(kind, 'POST', '/encpwd', { body: 'x' })).status === 200;

/** Make a token that is no longer valid, or never was. */
const ENDINGS: Readonly<Record<(typeof ENDED)[number], () => Promise<void>>> = {
  revoked: async () => {
    server.tokens.set('revoked', await server.createToken('revoked', KINDS['passwords']!));
    await eventually(async () => await encrypts('revoked'));
    expect((await server.svccmd('token', 'revoke', 'revoked')).code).toBe(0);
    await eventually(async () => !(await encrypts('revoked')));
  },
  expired: async () => {
    // The shortest lifetime is a minute: shortens it in the file, as an operator might.
    const words = [...KINDS['passwords']!, '--expires-in', '1m'];
    server.tokens.set('expired', await server.createToken('short', words));
    const file = join(server.folder, 'svccmd.tokens.json');
    const content = JSON.parse(readFileSync(file, 'utf8')) as { tokens: Record<string, unknown>[] };
    for (const token of content.tokens)
      if (token['name'] === 'short') token['expires_at'] = new Date().toISOString();
    writeFileSync(file, JSON.stringify(content));
    await eventually(async () => !(await encrypts('expired')));
  },
  unknown: async () => {
    server.tokens.set('unknown', `svcc_${'x'.repeat(43)}`);
  },
};
