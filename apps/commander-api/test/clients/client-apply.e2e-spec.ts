import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { recordSecrets } from '@svc/test-servers';
import { type ClientFolder, declaration, makeClientFolder } from './client-folder.js';
import { onTerminal } from '../shell/on-terminal.js';
import { type RunningRegistry, startRegistry } from './registry-process.js';

let registry: RunningRegistry;
let folder: ClientFolder;

beforeAll(async () => {
  registry = await startRegistry();
}, 120_000);
afterAll(async () => registry.stop());

beforeEach(async () => {
  folder = makeClientFolder(registry);
});
afterEach(async () => {
  const { stdout } = await folder.run(['list', '--json']);
  const ids = (JSON.parse(stdout) as { clients: { client_id: string }[] }).clients.map(
    (each) => each.client_id,
  );
  if (ids.length > 0) await folder.run(['delete', '--yes', ...ids]);
  folder.remove();
});

const nameOf = async (id: string) => (await registry.ask('GET', `/client/${id}`)).body['client_name'];

test('a folder is applied: each new Client has its secret once, and works', async () => {
  folder.write('clients/a.yaml', declaration('a'));
  folder.write(
    'clients/more/b.json',
    JSON.stringify([{ client_id: 'b', client_name: 'B', redirect_uris: ['https://b.example/'] }]),
  );
  folder.write('clients/.hidden.yaml', 'broken: [');
  folder.write('clients/README.md', 'no declaration');
  const { code, stdout } = await folder.run(['apply', '--quiet', 'clients']);
  expect(code).toBe(0);
  const secrets = [...stdout.matchAll(/^ {4}client_secret: ([\w-]{43})$/gm)].map(([, secret]) => secret!);
  recordSecrets(...secrets);
  expect(stdout.replace(/client_secret: .*/g, 'client_secret: …')).toBe(
    `+ created a (The a)  clients/a.yaml:1
    client_secret: …
+ created b (B)  clients/more/b.json:1
    client_secret: …
2 created, 0 updated, 0 deleted, 0 unchanged
`,
  );
  const check = await registry.ask('POST', '/client/a/check/secret', { client_secret: secrets[0] });
  expect(check.body).toMatchObject({ valid: true });
});

test('applying again changes nothing; a change lists its fields, before and after', async () => {
  folder.write('a.yaml', declaration('a'));
  await folder.run(['apply', 'a.yaml']);
  expect(await folder.run(['apply', 'a.yaml'])).toEqual({
    code: 0,
    stdout: '0 created, 0 updated, 0 deleted, 1 unchanged\n',
    stderr: '',
  });
  folder.write(
    'a.yaml',
    declaration('a', 'client_uri: https://a.example.com/\nenabled: false\n').replace('/cb', '/callback'),
  );
  expect((await folder.run(['apply', 'a.yaml'])).stdout).toBe(`~ updated a (The a)  a.yaml:1
    client_uri: (none) -> "https://a.example.com/"
    redirect_uris:
      - "https://a.example.com/cb"
      + "https://a.example.com/callback"
    enabled: true -> false
0 created, 1 updated, 0 deleted, 0 unchanged
`);
});

test('--dry-run prints the same and changes nothing; --exit-code reports differences', async () => {
  folder.write('a.yaml', `${declaration('a')}---\n${declaration('b')}`);
  const { code, stdout, stderr } = await folder.run(['apply', '--dry-run', 'a.yaml']);
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: `+ create a (The a)  a.yaml:1
+ create b (The b)  a.yaml:7
2 to create, 0 to update, 0 to delete, 0 unchanged; nothing was changed
`,
    stderr: '',
  });
  expect((await registry.ask('GET', '/client/a')).status).toBe(404);
  const drifted = await folder.run(['apply', '--dry-run', '--exit-code', 'a.yaml']);
  expect([drifted.code, drifted.stderr]).toEqual([1, 'svccmd: the registry differs from the files\n']);
  await folder.run(['apply', '--quiet', 'a.yaml']);
  expect((await folder.run(['apply', '--dry-run', '--exit-code', 'a.yaml'])).code).toBe(0);
});

