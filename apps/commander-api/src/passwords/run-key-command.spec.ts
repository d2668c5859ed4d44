import { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { loadPasswordKeys } from './load-password-keys.js';
import { runKeyCommand } from './run-key-command.js';

afterEach(() => void jest.restoreAllMocks());

const HEX = '0f1e2d3c'.repeat(8);
const place = 'pwdencryptor.key_command (svccmd.conf:2)';
const load = async (key_command: string, warn = (line: string): void => void line) =>
  loadPasswordKeys({ key_command, key_commandOrigin: 'svccmd.conf:2' }, warn);

async function lineOf(command: string): Promise<string> {
  const error = await load(command).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'CommanderError', exitCode: 3 });
  return (error as Error).message;
}

test('what a command prints is the key, in any form of a key file', async () => {
  const [key] = await load(`printf %s ${HEX}`);
  expect(key.enc).toBe('A256GCM');
  expect((await load(`sh -c 'echo hex:${HEX} | cut -c1-36'`))[0].enc).toBe('A128GCM');
  expect((await load(`printf %s '{"kty":"oct","k":"${'AQ'.repeat(16)}"}'`))[0].enc).toBe('A192GCM');
});

test('there is no shell', async () => {
  expect(await lineOf(`echo ${HEX}; true`)).toMatch(/the key has 39 bytes as raw|the key has \d+ bytes/);
});

test.each([
  ['a failure', `sh -c 'echo s3cret; echo s3cret >&2; exit 3'`, 'exited with 3'],
  ['a signal', `sh -c 'kill -TERM $$'`, 'was ended by SIGTERM'],
  ['no program', '/nowhere/s3cret', 'cannot be run (ENOENT)'],
  ['no output', 'true', 'printed nothing'],
  ['endless output', 'cat /dev/zero', 'printed more than 65536 bytes'],
])('%s is reported without command or output', async (_case, command, reason) => {
  expect(await lineOf(command)).toBe(`${place} ${reason}; run it yourself to see why`);
});

test('a key of a wrong size is reported without its text', async () => {
  expect(await lineOf('printf s3cret-s3cret')).toBe(
    `${place}: the key has 13 bytes as raw; a key has 16, 24 or 32 bytes, as a JWK, hex, base64 or raw`,
  );
});

test('a key of one repeated byte causes a warning, as that of a file', async () => {
  const lines: string[] = [];
  await load(`printf %s ${'00'.repeat(32)}`, (line) => lines.push(line));
  expect(lines).toEqual([expect.stringMatching(/is one byte repeated and protects nothing/)]);
});

test('a command that hangs is ended, even if a program that it started keeps the pipe open', async () => {
  const started = performance.now();
  await expect(runKeyCommand(`sh -c 'sleep 5 & sleep 5'`, place, { deadlineMs: 200 })).rejects.toThrow(
    `${place} did not end within 0.2 s; run it yourself to see why`,
  );
  expect(performance.now() - started).toBeLessThan(3_000);
});

test.each([
  ['in its own process group', false],
  ['on the terminal', true],
])('a command that runs as another user, %s, is given up at the deadline', async (_case, hasTerminal) => {
  const notPermitted = Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
  jest.spyOn(process, 'kill').mockImplementation(() => {
    throw notPermitted;
  });
  jest.spyOn(ChildProcess.prototype, 'kill').mockImplementation(function (this: ChildProcess) {
    return !this.emit('error', notPermitted);
  });
  const started = performance.now();
  const error = await runKeyCommand('sleep 2', place, { deadlineMs: 100, hasTerminal }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'CommanderError', exitCode: 3 });
  expect((error as Error).message).toBe(`${place} did not end within 0.1 s; run it yourself to see why`);
  expect(performance.now() - started).toBeLessThan(1_500);
});

test('a command that ended tells how, even if another user still holds its pipe', async () => {
  jest.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
  });
  await expect(runKeyCommand(`sh -c 'sleep 3 & echo ${HEX}; exit 4'`, place)).rejects.toThrow(
    'exited with 4',
  );
});

/** Waits until a process is gone. */
async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 40; tries += 1) {
    // A zombie is gone, too: it waits for its parent, which is no longer ours to be.
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => 'gone');
    if (stat === 'gone' || /\) Z /.test(stat)) return true;
    await sleep(50);
  }
  return false;
}

const startedBy = async (file: string): Promise<number> => {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.endsWith('\n')) return Number(text);
    await sleep(20);
  }
};

describe('programs that the command started', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'key-command-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  test('do not outlive the deadline', async () => {
    const file = join(folder, 'pid');
    const run = runKeyCommand(`sh -c 'sleep 60 & echo $! > ${file}; wait'`, place, { deadlineMs: 300 });
    const [pid] = await Promise.all([
      startedBy(file),
      expect(run).rejects.toThrow('did not end within 0.3 s'),
    ]);
    expect(await isGone(pid)).toBe(true);
  });

  test('do not outlive an interruption, which ends the command at once', async () => {
    const file = join(folder, 'pid');
    const interruption = new AbortController();
    const run = runKeyCommand(`sh -c 'sleep 60 & echo $! > ${file}; wait'`, place, {
      signal: interruption.signal,
    });
    const rejected = expect(run).rejects.toMatchObject({ name: 'AbortError' });
    const pid = await startedBy(file);
    const started = performance.now();
    interruption.abort();
    await rejected;
    expect(performance.now() - started).toBeLessThan(500);
    expect(await isGone(pid)).toBe(true);
  });

  test('may keep the pipe open: the key is used a second after the command has ended', async () => {
    const file = join(folder, 'pid');
    const started = performance.now();
    const printed = await runKeyCommand(`sh -c 'sleep 60 & echo $! > ${file}; echo ${HEX}'`, place);
    const ms = performance.now() - started;
    expect(printed.toString()).toBe(`${HEX}\n`);
    expect(ms).toBeGreaterThan(900);
    expect(ms).toBeLessThan(3_000);
    expect(await isGone(await startedBy(file))).toBe(true);
  });
});

test('a key and a command are one too many', async () => {
  await expect(
    loadPasswordKeys(
      { key: 'a.key', keyOrigin: 'a:1', key_command: 'true', key_commandOrigin: 'a:2' },
      () => undefined,
    ),
  ).rejects.toThrow(
    'pwdencryptor.key (a:1) and pwdencryptor.key_command (a:2) are both set; keep one of them',
  );
});
