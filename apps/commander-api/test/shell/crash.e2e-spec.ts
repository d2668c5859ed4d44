import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { recordSecrets } from '@svc/test-servers';
import { runSvccmd } from './run-svccmd.js';

const PASSWORD = 'a-password-that-no-crash-may-show';
recordSecrets(PASSWORD);

/** Unexpected errors while the password is in memory. */
const FAULTS = {
  rejects: `crypto.subtle.encrypt = async () => { throw new TypeError('unforeseen'); };`,
  throws: `crypto.subtle.encrypt = () => {
    setImmediate(() => { throw new TypeError('unforeseen'); });
    return new Promise(() => setTimeout(() => undefined, 60_000));
  };`,
};

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'svccmd-crash-'));
  writeFileSync(join(cwd, 'k'), '0123456789abcdef'.repeat(4), { mode: 0o600 });
  for (const [name, code] of Object.entries(FAULTS)) writeFileSync(join(cwd, `${name}.mjs`), code);
});
afterAll(() => rmSync(cwd, { recursive: true }));

test.each([
  ['rejects', ['encpwd', '--key-file', 'k'], PASSWORD],
  ['rejects', ['encpwd', '--key-file', 'k', PASSWORD], ''],
  ['throws', ['encpwd', '--key-file', 'k'], PASSWORD],
  ['throws', ['encpwd', '--key-file', 'k', PASSWORD], ''],
])('a process that %s unexpectedly in %j shows its stack and no password', async (fault, args, input) => {
  const env = {
    NODE_OPTIONS: `--import ${pathToFileURL(join(cwd, `${fault}.mjs`)).href}`,
    SVCCMD_DEBUG: '1',
  };
  const { code, stdout, stderr } = await runSvccmd(args, { cwd, input, env });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/TypeError: unforeseen\n +at /);
  expect(stderr).not.toContain(PASSWORD);
});
