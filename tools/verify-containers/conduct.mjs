import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from './ask.mjs';
import { decrypted } from './commander-jobs.mjs';
import { TAG } from './images.mjs';

const CONTAINERS = ['svc-registry', 'svc-commander'];

/** Checks the isolation and memory use of both services' containers. */
export async function checkConfinement(stack, report) {
  for (const container of CONTAINERS) {
    const user = await stack.exec(container, ['id', '-u']);
    report.check(`${container} does not run as root`, user === '1000', user);
    const written = await stack.exec(container, ['touch', '/svc/file']).catch((error) => error.message);
    report.check(`${container} cannot write its root file system`, /read-only/i.test(written), written);
    const capabilities = await stack.exec(container, ['grep', 'CapEff', '/proc/1/status']);
    report.check(`${container} has no capability`, /\b0+$/.test(capabilities), capabilities);
    await stack.waitFor(`${container} to be healthy`, async () => isHealthy(stack, container));
    report.held(`${container} passes its own health check`);
    const resident = await stack.exec(container, ['grep', 'VmRSS', '/proc/1/status']);
    report.figure(
      `${container} resident memory, idle`,
      `${Math.round(Number(/\d+/.exec(resident)?.[0]) / 1024)} MB`,
    );
  }
}

/** Servers write only to their volumes and to memory. */
export async function checkServersConfinement(stack, report) {
  for (const service of ['postgres', 'zookeeper']) {
    const container = await stack.containerOf(service);
    const written = await stack.exec(container, ['touch', '/file']).catch((error) => error.message);
    report.check(`${service} cannot write its root file system`, /read-only/i.test(written), written);
  }
}

/** Docker runs health checks itself; podman relies on systemd, which may be absent. */
async function isHealthy({ engine }, container) {
  if (engine.name === 'podman') return engine.run('healthcheck', 'run', container).then(() => true);
  return (await engine.run('inspect', '--format', '{{.State.Health.Status}}', container)) === 'healthy';
}

/** SIGTERM, as `docker stop` sends it. */
export async function checkStopping(stack, report) {
  for (const container of CONTAINERS) {
    const started = performance.now();
    await stack.engine.run('stop', '-t', '35', container);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const status = await stack.inspect(container, '{{.State.ExitCode}}');
    report.check(`${container} exits with status 0 when it is stopped`, status === '0', status);
    report.figure(`${container} stopped in`, `${seconds} s`);
    await stack.engine.run('start', container);
  }
  await stack.waitUntilReady(stack.registryUrl);
  await stack.waitUntilReady(stack.commanderUrl);
}

/** Starts the database after the registry, as with compose commands that do not wait. */
export async function checkLateDatabase(stack, report) {
  const postgres = await stack.containerOf('postgres');
  await stack.engine.run('stop', '-t', '35', 'svc-registry', postgres);
  await stack.engine.run('start', 'svc-registry');
  const printed = () => stack.engine.command(['sh', '-c', `${stack.engine.name} logs svc-registry 2>&1`]);
  await stack.waitFor('the registry to wait', async () =>
    (await printed()).includes('waiting for the database'),
  );
  await stack.engine.run('start', postgres);
  await stack.waitUntilReady(stack.registryUrl);
  const restarts = await stack.inspect('svc-registry', '{{.RestartCount}}');
  report.check('a registry waits for a database that starts after it', restarts === '0', restarts);
}

/** Each image by itself, without settings beyond those that its start needs: it makes its first token in `/data`. */
export async function checkAlone(stack, report) {
  const registry = ['--env', 'EMBEDDED_DATABASE=allow', '--env', `SECRET_PEPPER=${'p'.repeat(32)}`];
  await withAlone(stack, report, 'svc-registry', registry, async (url, container) => {
    const token = await stack.exec(container, ['cat', '/data/bootstrap-token']);
    const list = await ask('GET', `${url}/client`, token);
    report.check(
      'one registry serves on the embedded database, with the token it made',
      list.status === 200,
      list,
    );
  });
  await withAlone(stack, report, 'svc-commander', [], async (url, container) => {
    const token = await stack.exec(container, ['cat', '/data/svccmd.token']);
    const lookups = await ask('GET', `${url}/iplookup`, token);
    // The token was accepted, and the answer names the setting that lookups need.
    const answered = lookups.status === 503 && lookups.text.includes('iplookup.destination_path');
    report.check('one commander starts without a configuration, with a token it made', answered, lookups);
  });
}

