import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSvccmd } from './run-svccmd.js';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'svccmd-listen-'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

test.each([
  ['an address that is none', 'nonsense.invalid', 'E?(NOTFOUND|AI_AGAIN)'],
  ['an address of another machine', '192.0.2.1', 'EADDRNOTAVAIL'],
])('serve names the setting of %s, and ends with 3', async (_case, address, code) => {
  const env = {
    SVCCMD_HTTP_TOKEN: 'a-token-for-this-test',
    SVCCMD_HTTP_ADDRESS: address,
    SVCCMD_HTTP_PORT: '0',
  };
  const ended = await runSvccmd(['serve'], { cwd, env });
  expect(ended.code).toBe(3);
  expect(ended.stderr).toMatch(
    new RegExp(
      `^svccmd: http\\.address: ${address} is no address of this machine \\(${code}\\); set one, such as 127\\.0\\.0\\.1 or 0\\.0\\.0\\.0\\n$`,
    ),
  );
});
