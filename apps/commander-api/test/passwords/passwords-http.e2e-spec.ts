import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JSONWebKeySet } from 'jose';
import { compactDecrypt } from 'jose/jwe/compact/decrypt';
import { CompactEncrypt } from 'jose/jwe/compact/encrypt';
import { importJWK } from 'jose/key/import';
import { runInProcess } from '../shell/run-in-process.js';
import { startServer, type RunningServer } from '../http/running-server.js';

const KEY = '0123456789abcdef'.repeat(4);
const env = { SVCCMD_HTTP_TOKEN: 'a-token-for-this-test-0123456789' };

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svccmd-passwords-http-'));
  writeFileSync(join(folder, 'password.key'), KEY, { mode: 0o600 });
  writeFileSync(join(folder, 'svccmd.conf'), '[pwdencryptor]\nkey = password.key\n');
  return folder;
}

/** The answer; `detail` is that of a refusal. */
async function encrypt({ url }: RunningServer): Promise<{ status: number; detail?: string }> {
  const answer = await post(url, 'hunter2');
  return answer.ok
    ? { status: answer.status }
    : ((await answer.json()) as { status: number; detail: string });
}

async function post(url: string, body: string): Promise<Response> {
  const headers = { authorization: `Bearer ${env.SVCCMD_HTTP_TOKEN}` };
  return fetch(`${url}/encpwd`, { method: 'POST', headers, body });
}

/** Waits until the server has logged the text. */
async function expectLogged(server: RunningServer, text: string): Promise<void> {
  while (!server.output().includes(text)) await sleep(20);
}

describe('with a key file, which is read for each request', () => {
  let folder: string;
  let server: RunningServer;
  let file: string;

  beforeAll(async () => {
    folder = makeFolder();
    file = join(folder, 'password.key');
    server = await startServer(folder, env);
  });
  afterAll(async () => {
    await server.stop();
    expect(server.output()).not.toContain('hunter2');
    rmSync(folder, { recursive: true });
  });

  test('a key that cannot be used is 503, with the reason in the log; a file put right counts at once', async () => {
    const unusable = {
      status: 503,
      detail: 'The keys in pwdencryptor cannot be used; see the server log.',
    };
    rmSync(file);
    expect(await encrypt(server)).toMatchObject(unusable);
    await expectLogged(
      server,
      `pwdencryptor.key (svccmd.conf:2): ${file}: key file not found; create one with \\"svccmd keygen\\"`,
    );
    writeFileSync(file, 'abc');
    expect(await encrypt(server)).toMatchObject(unusable);
    await expectLogged(server, 'a key has 16, 24 or 32 bytes');
    writeFileSync(file, KEY);
    // The log warns once while the file is readable by others, and again if it becomes so again.
    for (const mode of [0o644, 0o644, 0o600, 0o644, 0o644, 0o600]) {
      chmodSync(file, mode);
      expect((await encrypt(server)).status).toBe(200);
    }
    writeFileSync(file, '00'.repeat(32));
    expect(await encrypt(server)).toMatchObject(unusable);
    await expectLogged(server, 'is one byte repeated, which is easily guessed');
    expect(server.output().match(/is readable by every user of this machine/g)).toHaveLength(2);
  });

  test('the line break that an editor puts at the end of a file is not part of the password', async () => {
    writeFileSync(file, KEY);
    for (const [body, password] of [
      ['hunter2\n', 'hunter2'],
      ['hunter2\r\n', 'hunter2'],
      ['hunter2\n\n', 'hunter2\n'],
      [`${'x'.repeat(65_536)}\r\n`, 'x'.repeat(65_536)],
    ] as const) {
      const encrypted = await (await post(server.url, body)).text();
      const { plaintext } = await compactDecrypt(encrypted, Buffer.from(KEY, 'hex'));
      expect(Buffer.from(plaintext).toString()).toBe(password);
    }
    for (const body of [`${'x'.repeat(65_536)}\n\n`, `${'x'.repeat(65_537)}\r\n`])
      expect((await post(server.url, body)).status).toBe(413);
  });

  test('a key of one repeated byte is 503: it encrypts nothing', async () => {
    writeFileSync(file, '00'.repeat(32));
    expect(await encrypt(server)).toMatchObject({ status: 503 });
  });
});