test('--json prints everything as JSON, also from standard input', async () => {
  const { stdout } = await folder.run(['--json', 'apply', '-'], declaration('a'));
  const report = JSON.parse(stdout) as { clients: { client_secret: string }[] };
  recordSecrets(report.clients[0]!.client_secret);
  expect(report).toEqual({
    dry_run: false,
    prune: false,
    created: 1,
    updated: 0,
    deleted: 0,
    unchanged: 0,
    clients: [
      {
        client_id: 'a',
        client_name: 'The a',
        action: 'created',
        file: '-',
        line: 1,
        client_secret: expect.stringMatching(/^[\w-]{43}$/) as string,
      },
    ],
  });
  const again = await folder.run(['--json', 'apply', '-'], declaration('a').replace('The a', 'Ours'));
  expect(JSON.parse(again.stdout)).toMatchObject({
    clients: [{ action: 'updated', changed: [{ field: 'client_name', before: 'The a', after: 'Ours' }] }],
  });
});

test('--prune deletes undeclared Clients of a set, but asks first, or requires --yes', async () => {
  folder.write('all.yaml', `${declaration('a')}---\n${declaration('b')}`);
  await folder.run(['apply', '--quiet', '--set', 's', 'all.yaml']);
  folder.write('a.yaml', declaration('a').replace('The a', 'Renamed'));
  const plan = await folder.run(['apply', '--set', 's', '--prune', '--dry-run', 'a.yaml']);
  expect(plan.stdout).toContain('- delete b (The b)\n0 to create, 1 to update, 1 to delete');

  const asked = await folder.run(['apply', '--set', 's', '--prune', 'a.yaml']);
  expect([asked.code, asked.stdout]).toEqual([2, '']);
  expect(asked.stderr).toMatch(
    /- delete b \(The b\)\n.*\nsvccmd: delete 1 client of the set that no file declares, and apply the other changes: stdin is not a terminal; pass --yes to confirm\n$/,
  );
  expect(await nameOf('a')).toBe('The a');

  const done = await folder.run(['apply', '--set', 's', '--prune', '--yes', 'a.yaml']);
  expect(done.stdout).toContain('- deleted b\n0 created, 1 updated, 1 deleted, 0 unchanged\n');
  expect((await registry.ask('GET', '/client/b')).status).toBe(404);
  // With nothing to delete, no confirmation is required.
  expect((await folder.run(['apply', '--set', 's', '--prune', 'a.yaml'])).code).toBe(0);
});

test('if more Clients would be deleted than were confirmed, nothing is changed', async () => {
  folder.write('all.yaml', `${declaration('a')}---\n${declaration('b')}`);
  await folder.run(['apply', '--quiet', '--set', 's', 'all.yaml']);
  folder.write('more.yaml', `${declaration('c')}---\n${declaration('d')}`);
  folder.write('a.yaml', declaration('a').replace('The a', 'Renamed'));
  const { code, screen } = await onTerminal(['client', 'apply', '--set', 's', '--prune', 'a.yaml'], {
    ...{ cwd: folder.path, env: folder.env, prompt: '[y/N]', typed: 'y\n' },
    beforehand: async () => folder.run(['apply', '--quiet', '--set', 's', 'more.yaml']),
  });
  expect([code, screen]).toEqual([
    1,
    expect.stringContaining('3 clients would be deleted instead of 1; nothing was changed'),
  ]);
  expect(await nameOf('a')).toBe('The a');
});

test('--prune requires a set', async () => {
  const { code, stderr } = await folder.run(['apply', '--prune', '-'], declaration('a'));
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('--prune requires --set: it deletes only clients of the set'),
  ]);
});

test('what others manage is a conflict, shown with its file, until it is taken over', async () => {
  folder.write('a.yaml', declaration('a'));
  await folder.run(['apply', '--quiet', '--set', 'one', 'a.yaml']);
  const { code, stderr } = await folder.run(['apply', '--dry-run', '--set', 'two', 'a.yaml']);
  expect(code).toBe(1);
  expect(stderr).toContain(
    "a.yaml:1: /client_id: the client is managed by the set 'one'; pass --take-over to take it over",
  );
  const taken = await folder.run(['apply', '--set', 'two', '--take-over', 'a.yaml']);
  expect(taken.stdout).toContain('~ updated a (The a)  a.yaml:1\n    taken over\n');
  expect((await folder.run(['apply', '--set', 'two', 'a.yaml'])).stdout).toContain('1 unchanged');
});

