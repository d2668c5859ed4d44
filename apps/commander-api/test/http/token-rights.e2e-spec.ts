import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordSecrets } from '@svc/test-servers';
import { runSvccmd } from '../shell/run-svccmd.js';
import { type RunningServer, startServer } from './running-server.js';

const FULL = 'a-token-for-this-test-0123456789';
const CONFIG_TOKEN = 'a-token-of-the-configuration-0123456789';
const CSV = 'ip_from,ip_to,site\n10.1.0.0,10.1.255.255,Depot\n';

/** Every kind of token, by the words that create it. `own` has the lookup `sites` and the library `parsers`. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  passwords: ['--scope', 'passwords:encrypt'],
  metrics: ['--scope', 'metrics:read'],
  'library reader': ['--scope', 'library:read', '--library', 'parsers'],
  'library writer': ['--scope', 'library:write', '--library', 'parsers'],
  'reader of all libraries': ['--scope', 'library:read', '--all-libraries'],
  'writer of all libraries': ['--scope', 'library:write', '--all-libraries'],
  'lookup reader': ['--scope', 'iplookup:read', '--lookup', 'sites'],
  'lookup writer': ['--scope', 'iplookup:write', '--lookup', 'sites'],
  'reader of all lookups': ['--scope', 'iplookup:read', '--all-lookups'],
  'writer of all lookups': ['--scope', 'iplookup:write', '--all-lookups'],
};
const ENDED = ['revoked', 'expired', 'unknown'] as const;

let folder: string;
let server: RunningServer;
const tokens = new Map<string, string>();

const svccmd = async (...words: string[]) => runSvccmd(words, { cwd: folder });

async function createToken(name: string, words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await svccmd('--quiet', 'token', 'create', name, ...words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  recordSecrets(stdout.trim());
  return stdout.trim();
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svccmd-rights-'));
  for (const path of ['library', 'in', 'lookups']) mkdirSync(join(folder, path));
  writeFileSync(join(folder, 'library', 'a.yaml'), 'x: 1\n');
  for (const name of ['sites', 'other']) writeFileSync(join(folder, 'in', `${name}.csv`), CSV);
  writeFileSync(join(folder, 'password.key'), '0123456789abcdef'.repeat(4), { mode: 0o600 });
  const library = (name: string) => `[library:${name}]\nsource.path = library\ndestination.path = /${name}\n`;
  writeFileSync(
    join(folder, 'svccmd.conf'),
    `[pwdencryptor]
key = password.key
[source]
path = library
[destination]
urls = file://${folder}/stored
[iplookup]
source_path = in
destination_path = lookups
${library('parsers')}${library('other')}[token:ci]
token = ${CONFIG_TOKEN}
scopes = library:read, iplookup:read
libraries = parsers
`,
  );
  for (const name of ['sites', 'other'])
    for (let build = 0; build < 2; build++)
      expect((await svccmd('iplookup', 'from-csv', `${name}.csv`, '-i', 'ipv4')).code).toBe(0);
  for (const [index, [kind, words]] of Object.entries(KINDS).entries())
    tokens.set(kind, await createToken(`kind-${index}`, words));
  tokens
    .set('http', FULL)
    .set('configured', CONFIG_TOKEN)
    .set('unknown', `svcc_${'x'.repeat(43)}`);
  server = await startServer(folder, { SVCCMD_HTTP_TOKEN: FULL });
}, 120_000);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function send(token: string, method: string, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(server.url + path, {
    method,
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  });
  const text = await response.text();
  return { status: response.status, text };
}

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

async function ask({ method, path }: Route, name: Name, token: string): Promise<Answer> {
  const [library, lookup] = NAMES[name];
  const url = path
    .replace('{library}', library)
    .replace('{name}', lookup)
    .replace('{other}', lookup)
    .replace('{ip}', '10.1.2.3');
  if (path.startsWith('/iplookup/from-')) {
    const type = path.endsWith('maxmind') ? 'application/zip' : 'text/csv';
    const query = `?lookup_name=${lookup}${path.endsWith('csv') ? '&input_ip_format=ipv4' : ''}`;
    return send(token, method, url + query, { body: CSV, headers: { 'content-type': type } });
  }
  const isList = path.endsWith('/addresses');
  return send(token, method, url, {
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
    const token = tokens.get(kind)!;
    const found = inOrder(await routes());
    expect(found.length).toBeGreaterThan(28);
    for (const route of found) {
      const place = `${route.method} ${route.path}`;
      for (const name of ['missing', 'other', 'own'] as const) {
        if (route.method === 'DELETE' && rights.lookups === 'all') continue;
        const answer = await ask(route, name, token);
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
      await restoreLookups();
    }
  },
  120_000,
);

/** Some requests above delete or roll back. */
async function restoreLookups(): Promise<void> {
  for (const name of ['sites', 'other']) {
    const versions = await send(FULL, 'GET', `/iplookup/${name}/versions`);
    if (versions.status === 200 && versions.text.includes('"version"')) continue;
    for (let build = 0; build < 2; build++)
      expect(
        (
          await send(FULL, 'POST', `/iplookup/from-csv?lookup_name=${name}&input_ip_format=ipv4`, {
            body: CSV,
            headers: { 'content-type': 'text/csv' },
          })
        ).status,
      ).toBe(200);
  }
}

