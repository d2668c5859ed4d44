import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTerminal } from '../shell/on-terminal.js';
import { runSvccmd } from '../shell/run-svccmd.js';

let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svccmd-terminal-'));
  const key = join(folder, 'password.key');
  writeFileSync(key, '0123456789abcdef'.repeat(4), { mode: 0o600 });
  env = { SVCCMD_PWDENCRYPTOR_KEY: key };
});

afterAll(() => rmSync(folder, { recursive: true }));

const encpwd = (typed: string) => onTerminal(['encpwd'], { env, prompt: 'Password: ', typed });

test('encpwd prompts twice without echo; decpwd prompts for its input', async () => {
  const { code, screen } = await encpwd('hunter2\rhunter2\r');
  expect(code).toBe(0);
  expect(screen).toMatch(/^Password: \r\nRepeat the password: \r\neyJ[\w.-]+\r\n$/);

  const encrypted = /eyJ[\w.-]+/.exec(screen)![0];
  const note = 'Paste the encrypted password, then press Enter and Ctrl-D.';
  const opened = await onTerminal(['decpwd'], { env, prompt: note, typed: `${encrypted}\n\u0004` });
  expect(opened.code).toBe(0);
  expect(opened.screen.startsWith(`${note}\r\n`)).toBe(true);
  expect(opened.screen.endsWith('hunter2\r\n')).toBe(true);
  // No prompt for a pipe.
  const piped = await runSvccmd(['decpwd'], { cwd: folder, env, input: encrypted });
  expect(piped).toEqual({ code: 0, stdout: 'hunter2', stderr: '' });
});

test('mismatching passwords encrypt nothing', async () => {
  expect(await encpwd('hunter2\rhunter3\r')).toEqual({
    code: 1,
    screen:
      'Password: \r\nRepeat the password: \r\nsvccmd: the passwords do not match; nothing was encrypted\r\n',
  });
});