describe('without a usable setting', () => {
  let folder: string;
  beforeEach(() => (folder = makeFolder()));
  afterEach(() => rmSync(folder, { recursive: true }));

  test('without a key it is 503 as well', async () => {
    writeFileSync(join(folder, 'svccmd.conf'), '');
    const server = await startServer(folder, env);
    const detail = 'No key is configured: set pwdencryptor.key.';
    expect(await encrypt(server)).toMatchObject({ status: 503, detail });
    await server.stop();
    expect(server.output()).toContain('no key is configured');
  });

  test('a key pasted in place of its path is not logged', async () => {
    const key = 'AAEC////AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBk=';
    const server = await startServer(folder, { ...env, SVCCMD_PWDENCRYPTOR_KEY: key });
    expect((await encrypt(server)).status).toBe(503);
    await server.stop();
    expect(server.output()).toContain('pwdencryptor.key (SVCCMD_PWDENCRYPTOR_KEY): key file not found');
    expect(server.output()).not.toContain('AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBk');
  });
});

describe('with public keys', () => {
  test('a password is sealed to all of them, or to those that are named; the keys are public', async () => {
    const folder = makeFolder();
    for (const name of ['collector', 'standby'])
      await runInProcess(['keygen', '--pair', `${name}.key`], { cwd: folder });
    writeFileSync(join(folder, 'svccmd.conf'), '[pwdencryptor]\nrecipients = collector.pub, standby.pub\n');
    const server = await startServer(folder, env);
    const headers = { authorization: `Bearer ${env.SVCCMD_HTTP_TOKEN}`, accept: 'application/json' };
    const keys = await fetch(`${server.url}/encpwd/keys`, { headers });
    expect(keys.headers.get('content-type')).toMatch(/^application\/jwk-set\+json/);
    const jwks = (await keys.json()) as JSONWebKeySet;
    expect(jwks.keys).toMatchObject([{ crv: 'P-256', use: 'enc' }, { crv: 'P-256' }]);
    expect(JSON.stringify(jwks)).not.toContain('"d"');
    expect((await fetch(`${server.url}/encpwd/keys`)).status).toBe(401);

    const seal = async (query: string) => {
      const response = await fetch(`${server.url}/encpwd${query}`, {
        method: 'POST',
        headers,
        body: 'hunter2',
      });
      return { status: response.status, body: (await response.json()) as Record<string, string> };
    };
    const decrypt = async (name: string, sealed = '', ...args: string[]) =>
      runInProcess(['decpwd', '--key-file', `${name}.key`, sealed, ...args], { cwd: folder });
    const both = await seal('');
    expect(both.body['recipients']).toEqual(jwks.keys.map(({ kid }) => kid));
    for (const name of ['collector', 'standby'])
      expect((await decrypt(name, both.body['encrypted_password'])).stdout).toBe('hunter2');
    for (const query of [
      '?recipient=standby&for=db.yaml/p',
      `?recipient=${jwks.keys[1]!.kid}&for=db.yaml/p`,
    ]) {
      const one = (await seal(query)).body['encrypted_password'];
      expect((await decrypt('standby', one, '--for', 'db.yaml/p')).stdout).toBe('hunter2');
      expect((await decrypt('collector', one)).code).toBe(1);
    }
    // What others seal with a published key opens as well.
    const key = await importJWK(jwks.keys[0]!);
    const foreign = await new CompactEncrypt(Buffer.from('hunter2'))
      .setProtectedHeader({ alg: 'ECDH-ES+A256KW', enc: 'A256GCM', kid: jwks.keys[0]!.kid! })
      .encrypt(key);
    expect((await decrypt('collector', foreign)).stdout).toBe('hunter2');

    expect(await seal('?recipient=nobody')).toMatchObject({
      status: 400,
      body: {
        detail: expect.stringMatching(
          /^There is no such recipient; known recipients: collector \([\w-]{43}\), standby /,
        ) as string,
      },
    });
    expect((await seal('?recipient=')).status).toBe(400);
    expect((await seal('?receiver=x')).status).toBe(400);
    rmSync(join(folder, 'standby.pub'));
    expect((await seal('')).status).toBe(503);
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  test('a symmetric key has no public one; the key of a pair has', async () => {
    const folder = makeFolder();
    await runInProcess(['keygen', '--pair', 'collector.key'], { cwd: folder });
    const server = await startServer(folder, env);
    const headers = { authorization: `Bearer ${env.SVCCMD_HTTP_TOKEN}` };
    const keysOf = async () =>
      (await (await fetch(`${server.url}/encpwd/keys`, { headers })).json()) as JSONWebKeySet;
    expect(await keysOf()).toEqual({ keys: [] });
    renameSync(join(folder, 'collector.key'), join(folder, 'password.key'));
    expect((await keysOf()).keys).toHaveLength(1);
    expect(await (await post(server.url, 'hunter2')).text()).toMatch(/^eyJ[\w-]+\.[\w-]{54}\./);
    await server.stop();
    rmSync(folder, { recursive: true });
  });
});