/** Runs the commands of docs/containers.md that need no service, as they stand there but with this run's image. */
export async function checkOneCommand(stack, report) {
  const page = readFileSync(`${stack.root}docs/containers.md`, 'utf8');
  const [, commands = ''] = /^### One command\n[^]*?^```sh\n([^]*?)^```$/m.exec(page) ?? [];
  const own = commands
    .replaceAll('docker run', `${stack.engine.name} run`)
    .replaceAll('svc-commander', `svc-commander:${TAG}`);
  const folder = join(stack.folder, 'one-command');
  mkdirSync(folder);
  cpSync(`${stack.root}tools/sample/iplookup/sites.csv`, join(folder, 'sites.csv'));
  const printed = await stack.engine.command(['bash', '-euc', own], { cwd: folder });
  const key = JSON.parse(readFileSync(join(folder, 'password.key'), 'utf8'));
  const encrypted = printed.split('\n').find((line) => line.startsWith('ey')) ?? '';
  report.check(
    'single commands run without a service, and leave their files to the caller',
    decrypted(encrypted, key) === 'correct horse' &&
      ['password.key', 'sites.mmdb'].every((name) => statSync(join(folder, name)).uid === process.getuid?.()),
    printed,
  );
}

/** @param {(url: string, container: string) => Promise<void>} work done while a container of the image runs, read-only */
async function withAlone(stack, report, image, settings, work) {
  const { engine, ports } = stack;
  const container = `${image}-alone`;
  const port = ['--publish', `127.0.0.1:${ports.balancer}:8080`];
  await engine.run(
    'run',
    '--detach',
    '--read-only',
    // As Docker does; podman would mount a writable /tmp.
    ...(engine.name === 'podman' ? ['--read-only-tmpfs=false'] : []),
    '--name',
    container,
    ...settings,
    ...port,
    `${image}:${TAG}`,
  );
  try {
    const url = `http://127.0.0.1:${ports.balancer}`;
    await stack.waitUntilReady(url);
    const access = await stack.exec(container, ['stat', '--format', '%a %u', '/data']);
    report.check(`only ${image} itself can read its new volume`, access === '700 1000', access);
    const temporary = await engine.try('exec', container, 'mktemp');
    report.check(`${image} can create temporary files`, temporary.startsWith('/data/'), temporary);
    await work(url, container);
  } finally {
    await engine.try('rm', '--force', '--volumes', container);
  }
}

/** The registry has no business with ZooKeeper, nor the commander with the registry's database. */
export async function checkNetworks(stack, report) {
  const ports = { postgres: 5432, zookeeper: 2181 };
  for (const { container, own, other } of [
    { container: 'svc-registry', own: 'postgres', other: 'zookeeper' },
    { container: 'svc-commander', own: 'zookeeper', other: 'postgres' },
  ]) {
    // That it reaches its own shows that the probe works.
    const outcomes = [
      await probe(stack, container, own, ports[own]),
      await probe(stack, container, other, ports[other]),
    ];
    const isSeparate = outcomes[0] === 'connected' && outcomes[1] !== 'connected';
    report.check(`${container} reaches ${own}, but not ${other}`, isSeparate, outcomes);
  }
}

/** @returns `connected`, an error's code, or nothing after five seconds */
async function probe(stack, container, host, port) {
  const program = `require('node:net').connect(${port}, '${host}').on('connect', function () { console.log('connected'); this.destroy(); }).on('error', (error) => console.log(error.code)).setTimeout(5000, function () { this.destroy(); })`;
  return stack.exec(container, ['node', '-e', program]);
}
