// Reads of a registry that reads from no standby, from one and from two, in turn; all servers share this machine.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listeningAddress, startPostgres } from '@svc/test-servers';
import { load } from './registry-load.mjs';

const CONNECTIONS = 64;
const CLIENTS = 200;

const MAIN = fileURLToPath(new URL('../../apps/registry-api/dist/main.js', import.meta.url));

/** @param {{ quick: boolean, log: (line: string) => void }} options */
export async function run({ quick, log }) {
  const size = quick ? { seconds: 1, rounds: 2 } : { seconds: 5, rounds: 5 };
  const primary = await startPostgres();
  const folders = [];
  const children = [];
  const standbys = [];
  try {
    const database = new URL(await primary.createDatabase());
    standbys.push(await primary.startStandby(), await primary.startStandby());
    const token = randomBytes(32).toString('hex');
    const hosts = standbys.map(({ url }) => new URL(url).host);
    const registries = [];
    for (const count of [0, 1, 2]) {
      const folder = await mkdtemp(join(tmpdir(), 'standbys-bench-'));
      folders.push(folder);
      const readUrl = `${database.href.replace(database.host, hosts.slice(0, count).join(','))}?load_balance_hosts=random`;
      const child = spawn(process.execPath, [MAIN], {
        env: {
          PATH: process.env.PATH,
          DATABASE_URL: database.href,
          ...(count > 0 && { DATABASE_READ_URL: readUrl }),
          ...{ DATA_DIR: folder, PORT: '0', BOOTSTRAP_TOKEN: token, SECRET_PEPPER: token },
          ...{ RATE_LIMIT_PER_TOKEN: '1000000/s', RATE_LIMIT_PER_ADDRESS: '1000000/s' },
        },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      children.push(child);
      registries.push({ count, url: await listeningAddress(child), ...figures() });
      child.stdout.resume();
    }
    const headers = { authorization: `Bearer ${token}` };
    const paths = await register(registries[0].url, headers);
    const request = (index) => ({ path: paths[index % paths.length], headers });
    for (let round = 0; round < size.rounds; round += 1) {
      for (const registry of registries) {
        const { perSecond, p99Ms } = await load({
          ...{ url: registry.url, connections: CONNECTIONS, seconds: size.seconds, request, status: 200 },
        });
        registry.perSecond.push(perSecond);
        registry.p99Ms.push(p99Ms);
        log(`${registry.count} standbys: ${Math.round(perSecond)} reads per second`);
      }
    }
    const medians = registries.map(({ perSecond }) => median(perSecond));
    return {
      rows: registries.map(({ count, p99Ms }, at) => ({
        standbys: count,
        'reads per second': Math.round(medians[at]),
        'p99 ms': Math.round(10 * median(p99Ms)) / 10,
      })),
      ratios: {
        'reads with one standby / none': medians[1] / medians[0],
        'reads with two standbys / none': medians[2] / medians[0],
      },
    };
  } finally {
    for (const child of children) child.kill();
    await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
    for (const server of [...standbys, primary]) await server.stop();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  }
}

/** @returns {{ perSecond: number[], p99Ms: number[] }} */
function figures() {
  return { perSecond: [], p99Ms: [] };
}

/** @returns the paths of the new Clients */
async function register(url, headers) {
  const body = JSON.stringify({
    client_name: 'Bench',
    client_uri: 'https://bench.example/',
    redirect_uris: ['https://bench.example/cb'],
    code_challenge_method: 'S256',
  });
  const paths = [];
  for (let count = 0; count < CLIENTS; count += 1) {
    const response = await fetch(`${url}/client`, {
      ...{ method: 'POST', body },
      headers: { ...headers, 'content-type': 'application/json' },
    });
    const { client_id: clientId } = /** @type {{ client_id: string }} */ (await response.json());
    paths.push(`/client/${clientId}`);
  }
  return paths;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
