import { CSV, eventually, TokenServer } from './token-server.js';

let server: TokenServer;
beforeAll(async () => {
  server = await TokenServer.start();
}, 120_000);
afterAll(async () => {
  await server.stop();
  server.remove();
});

const names = async (kind: string, path: string, list: string): Promise<(string | undefined)[]> => {
  const { text } = await server.send(kind, 'GET', path);
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
  const read = async (path: string) => (await server.send('lookup reader', 'GET', path)).status;
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
  const answer = await server.send('lookup writer', 'POST', `/iplookup/from-csv${query}`, init);
  expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(detail)]);
});

test('the hour of the last use is listed', async () => {
  await server.stop();
  const listed = JSON.parse((await server.svccmd('token', 'list', '--json')).stdout) as {
    tokens: { name: string; last_used?: string }[];
  };
  await server.run();
  const used = listed.tokens.find(({ name }) => name === 'kind-6')?.last_used;
  expect(used).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/);
  expect(Date.now() - Date.parse(used!)).toBeLessThan(2 * 3_600_000);
});

/** The lines of a message so far. */
function logged(message: string): Record<string, unknown>[] {
  const lines = server.log.split('\n').filter((line) => line.includes(`"msg":"${message}"`));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

const audited = () => logged('audit');

test('the access log names the token of each request, and none for an invalid token', async () => {
  const ask = async (kind: string, id: string) => {
    const headers = { 'x-request-id': id };
    return (await server.send(kind, 'GET', '/libraries', { headers })).status;
  };
  expect(await ask('library reader', 'access-valid')).toBe(200);
  expect(await ask('configured', 'access-configured')).toBe(200);
  expect(await ask('unknown', 'access-invalid')).toBe(401);
  const lines = () => logged('request').filter(({ request_id: id }) => String(id).startsWith('access-'));
  await eventually(() => lines().length === 3);
  const common = { method: 'GET', route: '/libraries', address: '127.0.0.1' };
  expect(lines()).toMatchObject([
    { ...common, request_id: 'access-valid', status: 200, principal: 'kind-2' },
    { ...common, request_id: 'access-configured', status: 200, principal: 'ci' },
    { ...common, request_id: 'access-invalid', status: 401 },
  ]);
  expect(lines()[2]).not.toHaveProperty('principal');
  // Its line in the audit log may come later.
  await eventually(() => audited().some(({ request_id: id }) => id === 'access-invalid'));
});

test('every act that matters has an audit line with the token, its name and the address', async () => {
  const before = audited().length;
  const created = await server.createToken('temporary', ['--scope', 'passwords:encrypt']);
  await eventually(() => audited().some(({ event }) => event === 'token.created'));
  await server.svccmd('token', 'revoke', 'temporary');
  await eventually(() => audited().some(({ event }) => event === 'token.revoked'));
  await server.send('passwords', 'POST', '/encpwd', { body: 'a-password-like-no-other' });
  await server.send('library writer', 'PUT', '/libraries/parsers/load');
  await server.send('library writer', 'PUT', '/libraries/parsers/load?dry_run');
  await server.send('library writer', 'POST', '/libraries/parsers/rollback?to=77');
  await server.send('library writer', 'PUT', '/libraries/other/load');
  await server.send(
    'lookup writer',
    'POST',
    '/iplookup/from-csv?lookup_name=sites&input_ip_format=ipv4',
    upload,
  );
  await server.send('lookup writer', 'POST', '/iplookup/sites/rollback');
  await server.send('lookup writer', 'DELETE', '/iplookup/sites');
  await server.send('lookup writer', 'GET', '/metrics');
  await fetch(`${server.url}/encpwd`, { method: 'POST', headers: { authorization: `Bearer ${created}` } });
  await eventually(() => audited().length >= before + 11);

  const sender = (name: string) => ({ actor: 'token', address: '127.0.0.1', principal: name });
  const [passwords, loader, writer] = [sender('kind-0'), sender('kind-3'), sender('kind-7')];
  const done = { outcome: 'succeeded' };
  const refused = { event: 'token.refused', outcome: 'refused', details: { count: 1 } };
  expect(audited().slice(before)).toMatchObject([
    { event: 'token.created', ...done, actor: 'command', details: { name: 'temporary' } },
    { event: 'token.revoked', ...done, actor: 'command', details: { name: 'temporary' } },
    { event: 'password.encrypt', ...done, ...passwords, details: { count: 1 } },
    { event: 'library.load', ...done, ...loader, target: 'parsers', details: { load: 1, created: 1 } },
    { event: 'library.rollback', outcome: 'failed', ...loader, target: 'parsers', reason: 'load_not_found' },
    { ...refused, ...loader, target: 'other', reason: 'library' },
    { event: 'lookup.build', ...done, ...writer, target: 'sites', details: { lookup: 'sites', records: 1 } },
    { event: 'lookup.rollback', ...done, ...writer, target: 'sites', details: { file: 'sites.mmdb' } },
    { event: 'lookup.delete', ...done, ...writer, target: 'sites', details: { files: ['sites.mmdb'] } },
    { ...refused, ...writer, target: '/metrics', reason: 'forbidden' },
    { ...refused, actor: 'anonymous', reason: 'revoked', principal: 'temporary' },
  ]);
  for (const line of audited().slice(before + 2)) expect(line['principal_id']).toMatch(/^[0-9a-f]{12}$/);
  expect(server.log).not.toContain('a-password-like-no-other');
  expect(server.log).not.toContain(created);
});
