import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { recordSecrets } from '@svc/test-servers';
import { startSvccmd } from '../shell/run-svccmd.js';
import { type ClientFolder, declaration, makeClientFolder } from './client-folder.js';
import { type RunningRegistry, startRegistry } from './registry-process.js';

let registry: RunningRegistry;
let folder: ClientFolder;

beforeAll(async () => {
  registry = await startRegistry();
  folder = makeClientFolder(registry);
}, 120_000);
afterAll(async () => {
  folder.remove();
  await registry.stop();
});

describe('the registry', () => {
  const FOREIGN = 'SVCCMD_REGISTRY_URL';

  test.each<[string, NodeJS.ProcessEnv, number, RegExp]>([
    ['that is not configured', { [FOREIGN]: '' }, 3, /^svccmd: no registry is configured; set registry\.url/],
    [
      'without a token',
      { SVCCMD_REGISTRY_TOKEN: '' },
      3,
      /^svccmd: no registry token is configured; set SVCCMD_REGISTRY_TOKEN or/,
    ],
    [
      'with a malformed token',
      { SVCCMD_REGISTRY_TOKEN: 'hunter2 hunter2' },
      3,
      /^svccmd: registry\.token is not a valid bearer token/,
    ],
    [
      'with a token that it does not know',
      { SVCCMD_REGISTRY_TOKEN: 'hunter2-hunter2-hunter2-hunter2-hunter2' },
      3,
      /^svccmd: the registry rejected the token \(401\)/,
    ],
    [
      'that is not running',
      { [FOREIGN]: 'http://127.0.0.1:9' },
      4,
      /^svccmd: cannot reach the registry at http:\/\/127\.0\.0\.1:9 \(ECONNREFUSED\)/,
    ],
    [
      'with an unknown host name',
      { [FOREIGN]: 'https://registry.invalid' },
      4,
      /^svccmd: cannot reach the registry at https:\/\/registry\.invalid \(E(AI_AGAIN|NOTFOUND)\)/,
    ],
    [
      'with a user in its address',
      { [FOREIGN]: 'https://a:hunter2@b' },
      3,
      /^svccmd: registry\.url must not contain/,
    ],
    [
      'whose authority cannot be read',
      { SVCCMD_REGISTRY_CA: 'nope.pem' },
      3,
      /^svccmd: registry\.ca: cannot read .*nope\.pem \(ENOENT\)/,
    ],
  ])('%s: one line with the remedy, and no token', async (_case, env, exitCode, message) => {
    const { code, stdout, stderr } = await folder.run(['list'], '', env);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('hunter2');
  });

  test('a read-only token fails naming the missing scope', async () => {
    const made = await registry.ask('POST', '/token', { name: 'reader', scopes: ['clients:read'] });
    const env = { SVCCMD_REGISTRY_TOKEN: String(made.body['token']) };
    recordSecrets(env.SVCCMD_REGISTRY_TOKEN);
    expect((await folder.run(['list'], '', env)).code).toBe(0);
    expect(await folder.run(['rotate-secret', '--yes', 'a'], '', env)).toEqual({
      code: 3,
      stdout: '',
      stderr:
        'svccmd: the token lacks the scope clients:write (403); set registry.token to one that has it\n',
    });
  });

  test('the token may come from a file', async () => {
    writeFileSync(join(folder.path, 'token'), `${registry.token}\n`);
    const env = { SVCCMD_REGISTRY_TOKEN: '', SVCCMD_REGISTRY_TOKEN_FILE: 'token' };
    expect((await folder.run(['list'], '', env)).code).toBe(0);
  });
});

describe('a change that a signal interrupts', () => {
  /** Reads as the registry does, and never answers a change. */
  const hanging = createServer((request, response) => {
    if (request.method !== 'GET') return void request.resume().on('end', () => hanging.emit('changing'));
    void registry
      .ask('GET', '/client/features')
      .then(({ body }) => response.end(request.url === '/client/features' ? JSON.stringify(body) : ''));
  });
  beforeAll(async () => once(hanging.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => {
    hanging.closeAllConnections();
    hanging.close();
  });

  test.each<[string[], NodeJS.Signals, number]>([
    [['apply', '--secrets-to', 'new.ndjson', 'a.yaml'], 'SIGINT', 130],
    [['rotate-secret', '--yes', 'a'], 'SIGHUP', 129],
  ])('%j reports after %s that its outcome is unknown', async (args, signal, code) => {
    folder.write('a.yaml', declaration('a'));
    const before = readdirSync(folder.path);
    const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    const child = startSvccmd(['client', ...args], {
      cwd: folder.path,
      env: { ...folder.env, SVCCMD_REGISTRY_URL: url },
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    await once(hanging, 'changing');
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([code, null]);
    expect(stderr).toBe(
      'svccmd: interrupted before the registry responded; the change may or may not have been made: check before you try again\n',
    );
    expect(readdirSync(folder.path)).toEqual(before);
  });
});
