// `npm start`: builds both services and runs them on this machine, on embedded defaults, until Ctrl-C.
// Their state is in .svc: remove that folder to start over. SVC_HOME sets another folder,
// SVC_REGISTRY_PORT and SVC_COMMANDER_PORT other ports.
//   npm start -- --no-build     without building first
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { isRunning, portHolder, starter } from './start/processes.mjs';

/** How often to look whether npm still runs. */
const NPM_CHECK_MS = 500;

const root = fileURLToPath(new URL('..', import.meta.url));
const state = resolve(root, process.env.SVC_HOME ?? '.svc');
const registryPort = process.env.SVC_REGISTRY_PORT ?? '8081';
const commanderPort = process.env.SVC_COMMANDER_PORT ?? '8080';
const registryUrl = `http://127.0.0.1:${registryPort}`;
const commanderUrl = `http://127.0.0.1:${commanderPort}`;

/** Relative paths are relative to the file, which is in the state folder. */
const COMMANDER_CONFIGURATION = `# The commander's configuration, created by \`npm start\`, which keeps your changes.
[pwdencryptor]
key = password.key

[source]
path = ${root}tools/sample/library

[destination]
# A directory stands in for a ZooKeeper cluster. With a cluster: urls = zookeeper1:2181,zookeeper2:2181
urls = ${pathToFileURL(`${state}/library`).href}
path = /library

[iplookup]
source_path = ${root}tools/sample/iplookup
destination_path = iplookup

[http]
# \`npm start\` sets the port: SVC_COMMANDER_PORT, or 8080.
address = 127.0.0.1
token_file = commander.token
`;

await assertFree(registryPort, 'SVC_REGISTRY_PORT');
await assertFree(commanderPort, 'SVC_COMMANDER_PORT');
if (!process.argv.includes('--no-build')) {
  console.log('Building');
  build();
}
prepareState();
const services = [
  run('registry-api', 'apps/registry-api/dist/main.js', [], {
    DATA_DIR: `${state}/registry`,
    ADDRESS: '127.0.0.1',
    PORT: registryPort,
  }),
  run('commander-api', 'apps/commander-api/bin/svccmd.js', ['-c', `${state}/svccmd.conf`, 'serve'], {
    SVCCMD_HTTP_PORT: commanderPort,
  }),
];
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0));
endWithNpm();
for (const service of services) service.process.once('exit', () => onExit(service));
await Promise.all([ready(`${registryUrl}/health/ready`), ready(`${commanderUrl}/health/ready`)]);
if (!stopping) console.log(whatToTry());

/** Signals that end npm reach this process, too, except SIGKILL. */
function endWithNpm() {
  if (process.env.npm_lifecycle_event !== 'start') return;
  const npm = starter();
  setInterval(() => isRunning(npm) || stop(1), NPM_CHECK_MS).unref();
}

/** Another process on the port would answer in place of the service. */
async function assertFree(port, variable) {
  const server = createServer().listen(Number(port), '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const holder = error.code === 'EADDRINUSE' ? portHolder(Number(port)) : undefined;
    const reason = holder
      ? `is in use by process ${holder.pid} (${holder.command})`
      : `cannot be used (${error.code})`;
    const remedy = `${holder ? `stop it with "kill ${holder.pid}", or ` : ''}set ${variable} to another port`;
    console.error(`127.0.0.1:${port} ${reason}: ${remedy}`);
    process.exit(1);
  }
  server.close();
  await once(server, 'close');
}

function prepareState() {
  mkdirSync(`${state}/iplookup`, { recursive: true, mode: 0o700 });
  mkdirSync(`${state}/log`, { recursive: true });
  const configuration = `${state}/svccmd.conf`;
  if (!existsSync(configuration)) writeFileSync(configuration, COMMANDER_CONFIGURATION, { mode: 0o600 });
  const key = `${state}/password.key`;
  if (!existsSync(key)) svccmd('keygen', key);
}

function svccmd(...args) {
  const command = [`${root}apps/commander-api/bin/svccmd.js`, ...args];
  const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  if (status === 0) return;
  process.stderr.write(stderr);
  process.exit(1);
}

/** Starts a service, with its log in a file to keep the terminal readable. */
function run(name, script, args, environment) {
  const log = `${state}/log/${name}.log`;
  const file = openSync(log, 'w', 0o600);
  // In its own process group, so that Ctrl-C reaches only this process, which stops the services in order.
  const preload = pathToFileURL(`${root}tools/start/end-with-launcher.mjs`).href;
  const child = spawn(process.execPath, ['--import', preload, `${root}${script}`, ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
    // The pipe tells the service when this process has ended.
    stdio: ['ignore', file, file, 'pipe'],
    detached: true,
  });
  return { name, log, process: child };
}

async function ready(url) {
  while (!stopping) {
    const answered = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (answered) return;
    await sleep(100);
  }
}

function onExit({ name, log }) {
  if (stopping) return;
  console.error(`${name} exited unexpectedly. The end of its log, ${log}:`);
  console.error(readFileSync(log, 'utf8').trimEnd().split('\n').slice(-15).join('\n'));
  stop(1);
}

function stop(status) {
  if (stopping) return;
  stopping = true;
  process.exitCode = status;
  if (status === 0) console.log('\nStopping');
  for (const { process: child } of services) if (child.exitCode === null) child.kill('SIGTERM');
}

function whatToTry() {
  const home = relative(root, state) || '.';
  const registryToken = `$(cat ${home}/registry/bootstrap-token)`;
  const commanderToken = `$(cat ${home}/commander.token)`;
  return `
registry-api    ${registryUrl}   page to try it: ${registryUrl}/docs   token: ${home}/registry/bootstrap-token
                console: ${registryUrl}/ui
commander-api   ${commanderUrl}   page to try it: ${commanderUrl}/docs   token: ${home}/commander.token
logs            ${home}/log/     configuration of svccmd: ${home}/svccmd.conf

Try, in another terminal in this folder:

  curl -H "Authorization: Bearer ${registryToken}" ${registryUrl}/client/features
  curl -H "Authorization: Bearer ${registryToken}" -H "Content-Type: application/json" -d '{"client_name":"My shop","redirect_uris":["https://shop.example.com/callback"]}' ${registryUrl}/client
  curl -H "Authorization: Bearer ${commanderToken}" -H "Content-Type: text/plain" -d 'correct horse' ${commanderUrl}/encpwd

  printf %s 'correct horse' | npx svccmd -c ${home}/svccmd.conf encpwd --yaml
  npx svccmd -c ${home}/svccmd.conf library load
  npx svccmd -c ${home}/svccmd.conf iplookup from-csv sites.csv -i ipv4

Ctrl-C stops both.`;
}