test('--secrets-to writes the secrets into a new file for its owner, and shows none', async () => {
  folder.write('all.yaml', `${declaration('a')}---\n${declaration('b')}`);
  const { code, stdout, stderr } = await folder.run(['apply', '--secrets-to', 'out.ndjson', 'all.yaml']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '2 secrets written to out.ndjson\n' });
  expect(stdout).not.toContain('client_secret');
  expect(statSync(join(folder.path, 'out.ndjson')).mode & 0o777).toBe(0o600);
  const printed = folder
    .read('out.ndjson')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { client_id: string; client_secret: string });
  recordSecrets(...printed.map(({ client_secret }) => client_secret));
  expect(printed.map(({ client_id }) => client_id)).toEqual(['a', 'b']);
  const check = await registry.ask('POST', '/client/b/check/secret', {
    client_secret: printed[1]?.client_secret,
  });
  expect(check.body).toMatchObject({ valid: true });
  expect(readdirSync(folder.path).sort()).toEqual(['all.yaml', 'out.ndjson']);
});

test('an existing secrets file stops everything before it begins', async () => {
  folder.write('a.yaml', declaration('a'));
  folder.write('out', 'mine');
  const { code, stderr } = await folder.run(['apply', '--secrets-to', 'out', 'a.yaml']);
  expect([code, stderr]).toEqual([
    1,
    'svccmd: out: cannot write the secrets to it (it already exists and is not overwritten)\n',
  ]);
  expect((await registry.ask('GET', '/client/a')).status).toBe(404);
  expect(folder.read('out')).toBe('mine');
});

test('one invalid declaration changes nothing, and every error has its file and line', async () => {
  folder.write('good.yaml', declaration('a'));
  folder.write('bad.yaml', `${declaration('b').replace('https://b', 'http://b')}colour: blue\n`);
  folder.write('anonymous.yaml', 'client_name: N\nredirect_uris: [https://n.example/]\n');
  const { code, stdout, stderr } = await folder.run(['apply', 'good.yaml', 'bad.yaml', 'anonymous.yaml']);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr.split('\n')).toEqual([
    "svccmd: bad.yaml:6: /colour: 'colour' is not a field of a client",
    expect.stringMatching(
      /^svccmd: bad\.yaml:4: \/redirect_uris\/0: .* must have the scheme https/,
    ) as string,
    'svccmd: anonymous.yaml:1: /client_id: client_id is required: without it, each run would register another client',
    'svccmd: nothing was changed',
    '',
  ]);
  expect((await registry.ask('GET', '/client/a')).status).toBe(404);
});

test('errors found only by the registry have a file and line, too', async () => {
  folder.write('a.yaml', `${declaration('a')}---\n${declaration('b', 'enabled: perhaps\n')}`);
  const { code, stderr } = await folder.run(['apply', 'a.yaml']);
  expect([code, stderr]).toEqual([
    1,
    'svccmd: a.yaml:12: /enabled: enabled must be true or false\nsvccmd: nothing was changed\n',
  ]);
});

test('warnings are printed, and suppressed by --quiet', async () => {
  folder.write('a.yaml', declaration('a').replace('S256', 'none'));
  expect((await folder.run(['apply', '--dry-run', 'a.yaml'])).stderr).toMatch(
    /^a\.yaml:5: \/code_challenge_method: warning: /,
  );
  expect((await folder.run(['apply', '--dry-run', '--quiet', 'a.yaml'])).stderr).toBe('');
});

test('many Clients with long ids are looked up in several requests', async () => {
  const ids = Array.from({ length: 120 }, (_, index) => `${'x/%~'.repeat(60)}${index}`);
  const lines = ids.map((id) =>
    JSON.stringify({ client_id: id, client_name: 'N', redirect_uris: ['https://n.example/'] }),
  );
  folder.write('many.ndjson', lines.join('\n'));
  expect((await folder.run(['apply', '--quiet', '--secrets-to', 's', 'many.ndjson'])).stdout).toMatch(
    /^\+ created/,
  );
  folder.write('many.ndjson', lines.join('\n').replaceAll('"N"', '"M"'));
  const { stdout } = await folder.run(['apply', '--quiet', 'many.ndjson']);
  expect(stdout.match(/client_name: "N" -> "M"/g)).toHaveLength(120);
});
