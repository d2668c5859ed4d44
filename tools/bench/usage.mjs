// What recording usage costs checks: the registry with USAGE=on and with USAGE=off, in turn, on one PostgreSQL; checks of
// all Clients, each of which is counted in a row of its own, and of a few.
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@svc/test-servers';
import { compare, planOf, seed, start } from './registry.mjs';

export const name = 'usage';

const MAIN = fileURLToPath(new URL('../../apps/registry-api/dist/main.js', import.meta.url));

const ALL_CLIENTS = 'check, all Clients';

/** Clients that most requests are for. */
const BUSY_CLIENTS = 200;

/**
 * Counts of few Clients are written every ten seconds, those of all once a minute. A round lasts for as long, after a lead, without
 * which it would pay for the counts of the round before.
 */
const FEW = { seconds: 10, lead: 11, rounds: 5 };
const ALL = { seconds: 60, lead: 61, rounds: 5 };
const QUICK = { seconds: 2, lead: 0, rounds: 3 };

export async function run({ quick, log }) {
  const size = { clients: quick ? 2_000 : 100_000 };
  const folder = await mkdtemp(join(tmpdir(), 'usage-bench-'));
  const postgres = await startPostgres({ settings: { shared_buffers: '256MB' } });
  const children = [];
  try {
    const limits = { RATE_LIMIT_PER_TOKEN: '1000000/s', RATE_LIMIT_PER_ADDRESS: '1000000/s' };
    const environment = {
      ...{ DATABASE_URL: await postgres.createDatabase(), DATA_DIR: folder, PORT: '0' },
      ...limits,
    };
    const registry = await start(children, [MAIN], environment);
    await seed(environment.DATABASE_URL, size.clients, log);
    const off = await start(children, [MAIN], { ...environment, USAGE: 'off' });
    const token = (await readFile(join(folder, 'bootstrap-token'), 'utf8')).trim();
    const plan = await planOf({ registry, token, size });
    const all = plan['check/authorization_request'];
    // Goes on where the round before ended, so that the Clients of a batch differ.
    let asked = 0;
    const spread = { ...all, request: () => all.request((asked += 1)) };
    const few = { ...all, request: (index) => all.request(index % BUSY_CLIENTS) };
    const plans = {
      [ALL_CLIENTS]: spread,
      'check, few Clients': few,
      'check/secret': plan['check/secret'],
    };
    const rows = [];
    let ratios = {};
    for (const [kind, floor] of Object.entries(plans)) {
      const pairs = [[kind, `${kind}, USAGE=off`, off, floor]];
      const rounds = quick ? QUICK : kind === ALL_CLIENTS ? ALL : FEW;
      const compared = await compare({ registry, pairs, plan: plans, size: rounds, log });
      rows.push(...compared.rows);
      ratios = { ...ratios, ...compared.ratios };
    }
    return { rows, ratios };
  } finally {
    for (const child of children) child.kill();
    await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
