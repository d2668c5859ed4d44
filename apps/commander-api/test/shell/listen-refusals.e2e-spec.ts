import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInProcess } from './run-in-process.js';

const SVCCMD = new URL('../../bin/svccmd.js', import.meta.url).pathname;

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'svccmd-listen-'));
  chmodSync(cwd, 0o755);
});
afterAll(() => rmSync(cwd, { recursive: true }));

const environment = (port: number, address = '127.0.0.1') => ({
  SVCCMD_HTTP_TOKEN: 'a-token-for-this-test-0123456789',
  SVCCMD_HTTP_ADDRESS: address,
  SVCCMD_HTTP_PORT: String(port),
});

test.each([
  ['an address that is none', 'nonsense.invalid', 'E?(NOTFOUND|AI_AGAIN)'],
  ['an address of another machine', '192.0.2.1', 'EADDRNOTAVAIL'],
])('serve names the setting of %s, and ends with 3', async (_case, address, code) => {
  const ended = await runInProcess(['serve'], { cwd, env: environment(0, address) });
  expect(ended.code).toBe(3);
  expect(ended.stderr).toMatch(
    new RegExp(
      `^svccmd: http\\.address: ${address} is not an address of this machine \\(${code}\\); set one that is, or 0\\.0\\.0\\.0 for all\\n$`,
    ),
  );
});

test('a port in use is reported with the remedy', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { code, stderr } = await runInProcess(['serve'], { cwd, env: environment(port) });
  other.close();
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: `svccmd: http.port: another program is already listening on 127.0.0.1 port ${port} (EADDRINUSE); stop it, or set another port\n`,
  });
});

/** Root may bind every port, so for root this test runs svccmd as user nobody. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const mayRun = spawnSync(process.execPath, [SVCCMD, '--version'], { ...NOBODY, cwd: '/' }).status === 0;
const everyPortIsFree =
  process.platform !== 'linux' ||
  Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8')) <= 80;

(mayRun && !everyPortIsFree ? test : test.skip)(
  'a privileged port is reported with the remedy (skipped if the checkout is unreadable for other users, or ports are unrestricted)',
  () => {
    const { status, stderr } = spawnSync(process.execPath, [SVCCMD, 'serve'], {
      ...NOBODY,
      cwd,
      env: environment(80),
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({
      status: 3,
      stderr:
        'svccmd: http.port: permission denied to listen on 127.0.0.1 port 80 (EACCES); set a port of 1024 or above\n',
    });
  },
);
