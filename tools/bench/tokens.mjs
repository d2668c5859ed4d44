// What narrow tokens cost checks: an authorization request checked with tokens for labelled Clients, for one Client and for
// some networks, against a plain token, in turn, at one registry.
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@svc/test-servers';
import { compare, start } from './registry.mjs';

export const name = 'tokens';

const MAIN = fileURLToPath(new URL('../../apps/registry-api/dist/main.js', import.meta.url));

const REDIRECT_URI = 'https://bench.example/cb';

export async function run({ quick, log }) {
  const size = quick ? { seconds: 2, rounds: 3 } : { seconds: 6, rounds: 7 };
  const folder = await mkdtemp(join(tmpdir(), 'tokens-bench-'));
  const postgres = await startPostgres();
  const children = [];
  try {
    const limits = { RATE_LIMIT_PER_TOKEN: '1000000/s', RATE_LIMIT_PER_ADDRESS: '1000000/s' };
    const DATABASE_URL = await postgres.createDatabase();
    const environment = { DATABASE_URL, DATA_DIR: folder, PORT: '0', ...limits };
    const registry = await start(children, [MAIN], environment);
    const bootstrap = (await readFile(join(folder, 'bootstrap-token'), 'utf8')).trim();
    const plans = await plansOf(registry, bootstrap);
    const { plain, ...narrow } = plans;
    const pairs = Object.keys(narrow).map((kind) => [kind, 'plain', registry, plain]);
    return await compare({ registry, hidden: registry, pairs, plan: plans, size, log });
  } finally {
    for (const child of children) child.kill();
    await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The same check with each kind of token. */
async function plansOf(registry, bootstrap) {
  const post = async (path, body) => {
    const headers = { authorization: `Bearer ${bootstrap}`, 'content-type': 'application/json' };
    const response = await fetch(registry + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const answer = /** @type {Record<string, string>} */ (await response.json());
    if (!response.ok) throw new Error(`${path}: ${answer.detail}`);
    return answer;
  };
  const labels = { team: 'shop' };
  const { client_id: clientId } = await post('/client', {
    ...{ client_name: 'Bench', redirect_uris: [REDIRECT_URI], labels },
    token_endpoint_auth_method: 'none',
  });
  const kinds = {
    plain: {},
    'for labelled Clients': { selector: labels },
    'for one Client': { client_id: clientId },
    'for networks': { networks: ['127.0.0.0/8', '10.0.0.0/8', '2001:db8::/32'] },
  };
  const plans = {};
  for (const [kind, restriction] of Object.entries(kinds)) {
    const { token } = await post('/token', { name: kind, scopes: ['clients:check'], ...restriction });
    plans[kind] = {
      status: 200,
      request: () => ({
        method: 'POST',
        path: `/client/${clientId}/check/authorization_request`,
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ response_type: 'code', redirect_uri: REDIRECT_URI }),
      }),
    };
  }
  return plans;
}