test.each(ENDED)(
  'on every route, a token that is %s gets 401',
  async (state) => {
    if (state === 'revoked') {
      tokens.set(state, await createToken(state, KINDS['passwords']!));
      while ((await send(tokens.get(state)!, 'POST', '/encpwd', { body: 'x' })).status !== 200)
        await sleep(100);
      expect((await svccmd('token', 'revoke', state)).code).toBe(0);
      while ((await send(tokens.get(state)!, 'POST', '/encpwd', { body: 'x' })).status === 200)
        await sleep(100);
    }
    if (state === 'expired') tokens.set(state, await expiredToken());
    for (const route of await routes()) {
      // So many that they become 429.
      const { status } = await ask(route, 'own', tokens.get(state)!);
      expect([route.path, [401, 429].includes(status)]).toEqual([route.path, true]);
    }
  },
  60_000,
);

/** The shortest lifetime is a minute: shortens it in the file, as an operator might. */
async function expiredToken(): Promise<string> {
  const value = await createToken('short', [...KINDS['passwords']!, '--expires-in', '1m']);
  const file = join(folder, 'svccmd.tokens.json');
  const { readFileSync } = await import('node:fs');
  const content = JSON.parse(readFileSync(file, 'utf8')) as {
    tokens: { name: string; expires_at?: string }[];
  };
  for (const token of content.tokens) if (token.name === 'short') token.expires_at = new Date().toISOString();
  writeFileSync(file, JSON.stringify(content));
  return value;
}

const names = async (kind: string, path: string, list: string): Promise<(string | undefined)[]> => {
  const { text } = await send(tokens.get(kind)!, 'GET', path);
  return (JSON.parse(text) as Record<string, { name?: string }[]>)[list]!.map(({ name }) => name);
};

test('lists contain only what the token may use', async () => {
  expect(await names('library reader', '/libraries', 'libraries')).toEqual(['parsers']);
  expect(await names('reader of all libraries', '/libraries', 'libraries')).toEqual([
    undefined,
    'parsers',
    'other',
  ]);
  expect(await names('lookup reader', '/iplookup', 'lookups')).toEqual(['sites']);
  expect(await names('reader of all lookups', '/iplookup', 'lookups')).toEqual(['other', 'sites']);
});

test('a lookup can be named by its file; one of two may not hide the other', async () => {
  const read = async (path: string) => (await send(tokens.get('lookup reader')!, 'GET', path)).status;
  expect(await read('/iplookup/sites.mmdb')).toBe(200);
  expect(await read('/iplookup/sites.mmdb/10.1.2.3')).toBe(200);
  expect(await read('/iplookup/other.mmdb')).toBe(404);
  expect(await read('/iplookup/sites/diff/other')).toBe(404);
  expect(await read('/iplookup/other/diff/sites')).toBe(404);
  expect(await read('/iplookup/sites/diff/sites')).toBe(200);
});

const upload = { body: CSV, headers: { 'content-type': 'text/csv' } };
const json = (body: object) => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

test.each<[string, string, RequestInit, number, RegExp]>([
  [
    'a file of the folder of inputs',
    '',
    json({ file_name: 'sites.csv', lookup_name: 'sites' }),
    403,
    /send the input/,
  ],
  ['a joined file of that folder', '?lookup_name=sites&join=other.csv:site', upload, 403, /without join/],
  ['a lookup without a name', '?file_name=sites.csv', upload, 400, /Pass lookup_name/],
  ['another lookup by its other name', '?zone_name=other', upload, 404, /may not use it/],
  ['a lookup whose name is that of its file', '?lookup_name=sites.mmdb', upload, 404, /may not use it/],
])('a token for some lookups cannot build %s', async (_case, query, init, status, detail) => {
  const answer = await send(tokens.get('lookup writer')!, 'POST', `/iplookup/from-csv${query}`, init);
  expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(detail)]);
});

test('the hour of the last use is listed', async () => {
  await server.stop();
  const listed = JSON.parse((await svccmd('token', 'list', '--json')).stdout) as {
    tokens: { name: string; last_used?: string }[];
  };
  const used = listed.tokens.find(({ name }) => name === 'kind-0')?.last_used;
  expect(used).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/);
  expect(Date.now() - Date.parse(used!)).toBeLessThan(2 * 3_600_000);
  server = await startServer(folder, { SVCCMD_HTTP_TOKEN: FULL });
});
