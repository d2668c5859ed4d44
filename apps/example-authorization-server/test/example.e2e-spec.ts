import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { jest } from '@jest/globals';
import { recordLog } from '@svc/test-servers';
import { collect, untilPrinted } from './support/example.js';

jest.setTimeout(120_000);

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const COMMAND = ['npm', 'run', '--silent', 'example:authorization-server', '--', '--no-build'] as const;

/** What the command runs. */
const PROGRAM = [process.execPath, 'tools/example-authorization-server.mjs', '--no-build'] as const;

const start = (
  [command, ...args]: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
) =>
  spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C in a terminal reaches all of them.
    detached: true,
  });

/** A registry that is not contacted before the ports are bound. */
const GIVEN = {
  REGISTRY_URL: 'http://127.0.0.1:9',
  REGISTRY_TOKEN: 'a-token',
  INITIAL_ACCESS_TOKEN: 'another',
};

test('one command starts registry, authorization server and application; Ctrl-C stops them and leaves nothing behind', async () => {
  const ports = { AUTHORIZATION_SERVER_PORT: '0', APPLICATION_PORT: '0', REGISTRY_PORT: '0' };
  const child = start(COMMAND, ports);
  const printed = collect(child);
  await untilPrinted(child, printed, /Ctrl-C stops all/);
  const [, application = ''] = /^application +(\S+)/m.exec(printed()) ?? [];
  const [, discovery = ''] = /discovery: (\S+)/.exec(printed()) ?? [];
  const [, registry = '', clientId = ''] =
    /^registry +(http:\/\/[^/]+)\/ui\/clients\/(\S+)/m.exec(printed()) ?? [];
  const [, tokenFile = ''] = /token: (\S+)/.exec(printed()) ?? [];
  expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
  const token = readFileSync(tokenFile, 'utf8').trim();

  expect(await (await fetch(application)).text()).toContain('Sign in');
  expect(await (await fetch(discovery)).json()).toMatchObject({
    registration_endpoint: `${registry}/register`,
  });
  const found = await fetch(`${registry}/client/${clientId}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await found.json()).toMatchObject({ client_name: 'Example application' });

  process.kill(-Number(child.pid), 'SIGINT');
  await once(child, 'close');
  recordLog(printed());
  expect(printed()).toMatch(/Stopping\n$/);
  expect(existsSync(tokenFile)).toBe(false);
  for (const address of [application, discovery, registry]) await expect(fetch(address)).rejects.toThrow();
});

test('a given registry requires its tokens, named in the error', async () => {
  const child = start(PROGRAM, { REGISTRY_URL: 'http://127.0.0.1:9' });
  const printed = collect(child);
  const [status] = (await once(child, 'close')) as [number];
  expect({ status, printed: printed() }).toEqual({
    status: 3,
    printed: expect.stringContaining(
      'example: invalid configuration:\n  REGISTRY_TOKEN: is required\n  INITIAL_ACCESS_TOKEN: is required\n',
    ),
  });
});

test.each([
  ['REGISTRY_PORT', {}],
  ['AUTHORIZATION_SERVER_PORT', GIVEN],
  ['APPLICATION_PORT', GIVEN],
])('a port in use is reported, naming %s', async (variable, given) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ports = { AUTHORIZATION_SERVER_PORT: '0', APPLICATION_PORT: '0', REGISTRY_PORT: '0' };
  const child = start(PROGRAM, { ...ports, ...given, [variable]: String(port) });
  const printed = collect(child);
  const [status] = (await once(child, 'close')) as [number];
  server.close();
  expect({ status, printed: printed() }).toEqual({
    status: 1,
    printed: expect.stringContaining(
      `example: 127.0.0.1:${port} cannot be used (EADDRINUSE): set ${variable} to another port\n`,
    ),
  });
});
