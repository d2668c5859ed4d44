import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './ask.mjs';
import { Callers } from './callers.mjs';
import { checkEnsemble, loadWhileLeaderIsKilled } from './ensemble.mjs';
import { openConsole, useRegistry } from './registry-jobs.mjs';

export const scaled = true;

const CALLERS = 16;

/** How long requests continue after each event, in milliseconds. */
const SPELL_MS = 4_000;

/** Two registries behind nginx, and three ZooKeeper servers. */
export async function check(stack, report) {
  for (const replica of ['svc-registry', 'svc-registry-2']) await waitForReplica(stack, replica);
  await useRegistry(stack, report);
  await openConsole(stack, report);
  await forgeAddress(stack, report);
  await checkEnsemble(stack, report);
  await loseReplicas(stack, report);
  await loadWhileLeaderIsKilled(stack, report);
}

/** An address that no caller here has (RFC 5737). */
const FORGED = '203.0.113.9';

/** Claims another address. The access log has the one that the registry believes. */
async function forgeAddress(stack, report) {
  const claim = { 'x-forwarded-for': FORGED };
  const { headers } = await ask('GET', `${stack.registryUrl}/client`, undefined, undefined, claim);
  const id = headers.get('x-request-id');
  const findLine = async () =>
    (await readLogs(stack.engine)).find(
      (line) => line.includes(`"request_id":"${id}"`) && line.includes('"address":'),
    );
  // It may reach the log after the response.
  await stack.waitFor('the request to be logged', async () => (await findLine()) !== undefined);
  const line = await findLine();
  report.check('a forged address is not believed', line !== undefined && !line.includes(FORGED), line);
}

async function readLogs(engine) {
  const logs = await Promise.all(['svc-registry', 'svc-registry-2'].map((name) => engine.run('logs', name)));
  return logs.flatMap((log) => log.split('\n'));
}

/** Kills and restarts one replica under load, then replaces the other one gracefully. */
async function loseReplicas(stack, report) {
  const { engine } = stack;
  const callers = new Callers(stack.registryUrl, stack.secret('bootstrap-token')).start(CALLERS);
  await sleep(SPELL_MS);
  await engine.run('kill', 'svc-registry-2');
  await sleep(SPELL_MS);
  const killed = callers.retried;
  await startReplica(stack, 'svc-registry-2');
  await sleep(SPELL_MS);
  const before = callers.retried;
  await engine.run('stop', '-t', '35', 'svc-registry');
  const stopped = callers.retried - before;
  await sleep(SPELL_MS);
  await startReplica(stack, 'svc-registry');
  await sleep(SPELL_MS);
  await callers.stop();

  report.figure('requests while a replica was killed, and the other one stopped', callers.requests);
  report.figure('retried around the kill', killed);
  report.figure('retried while the other one was stopped', stopped);
  report.figure('failed', callers.failed.length);
  report.check('no request failed beyond those retried', callers.failed.length === 0, callers.failed);
  await findEach(stack, callers.registered, report);
}

/** A restarted container may have another address, which nginx resolves on reload. */
async function startReplica(stack, container) {
  await stack.engine.run('start', container);
  await waitForReplica(stack, container);
  await stack.exec(await stack.containerOf('nginx'), ['nginx', '-s', 'reload']);
}

/** Checked inside the container, since not every replica's port is published. */
async function waitForReplica(stack, container) {
  const probe = "fetch('http://127.0.0.1:8080/health/ready').then((r) => process.exit(r.ok ? 0 : 1))";
  await stack.waitFor(`${container} to be ready`, async () =>
    stack.exec(container, ['node', '-e', probe]).then(() => true),
  );
}

/** Checks that each acknowledged registration exists exactly once. */
async function findEach(stack, names, report) {
  const { text } = await ask('GET', `${stack.registryUrl}/clients/export`, stack.secret('bootstrap-token'));
  const found = new Map();
  for (const line of text.split('\n').filter(Boolean)) {
    const name = JSON.parse(line).client_name;
    found.set(name, (found.get(name) ?? 0) + 1);
  }
  const amiss = names.filter((name) => found.get(name) !== 1);
  report.check(
    `each of the ${names.length} acknowledged Clients exists exactly once`,
    amiss.length === 0,
    amiss,
  );
}
