import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compactDecrypt } from 'jose/jwe/compact/decrypt';
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
      detail: 'The key in pwdencryptor.key cannot be used; see the server log.',
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
