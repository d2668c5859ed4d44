import { statSync } from 'node:fs';
import { join } from 'node:path';
import { recordSecrets } from '@svc/test-servers';
import { onTerminal } from '../shell/on-terminal.js';
import { type ClientFolder, makeClientFolder } from './client-folder.js';
import { type RunningRegistry, startRegistry } from './registry-process.js';

let registry: RunningRegistry;
let folder: ClientFolder;

beforeAll(async () => {
  registry = await startRegistry({ REGISTRATION: 'open' });
  folder = makeClientFolder(registry);
}, 120_000);
afterAll(async () => {
  folder.remove();
  await registry.stop();
});

const APPLIED = ['a', 'b/c %', 'd'];

beforeEach(async () => {
  const declarations = APPLIED.map((id) => ({
    client_id: id,
    client_name: `The ${id}`,
    redirect_uris: ['https://app.example.com/cb'],
    code_challenge_method: 'S256',
    enabled: true,
  }));
  const text = JSON.stringify(declarations);
  const { code, stderr } = await folder.run(
    ['apply', '--set', 's', '--take-over', '--prune', '--yes', '--json', '-'],
    text,
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

describe('export', () => {
  test.each(['yaml', 'json', 'ndjson'])(
    'what comes out as %s is applied without a change',
    async (format) => {
      await registry.ask('POST', '/client/d/disable');
      const { code, stdout } = await folder.run(['export', '--format', format]);
      expect(code).toBe(0);
      folder.write(`all.${format}`, stdout);
      expect((await folder.run(['validate', `all.${format}`])).code).toBe(0);
      expect((await folder.run(['apply', '--set', 's', '--prune', `all.${format}`])).stdout).toBe(
        '0 created, 0 updated, 0 deleted, 3 unchanged\n',
      );
      // And into an empty registry: all as it was, disabled ones too.
      await folder.run(['delete', '--yes', ...APPLIED]);
      await folder.run(['apply', '--quiet', `all.${format}`]);
      expect((await folder.run(['export', '--format', format])).stdout).toBe(stdout);
    },
  );

  test('some only, naming all that do not exist', async () => {
    const { stdout } = await folder.run(['export', 'd', 'a']);
    expect([...stdout.matchAll(/client_id: (.*)/g)].map(([, id]) => id)).toEqual(['a', 'd']);
    expect(stdout).not.toMatch(/secret|cookie_name|_at:/);
    expect(await folder.run(['export', 'a', 'x', 'y'])).toEqual({
      code: 1,
      stdout: '',
      stderr: "svccmd: the registry has no client 'x'\nsvccmd: the registry has no client 'y'\n",
    });
  });
});

describe('list', () => {
  test('is a table with a header, and an object for programs', async () => {
    await registry.ask('POST', '/client/d/disable');
    const lines = (await folder.run(['list', '--sort', 'client_id'])).stdout.split('\n');
    expect(lines[0]).toMatch(/^CLIENT_ID +CLIENT_NAME +STATE +UPDATED_AT$/);
    expect(lines[1]).toMatch(/^a +The a +enabled +20\d\d-/);
    expect(lines[3]).toMatch(/^d +The d +disabled +20/);
    const { stdout } = await folder.run(['list', '--json', '--disabled']);
    expect(JSON.parse(stdout)).toMatchObject({ clients: [{ client_id: 'd', enabled: false }], more: false });
  });

  test('searches, and says when there are more', async () => {
    expect((await folder.run(['list', '--search', 'The b'])).stdout).toMatch(/\nb\/c % /);
    expect((await folder.run(['list', '--search', 'nobody'])).stdout).toBe('no clients\n');
    const { stdout, stderr } = await folder.run(['list', '--limit', '2']);
    expect(stdout.trim().split('\n')).toHaveLength(3);
    expect(stderr).toBe(
      'the registry has more than these 2; raise --limit, or narrow the list with --search\n',
    );
  });

  test('has those that await approval, and those with labels', async () => {
    const body = JSON.stringify({ client_name: 'Mine', redirect_uris: ['https://my.example.com/cb'] });
    const headers = { 'content-type': 'application/json' };
    const { status } = await fetch(`${registry.url}/register`, { method: 'POST', headers, body });
    expect(status).toBe(201);
    expect((await folder.run(['list', '--pending'])).stdout).toMatch(/^.*\n\S+ +Mine +pending +20\S+\n$/);
    const declaration = JSON.stringify([
      {
        ...{ client_id: 'labelled', client_name: 'Labelled', redirect_uris: ['https://app.example.com/cb'] },
        labels: { team: 'shop', stage: 'test' },
      },
    ]);
    expect((await folder.run(['apply', '--set', 'labels', '--yes', '-'], declaration)).code).toBe(0);
    const listed = async (...labels: string[]) => (await folder.run(['list', '--label', ...labels])).stdout;
    expect(await listed('team:shop', 'stage')).toMatch(/^.*\nlabelled .*\n$/);
    expect(await listed('team:shop', 'stage:production')).toBe('no clients\n');
    await registry.ask('DELETE', '/client/labelled');
  });

  test.each([
    [['list', '--limit', '0'], 2, /It must be a number from 1 to 999999/],
    [['list', '--sort', 'colour'], 1, /^svccmd: the registry returned 400: \/sort: /],
    [['list', '--enabled', '--disabled'], 2, /cannot be used with/],
  ])('%j is refused', async (args, exitCode, message) => {
    const { code, stdout, stderr } = await folder.run(args);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

describe('get', () => {
  test('prints every field, in YAML or JSON', async () => {
    const { stdout } = await folder.run(['get', 'b/c %']);
    expect(stdout).toMatch(/^client_id: b\/c %\n/);
    expect(stdout).toMatch(/^cookie_name: SvcClient_/m);
    const json = JSON.parse((await folder.run(['get', 'b/c %', '--json'])).stdout) as object;
    expect(json).toEqual((await registry.ask('GET', '/client/b%2Fc%20%25')).body);
  });

  test('a missing Client is reported', async () => {
    expect(await folder.run(['get', 'x'])).toEqual({
      code: 1,
      stdout: '',
      stderr: "svccmd: the registry has no client 'x'\n",
    });
  });
});

describe('delete', () => {
  const exists = async (id: string) => (await registry.ask('GET', `/client/${id}`)).status === 200;

  test('without a terminal requires --yes', async () => {
    const { code, stderr } = await folder.run(['delete', 'a', 'd']);
    expect([code, stderr]).toEqual([
      2,
      'svccmd: delete 2 clients: a (The a), d (The d): stdin is not a terminal; pass --yes to confirm\n',
    ]);
    expect(await folder.run(['delete', '--yes', 'a', 'd'])).toEqual({
      code: 0,
      stdout: 'deleted a (The a), d (The d)\n',
      stderr: '',
    });
    expect([await exists('a'), await exists('d')]).toEqual([false, false]);
  });

  test.each([
    ['y', 'y\n', 0, false],
    ['nothing', '\n', 1, true],
    ['no', 'no\n', 1, true],
    ['the end of input', '\u0004', 1, true],
  ])('on a terminal asks, and takes %s as its answer', async (_case, typed, code, stays) => {
    const ended = await onTerminal(['client', 'delete', 'a'], { env: folder.env, prompt: '[y/N]', typed });
    expect(ended.screen).toContain('delete 1 client: a (The a)? [y/N]');
    expect([ended.code, await exists('a')]).toEqual([code, stays]);
  });

  test('a Client changed during confirmation is not deleted', async () => {
    const { code, screen } = await onTerminal(['client', 'delete', 'a'], {
      env: folder.env,
      prompt: '[y/N]',
      beforehand: async () => registry.ask('POST', '/client/a/disable'),
      typed: 'y\n',
    });
    expect([code, screen]).toEqual([1, expect.stringContaining('has changed in the meantime (412)')]);
    expect(await exists('a')).toBe(true);
  });

  test('all or none', async () => {
    const { code, stderr } = await folder.run(['delete', '--yes', 'a', 'x']);
    expect([code, stderr]).toEqual([1, "svccmd: the registry has no client 'x'\n"]);
    expect(await exists('a')).toBe(true);
  });
});

describe('rotate-secret', () => {
  const isValid = async (secret: string) =>
    (await registry.ask('POST', '/client/a/check/secret', { client_secret: secret })).body['valid'];

  test('prints the new secret alone; with an overlap the former one stays valid', async () => {
    const first = (await folder.run(['rotate-secret', 'a', '--yes'])).stdout.trim();
    const second = await folder.run(['rotate-secret', 'a', '--overlap', '1 h']);
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).toMatch(/^[\w-]{43}\n$/);
    recordSecrets(first, second.stdout.trim());
    expect([await isValid(first), await isValid(second.stdout.trim())]).toEqual([true, true]);
    const third = JSON.parse((await folder.run(['rotate-secret', 'a', '--yes', '--json'])).stdout) as {
      client_secret: string;
    };
    expect(third).toMatchObject({
      client_id: 'a',
      client_secrets: [{ hint: third.client_secret.slice(-4) }],
    });
    expect([await isValid(second.stdout.trim()), await isValid(third.client_secret)]).toEqual([false, true]);
  });

  test('does not revoke a secret immediately without confirmation', async () => {
    expect(await folder.run(['rotate-secret', 'a'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /revoke the current one immediately .*: stdin is not a terminal/,
      ) as string,
    });
  });

  test('--secrets-to keeps the secret from the terminal', async () => {
    const { stdout } = await folder.run(['rotate-secret', 'a', '--yes', '--secrets-to', 'a.secret']);
    expect(stdout).toBe('wrote the new secret for a to a.secret\n');
    expect(statSync(join(folder.path, 'a.secret')).mode & 0o777).toBe(0o600);
    const { client_secret } = JSON.parse(folder.read('a.secret')) as { client_secret: string };
    expect(await isValid(client_secret)).toBe(true);
  });

  test('an invalid overlap is rejected by the registry', async () => {
    const { code, stderr } = await folder.run(['rotate-secret', 'a', '--overlap', 'soon']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^svccmd: the registry returned 400: \/overlap: /),
    ]);
  });
});

describe('redirect', () => {
  const preview = 'https://pr-41.preview.example.com/cb';

  test('adds a redirect URI for a while, and removes it', async () => {
    const added = await folder.run([
      'redirect',
      'add',
      'b/c %',
      preview,
      '--expires-in',
      '7 d',
      '--note',
      'PR 41',
    ]);
    expect({ code: added.code, stderr: added.stderr }).toEqual({ code: 0, stderr: '' });
    expect(added.stdout).toMatch(/^b\/c % has the redirect URI https:\/\/pr-41.* until 20\d\d-/);
    const { stdout } = await folder.run([
      'redirect',
      'add',
      '--json',
      'b/c %',
      preview,
      '--expires-in',
      '60',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      redirect_uris: ['https://app.example.com/cb', preview],
      temporary_redirect_uris: [{ redirect_uri: preview }],
    });
    for (let time = 0; time < 2; time += 1) {
      expect(await folder.run(['redirect', 'remove', 'b/c %', preview])).toMatchObject({ code: 0 });
    }
    expect((await folder.run(['get', 'b/c %'])).stdout).not.toContain(preview);
  });

  test.each(['yaml', 'json', 'ndjson'])(
    'an export as %s does not bring back a redirect URI that ended',
    async (format) => {
      const file = `ends.${format}`;
      const shown = async () => folder.run(['export', '--format', format, 'a']);
      const { stdout: permanent } = await shown();
      await folder.run(['redirect', 'add', 'a', preview, '--expires-in', '7 d', '--note', 'PR 41']);
      const { stdout: temporary } = await shown();
      folder.write(file, temporary);
      const apply = async () => (await folder.run(['apply', '--set', 's', file])).stdout;
      expect(await apply()).toBe('0 created, 0 updated, 0 deleted, 1 unchanged\n');
      expect((await shown()).stdout).toBe(temporary);
      await folder.run(['redirect', 'remove', 'a', preview]);
      folder.write(file, temporary.replace('The a', 'Renamed'));
      const renamed = await apply();
      expect(renamed).toContain('1 updated');
      expect(renamed).not.toContain('redirect_uris');
      expect((await shown()).stdout).toBe(permanent.replace('The a', 'Renamed'));
      await folder.run(['delete', '--yes', 'a']);
      await folder.run(['apply', '--set', 's', '--quiet', file]);
      expect((await shown()).stdout).toBe(permanent.replace('The a', 'Renamed'));
    },
  );

  test('a CSV export does not make a redirect URI permanent that ends', async () => {
    await folder.run(['redirect', 'add', 'a', preview, '--expires-in', '7 d', '--note', 'PR 41']);
    const response = await fetch(`${registry.url}/clients/export?client_id=a`, {
      headers: { authorization: `Bearer ${registry.token}`, accept: 'text/csv' },
    });
    folder.write('ends.csv', await response.text());
    await folder.run(['delete', '--yes', 'a']);
    const imported = await folder.run(['import-from', 'csv', '--to', registry.url, 'ends.csv']);
    expect([imported.code, imported.stderr]).toEqual([0, '1 of 1 client imported, 0 invalid, 0 skipped\n']);
    const { stdout } = await folder.run(['export', '--format', 'json', 'a']);
    expect(JSON.parse(stdout)).toMatchObject([{ redirect_uris: ['https://app.example.com/cb'] }]);
    expect(stdout).not.toContain('temporary_redirect_uris');
  });

  test('what the registry rejects is reported', async () => {
    const rejected = await folder.run(['redirect', 'add', 'a', 'javascript:alert(1)']);
    expect(rejected.code).toBe(1);
    expect(rejected.stderr).toContain('must not have a scheme');
    const missing = await folder.run(['redirect', 'remove', 'nobody', preview]);
    expect(missing).toMatchObject({ code: 1, stderr: "svccmd: the registry has no client 'nobody'\n" });
  });
});
