// The registry over HTTP on a real PostgreSQL, against a bare Fastify and pg on the same tables, and against the
// registration of npm's oidc-provider, in turn. All run in their own processes; the registry as delivered:
// tokens checked, requests logged and counted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { listeningAddress, startPostgres } from '@svc/test-servers';
import { measureBulk, memoryOf } from './registry-bulk.mjs';
import { load } from './registry-load.mjs';
import { measureMillion } from './registry-million.mjs';

export const name = 'registry';

const CONNECTIONS = 64;

/** Registered over HTTP, which returns their secrets. */
const CLIENTS_WITH_SECRETS = 200;

const MAIN = fileURLToPath(new URL('../../apps/registry-api/dist/main.js', import.meta.url));
const BARE = fileURLToPath(new URL('registry-bare.mjs', import.meta.url));
const PEER = fileURLToPath(new URL('registry-oidc-provider.mjs', import.meta.url));

export async function run({ quick, log }) {
  const size = quick
    ? { clients: 2_000, many: 5_000, seconds: 1, rounds: 2 }
    : { clients: 100_000, many: 1_000_000, seconds: 6, rounds: 5 };
  const folder = await mkdtemp(join(tmpdir(), 'registry-bench-'));
  const postgres = await startPostgres({ settings: { shared_buffers: '256MB' } });
  const children = [];
  try {
    const databaseUrl = await postgres.createDatabase();
    // Rate limits are enabled, but too high to be reached.
    const limits = { RATE_LIMIT_PER_TOKEN: '1000000/s', RATE_LIMIT_PER_ADDRESS: '1000000/s' };
    const environment = { DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: '0', ...limits };
    const registry = await start(children, [MAIN], environment);
    const idle = memoryOf(children[0].pid);
    await seed(databaseUrl, size.clients, log);
    const bare = await start(children, [BARE, databaseUrl], {});
    const token = (await readFile(join(folder, 'bootstrap-token'), 'utf8')).trim();
    const plan = await planOf({ registry, token, size });
    await checkSameAnswer(registry, bare, plan.get.request(0));
    const peer = await start(children, [PEER], {});
    const pairs = [
      ['get', 'get, bare Fastify + pg', bare, plan.get],
      ['register', 'register, bare Fastify + pg', bare, plan.register],
      ['register', 'register, oidc-provider in memory', peer, plan.registerAtPeer],
      ['check/authorization_request', 'get', registry, plan.get],
      ['check/secret', 'get', registry, plan.get],
    ];
    const compared = await compare({ registry, pairs, hidden: peer, plan, size, log });
    const lists = await measureLists({ registry, plan, size, log });
    const { pid } = children[0];
    const before = memoryOf(pid);
    const bulk = await measureBulk({ registry, token, size, databaseUrl, pid, log });
    const headers = { authorization: `Bearer ${token}` };
    const many = await measureMillion({ registry, headers, databaseUrl, size, log });
    const rows = [...compared.rows, ...lists, memoryRow(idle, before), ...bulk.rows, ...many];
    return { rows, ratios: { ...compared.ratios, ...bulk.ratios } };
  } finally {
    for (const child of children) child.kill();
    await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The requests of each kind. */
export async function planOf({ registry, token, size }) {
  const headers = { authorization: `Bearer ${token}` };
  const numberOf = (index) => 1 + ((index * 7919) % size.clients);
  const registration = JSON.stringify({
    client_name: 'Bench',
    client_uri: 'https://bench.example/',
    redirect_uris: ['https://bench.example/cb'],
    code_challenge_method: 'S256',
  });
  const register = { method: 'POST', path: '/client', headers, body: registration };
  const made = [];
  for (let count = 0; count < CLIENTS_WITH_SECRETS; count += 1) {
    const response = await fetch(registry + register.path, {
      ...register,
      headers: { ...headers, 'content-type': 'application/json' },
    });
    made.push(await response.json());
  }
  return {
    get: {
      status: 200,
      request: (index) => ({ path: `/client/client-${numberOf(index)}`, headers }),
    },
    register: { status: 201, request: () => register },
    registerAtPeer: { status: 201, request: () => ({ ...register, path: '/reg', headers: {} }) },
    'check/authorization_request': {
      status: 200,
      request: (index) => ({
        method: 'POST',
        path: `/client/client-${numberOf(index)}/check/authorization_request`,
        headers,
        body: JSON.stringify({
          response_type: 'code',
          redirect_uri: `https://app${numberOf(index)}.example/cb`,
          code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
          code_challenge_method: 'S256',
        }),
      }),
    },
    'check/secret': {
      status: 200,
      request: (index) => {
        const { client_id: clientId, client_secret: secret } = made[index % made.length];
        return {
          method: 'POST',
          path: `/client/${clientId}/check/secret`,
          headers,
          body: JSON.stringify({ client_secret: secret }),
        };
      },
    },
  };
}

/**
 * Compares each with its floor, in turn; uses the median round.
 *
 * @param {object} comparison `hidden`: a floor that is compared without a row of its own; `size.lead`: seconds of load before
 *   each round, for servers that do a part of the work later
 */
export async function compare({ registry, pairs, hidden, plan, size, log }) {
  const rows = [];
  const ratios = {};
  for (const [kind, floorName, floorUrl, floorPlan] of pairs) {
    const ask = (url, { request, status }, seconds) =>
      load({ connections: CONNECTIONS, seconds, request, status, url });
    const measure = async (url, asked) => {
      if (size.lead) await ask(url, asked, size.lead);
      return ask(url, asked, size.seconds);
    };
    await ask(floorUrl, floorPlan, 1);
    await ask(registry, plan[kind], 1);
    const rounds = [];
    for (let round = 0; round < size.rounds; round += 1) {
      const floor = await measure(floorUrl, floorPlan);
      const ours = await measure(registry, plan[kind]);
      rounds.push({ floor, ours, ratio: ours.perSecond / floor.perSecond });
      log(`${kind}: ${Math.round(ours.perSecond)}/s, ${floorName} ${Math.round(floor.perSecond)}/s`);
    }
    const middle = rounds.sort((a, b) => a.ratio - b.ratio)[Math.floor(rounds.length / 2)];
    ratios[`${kind} to ${floorName}`] = middle.ratio;
    if (floorUrl !== hidden) rows.push(rowOf(kind, middle.ours));
    if (floorUrl !== registry) rows.push(rowOf(floorName, middle.floor));
  }
  return { rows, ratios };
}

/** Pages of 50 Clients over one connection, which measures a user's waiting time, not maximum throughput. */
async function measureLists({ registry, plan, size, log }) {
  const { headers } = plan.get.request(0);
  const kinds = {
    'list, first page': () => '',
    'list, sorted by name': () => '&sort=client_name',
    'list, newest first': () => '&sort=-created_at',
    'list, filtered': () => '&code_challenge_method=S256&enabled=true',
    'list, search': (index) => `&q=app${1 + ((index * 7919) % size.clients)}`,
    'list, search for a common word': () => '&q=example',
    'list, with its total': () => '&count=true',
  };
  const rows = [];
  for (const [what, query] of Object.entries(kinds)) {
    const request = (index) => ({ path: `/client?limit=50${query(index)}`, headers });
    const plan = { connections: 1, request, status: 200, url: registry };
    await load({ ...plan, seconds: 0.5 });
    const row = rowOf(what, await load({ ...plan, seconds: size.seconds / 2 }));
    rows.push(row);
    log(`${what}: p99 ${row['p99 ms']} ms`);
  }
  return rows;
}

function memoryRow(idle, after) {
  return { what: 'memory of the registry', 'idle MB': idle.now, 'peak MB': after.peak };
}

function rowOf(what, { perSecond, p50Ms, p99Ms }) {
  const rounded = (value) => Math.round(value * 10) / 10;
  return { what, 'per second': Math.round(perSecond), 'p50 ms': rounded(p50Ms), 'p99 ms': rounded(p99Ms) };
}

/** The comparison is valid only if both return the same. */
async function checkSameAnswer(registry, bare, { path, headers }) {
  const [ours, floor] = await Promise.all(
    [registry, bare].map(async (url) => {
      const answer = JSON.parse(await (await fetch(url + path, { headers })).text());
      return JSON.stringify(answer, Object.keys(answer).sort());
    }),
  );
  if (ours !== floor) throw new Error(`the answers differ:\n${ours}\n${floor}`);
}

export async function start(children, words, environment) {
  const child = spawn(process.execPath, words, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return listeningAddress(child);
}

export async function seed(databaseUrl, clients, log) {
  log(`storing ${clients} Clients`);
  const connection = new pg.Client({ connectionString: databaseUrl });
  await connection.connect();
  await connection.query(
    `INSERT INTO client (client_id, metadata, cookie_name, seq, created_at, updated_at, warnings)
     SELECT 'client-' || n,
            jsonb_build_object('client_name', 'Client ' || n, 'client_uri', 'https://app' || n || '.example/',
              'redirect_uris', jsonb_build_array('https://app' || n || '.example/cb',
                                                 'https://app' || n || '.example/silent'),
              'application_type', 'web', 'response_types', jsonb_build_array('code'),
              'grant_types', jsonb_build_array('authorization_code'), 'token_endpoint_auth_method', 'none',
              'code_challenge_method', 'S256', 'redirect_uri_validation_method', 'full_match'),
            'SvcClient_AAAAAAAAAAAAAAAA', nextval('client_change_seq'), now(), now(), '{}'
     FROM generate_series(1, $1::int) n`,
    [clients],
  );
  await connection.query(
    `INSERT INTO client_secret (client_id, hash, pepper_id, hint, created_at)
     SELECT client_id, sha256(client_id::bytea), '0123456789abcdef', 'abcd', created_at FROM client`,
  );
  await connection.query('VACUUM ANALYZE');
  await connection.end();
}
