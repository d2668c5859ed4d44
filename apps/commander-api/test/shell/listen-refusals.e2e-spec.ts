import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSvccmd } from './run-svccmd.js';

const busy = createServer();
let cwd: string;
let port: number;

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'svccmd-listen-'));
  await once(busy.listen(0, '127.0.0.1'), 'listening');
  ({ port } = busy.address() as AddressInfo);
});
afterAll(() => {
  busy.close();
  rmSync(cwd, { recursive: true });
});

test.each([
  [
    'an address that is none',
    { SVCCMD_HTTP_ADDRESS: 'nonsense.invalid', SVCCMD_HTTP_PORT: '0' },
    /^http\.address: nonsense\.invalid is no address of this machine \(E(NOTFOUND|AI_AGAIN)\); set one, such as 127\.0\.0\.1 or 0\.0\.0\.0$/,
  ],
  [
    'an address of another machine',
    { SVCCMD_HTTP_ADDRESS: '192.0.2.1', SVCCMD_HTTP_PORT: '0' },
    /^http\.address: 192\.0\.2\.1 is no address of this machine \(EADDRNOTAVAIL\); set one/,
  ],
  [
    'a port that is taken',
    {},
    /^http\.port: another program listens on 127\.0\.0\.1 port \d+ \(EADDRINUSE\); end it, or set another port$/,
  ],
])('serve names the setting of %s, and ends with 3', async (_case, settings, message) => {
  const env = {
    SVCCMD_HTTP_TOKEN: 'a-token-for-this-test',
    SVCCMD_HTTP_PORT: String(port),
    SVCCMD_HTTP_LOG_LEVEL: 'fatal',
    ...settings,
  };
  const { code, stderr } = await runSvccmd(['serve'], { cwd, env });
  const lines = stderr.trimEnd().split('\n');
  expect({ code, lines }).toEqual({ code: 3, lines: [expect.stringMatching(/^svccmd: /)] });
  expect(lines[0]?.replace('svccmd: ', '')).toMatch(message);
});
