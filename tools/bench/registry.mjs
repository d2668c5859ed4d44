// The registry over HTTP on a real PostgreSQL, against a bare Fastify and pg on the same tables, in turn. Both run as
// processes of their own; the registry as it is delivered: tokens checked, requests logged and counted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startPostgres } from '../../libs/test-servers/dist/index.js';
import { load } from './registry-load.mjs';

export const name = 'registry';

const CONNECTIONS = 64;
const MAIN = fileURLToPath(new URL('../../apps/registry-api/dist/main.js', import.meta.url));
const BARE = fileURLToPath(new URL('registry-bare.mjs', import.meta.url));

export async function run({ quick, log }) {
  const size = quick
    ? { clients: 2_000, seconds: 2, rounds: 2 }
    : { clients: 100_000, seconds: 6, rounds: 5 };
  const folder = await mkdtemp(join(tmpdir(), 'registry-bench-'));
  const postgres = await startPostgres({ settings: { shared_buffers: '256MB' } });
  const children = [];
  try {
    const databaseUrl = await postgres.createDatabase();
    const environment = { DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: '0' };
    const registry = await start(children, [MAIN], environment);
    await seed(databaseUrl, size.clients, log);
    const bare = await start(children, [BARE, databaseUrl], {});
    const token = (await readFile(join(folder, 'bootstrap-token'), 'utf8')).trim();
    return await measure({ registry, bare, token, size, log });
  } finally {
    for (const child of children) child.kill();
    await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure({ registry, bare, token, size, log }) {
  const headers = { authorization: `Bearer ${token}` };
  const get = (index) => ({ path: `/client/client-${1 + ((index * 7919) % size.clients)}`, headers });
  const body = JSON.stringify({
    client_name: 'Bench',
    client_uri: 'https://bench.example/',
    redirect_uris: ['https://bench.example/cb'],
    code_challenge_method: 'S256',
  });
  const register = () => ({ method: 'POST', path: '/client', headers, body });
  await checkSameAnswer(registry, bare, get(0));

  const kinds = { get: { request: get, status: 200 }, register: { request: register, status: 201 } };
  const rows = [];
  const ratios = {};
  for (const [kind, { request, status }] of Object.entries(kinds)) {
    const plan = { connections: CONNECTIONS, seconds: size.seconds, request, status };
    for (const url of [bare, registry]) await load({ ...plan, url, seconds: 1 });
    const rounds = [];
    for (let round = 0; round < size.rounds; round += 1) {
      const floor = await load({ ...plan, url: bare });
      const ours = await load({ ...plan, url: registry });
      rounds.push({ floor, ours, ratio: ours.perSecond / floor.perSecond });
      log(`${kind}: ${Math.round(ours.perSecond)}/s, bare ${Math.round(floor.perSecond)}/s`);
    }
    const middle = rounds.sort((a, b) => a.ratio - b.ratio)[Math.floor(rounds.length / 2)];
    ratios[`${kind} to bare`] = middle.ratio;
    rows.push(rowOf(`${kind} one Client`, middle.ours), rowOf(`${kind}, bare Fastify + pg`, middle.floor));
  }
  return { rows, ratios };
}

function rowOf(what, { perSecond, p50Ms, p99Ms }) {
  const rounded = (value) => Math.round(value * 10) / 10;
  return { what, 'per second': Math.round(perSecond), 'p50 ms': rounded(p50Ms), 'p99 ms': rounded(p99Ms) };
}

/** The comparison holds only when both do the same. */
async function checkSameAnswer(registry, bare, { path, headers }) {
  const [ours, floor] = await Promise.all(
    [registry, bare].map(async (url) => {
      const answer = JSON.parse(await (await fetch(url + path, { headers })).text());
      return JSON.stringify(answer, Object.keys(answer).sort());
    }),
  );
  if (ours !== floor) throw new Error(`the answers differ:\n${ours}\n${floor}`);
}

async function start(children, words, environment) {
  const child = spawn(process.execPath, words, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${words[0]} ended`)));
    child.stdout.on('data', (chunk) => {
      const [, url] = /"url":"([^"]+)"/.exec(String(chunk)) ?? [];
      if (url) resolve(url);
    });
  });
}

async function seed(databaseUrl, clients, log) {
  log(`storing ${clients} Clients`);
  const connection = new pg.Client({ connectionString: databaseUrl });
  await connection.connect();
  await connection.query(
    `INSERT INTO client (client_id, metadata, cookie_name, seq, created_at, updated_at)
     SELECT 'client-' || n,
            jsonb_build_object('client_name', 'Client ' || n, 'client_uri', 'https://app' || n || '.example/',
              'redirect_uris', jsonb_build_array('https://app' || n || '.example/cb',
                                                 'https://app' || n || '.example/silent'),
              'application_type', 'web', 'response_types', jsonb_build_array('code'),
              'grant_types', jsonb_build_array('authorization_code'), 'token_endpoint_auth_method', 'none',
              'code_challenge_method', 'S256', 'redirect_uri_validation_method', 'full_match'),
            'SvcClient_AAAAAAAAAAAAAAAA', nextval('client_change_seq'), now(), now()
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
