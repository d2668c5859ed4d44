import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { TAG } from './images.mjs';

/** A project name of its own: volumes and networks of a stack that someone uses are left alone. */
const PROJECT = 'svc-verified';

const SERVICES = ['postgres', 'zookeeper', 'svc-registry', 'svc-commander'];
const SCALED_SERVICES = [...SERVICES, 'zookeeper-2', 'zookeeper-3', 'svc-registry-2', 'nginx'];

/** How long all of it may take to start, in milliseconds. */
const START_MS = 300_000;

/** Brings compose.yaml up, hands it to `work`, and takes it down with its volumes whatever happens. */
export async function withStack(options, work) {
  const stack = await Stack.prepare(options);
  try {
    await Promise.race([stack.up().then(() => work(stack)), interruption()]);
  } catch (error) {
    await stack.printLogs();
    throw error;
  } finally {
    await stack.down({ volumes: true });
    rmSync(stack.folder, { recursive: true });
  }
}

/** Fails when someone presses Ctrl-C, so that all is taken down then, too. */
async function interruption() {
  const [signal] = await Promise.race(['SIGINT', 'SIGTERM'].map((name) => once(process, name)));
  throw new Error(`ended by ${signal}`);
}

export class Stack {
  /** @throws {Error} when containers of these names are there already: they are someone's */
  static async prepare({ engine, root, scaled, report }) {
    const names = ['svc-registry', 'svc-commander'];
    const taken = (await engine.run('ps', '--all', '--format', '{{.Names}}')).split('\n');
    const other = names.find((name) => taken.includes(name));
    if (other) throw new Error(`a container called ${other} is there already; take it down first`);
    const folder = mkdtempSync(join(tmpdir(), 'svc-containers-'));
    spawnSync(process.execPath, [`${root}docker/make-secrets.mjs`, join(folder, 'secrets')]);
    mkdirSync(join(folder, 'library'), { mode: 0o755 });
    return new Stack(engine, root, scaled, report, folder, await makePorts());
  }

  /**
   * @param {import('./engine.mjs').Engine} engine
   * @param {string} root
   * @param {boolean} scaled
   * @param {import('./report.mjs').Report} report
   * @param {string} folder
   * @param {Record<string, number>} ports
   */
  constructor(engine, root, scaled, report, folder, ports) {
    this.engine = engine;
    this.root = root;
    this.report = report;
    this.folder = folder;
    this.services = scaled ? SCALED_SERVICES : SERVICES;
    this.registryUrl = `http://127.0.0.1:${scaled ? ports.balancer : ports.registry}`;
    this.commanderUrl = `http://127.0.0.1:${ports.commander}`;
    this.environment = {
      ...process.env,
      ...(scaled && parseEnv(readFileSync(`${root}docker/scaled.env`, 'utf8'))),
      SVC_VERSION: TAG,
      SVC_SECRETS: join(folder, 'secrets'),
      SVC_REGISTRY_LISTEN: `127.0.0.1:${ports.registry}`,
      SVC_COMMANDER_LISTEN: `127.0.0.1:${ports.commander}`,
      SVC_BALANCER_LISTEN: `127.0.0.1:${ports.balancer}`,
      ...(scaled && { SVC_LIBRARY: join(folder, 'library') }),
    };
  }

  /** What docker/make-secrets.mjs made. */
  secret = (name) => readFileSync(join(this.folder, 'secrets', name), 'utf8').trim();

  /** Starts all services by their names, which every compose command understands, and waits until they serve. */
  async up() {
    const started = performance.now();
    await this.compose('up', '--detach', '--no-build', ...this.services);
    await this.waitUntilReady(this.registryUrl);
    await this.waitUntilReady(this.commanderUrl);
    this.report.figure('all services ready after', `${((performance.now() - started) / 1000).toFixed(1)} s`);
  }

  /** Never fails: what is not there need not be removed. */
  async down({ volumes = false } = {}) {
    const containers = await this.containers();
    if (containers.length > 0) {
      await this.engine.try('stop', '-t', '35', ...containers);
      // Nameless volumes go with their containers; not every compose command sees to that.
      await this.engine.try('rm', '--force', '--volumes', ...containers);
    }
    await this.compose('down', ...(volumes ? ['--volumes'] : [])).catch(() => undefined);
    if (!volumes) return;
    const own = ['--quiet', '--filter', `label=com.docker.compose.project=${PROJECT}`];
    for (const kind of ['volume', 'network']) {
      const left = (await this.engine.try(kind, 'ls', ...own)).split('\n').filter(Boolean);
      if (left.length > 0) await this.engine.try(kind, 'rm', ...left);
    }
  }

  async compose(...words) {
    const file = `${this.root}docker/compose.yaml`;
    const command = [...this.engine.compose, '--project-name', PROJECT, '--file', file, ...words];
    return this.engine.command(command, { env: this.environment });
  }

  /** The name of a service's container: compose commands do not agree on one. */
  async containerOf(service) {
    const [name] = await this.containers(`label=com.docker.compose.service=${service}`);
    if (!name) throw new Error(`there is no container of ${service}`);
    return name;
  }

  async containers(...filters) {
    const all = [`label=com.docker.compose.project=${PROJECT}`, ...filters].flatMap((f) => ['--filter', f]);
    return (await this.engine.try('ps', '--all', ...all, '--format', '{{.Names}}'))
      .split('\n')
      .filter(Boolean);
  }

  /** Runs a command in a container as `docker exec` does. */
  async exec(container, words, environment = {}) {
    const given = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    return this.engine.run('exec', ...given, container, ...words);
  }

  async inspect(container, format) {
    return this.engine.run('inspect', '--format', format, container);
  }

  async waitUntilReady(url) {
    await this.waitFor(`${url} to be ready`, async () => (await fetch(`${url}/health/ready`)).ok);
  }

  /** @param condition asked until it is true; an error counts as not yet */
  async waitFor(what, condition, deadlineMs = START_MS) {
    const deadline = performance.now() + deadlineMs;
    for (;;) {
      if (await condition().catch(() => false)) return;
      if (performance.now() > deadline) throw new Error(`waited ${deadlineMs / 1000} s in vain for ${what}`);
      await sleep(100);
    }
  }

  async printLogs() {
    for (const container of await this.containers()) {
      const { stdout, stderr } = spawnSync(this.engine.name, ['logs', '--tail', '15', container], {
        encoding: 'utf8',
      });
      console.error(`\n${container}\n${stdout}${stderr}`);
    }
  }
}

async function makePorts() {
  const names = ['registry', 'commander', 'balancer'];
  const servers = names.map(() => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map(
    (server) => /** @type {import('node:net').AddressInfo} */ (server.address()).port,
  );
  for (const server of servers) server.close();
  return Object.fromEntries(names.map((name, index) => [name, ports[index]]));
}
