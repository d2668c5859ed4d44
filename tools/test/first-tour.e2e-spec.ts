import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort, placeEmbeddedDatabase } from '@svc/test-servers';
import { type StartedPair, startPair } from './support/npm-start.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'svc-tour-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const start = async (launcher?: readonly string[]) => startPair(root, home, launcher);

/** Runs a line as a person pastes it. */
const paste = async (line: string) =>
  (
    await promisify(execFile)(
      'bash',
      ['-euo', 'pipefail', '-c', line.replace(/\bcurl /g, 'curl -sS --fail-with-body ')],
      { cwd: root },
    )
  ).stdout;

let running: StartedPair;
beforeAll(async () => {
  await placeEmbeddedDatabase(join(home, 'registry'));
  running = await start();
});
afterAll(() => {
  const { exitCode, signalCode } = running.process;
  return exitCode === null && signalCode === null ? running.stop() : undefined;
});

test('the lines that npm start prints work when pasted', async () => {
  const lines = running.printed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^(curl|npx|printf) /.test(line));
  expect(lines).toHaveLength(6);
  const answers: string[] = [];
  for (const line of lines) answers.push(await paste(line));
  expect(JSON.parse(answers[0] ?? '')).toHaveProperty('fields');
  expect(JSON.parse(answers[1] ?? '')).toMatchObject({ client_name: 'My shop' });
  expect(answers[2]).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+/);
  expect(answers[3]).toMatch(/^!encpwd "[^"]+"\n$/);
});

test('the first tour of the README works when pasted', async () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const tour = /## A first tour[^]*?```sh\n([^]*?)```/.exec(readme)?.[1] ?? '';
  const answer = await paste(
    tour
      .replaceAll('.svc/', `${home}/`)
      .replaceAll(':8081', `:${running.registryPort}`)
      .replaceAll(':8080', `:${running.commanderPort}`),
  );
  const [, shown = ''] = /## A first tour[^]*?```text\n([^]*?)```/.exec(readme) ?? [];
  expect(shown).toContain('Warehouse, north');
  expect(answer).toContain(shown);
});

test('the tokens are in files that only their owner can read', () => {
  for (const file of ['registry/bootstrap-token', 'commander.token', 'password.key', 'svccmd.conf']) {
    expect(statSync(join(home, file)).mode & 0o777).toBe(0o600);
  }
});

test.each(['SVC_REGISTRY_PORT', 'SVC_COMMANDER_PORT'])(
  'a port in use is refused, naming the process that holds it and %s',
  async (variable) => {
    const { commanderPort: taken } = running;
    const free = await freePort();
    const ports = {
      SVC_REGISTRY_PORT: String(free),
      SVC_COMMANDER_PORT: String(free),
      [variable]: String(taken),
    };
    const environment = { ...process.env, SVC_HOME: home, ...ports };
    const begun = promisify(execFile)(process.execPath, ['tools/start.mjs'], { cwd: root, env: environment });
    await expect(begun).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(
          `^127\\.0\\.0\\.1:${taken} is in use by process (\\d+) \\(svccmd serve\\): ` +
            `stop it with "kill \\1", or set ${variable} to another port\n$`,
        ),
      ),
    });
  },
);

const gone = async (port: number) =>
  fetch(`http://127.0.0.1:${port}/health/live`).then(
    () => false,
    () => true,
  );

async function bothGone({ registryPort, commanderPort }: StartedPair): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!((await gone(registryPort)) && (await gone(commanderPort)))) {
    if (Date.now() > deadline) throw new Error('a service still answers');
    await sleep(50);
  }
}

test('kill -9 of the launcher ends both, and what was registered is there at the next start', async () => {
  running.process.kill('SIGKILL');
  await bothGone(running);
  running = await start();
  expect(await listed()).toContain('My shop');
});

test('kill -9 of npm ends both', async () => {
  running.process.kill('SIGKILL');
  await bothGone(running);
  running = await start(['npm', 'start', '--silent', '--', '--no-build']);
  running.process.kill('SIGKILL');
  await bothGone(running);
  running = await start();
});

test('Ctrl-C stops both, and what was registered is there at the next start', async () => {
  expect(await running.stop()).toBe(0);
  await expect(fetch(`http://127.0.0.1:${running.registryPort}/health/live`)).rejects.toThrow();
  await expect(fetch(`http://127.0.0.1:${running.commanderPort}/health/live`)).rejects.toThrow();

  running = await start();
  expect(await listed()).toContain('My shop');
});

async function listed(): Promise<string> {
  const token = readFileSync(join(home, 'registry/bootstrap-token'), 'utf8').trim();
  const answer = await fetch(`http://127.0.0.1:${running.registryPort}/client`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return answer.text();
}
