// Lists, filters, sorts and searches a million Clients, at random page depths. Uses one connection, since it measures a
// user's waiting time.
import pg from 'pg';
import { load } from './registry-load.mjs';

/** Number of random page starts. */
const DEPTHS = 500;

const BATCH = 50_000;

/** The queries; `{n}` is replaced by a different Client's number each time. */
const LISTS = {
  'in order of registration': '',
  'most recently changed first': 'sort=-updated_at',
  'by name': 'sort=client_name',
  'by client_id, last first': 'sort=-client_id',
  'filter that most clients match': 'enabled=true&code_challenge_method=S256',
  'filter that few clients match, by name': 'enabled=false&application_type=native&sort=client_name',
  'filter on a list field, most recently changed first': 'grant_types=client_credentials&sort=-updated_at',
  'registered since a given day, by name': 'created_since={day}&sort=client_name',
  'search that one client matches': 'q=app{n}.',
  'search that one in eight matches': 'q=kestrel',
  'search that one in eight matches, by name': 'q=kestrel&sort=client_name',
  'search that all match, most recently changed first': 'q=example&sort=-updated_at',
  'search that none matches': 'q=zzz{n}q',
  'search and filter': 'q=kestrel&enabled=false',
  'search of two characters': 'q=ke',
  'search of two characters that none matches': 'q=q%C3%BF',
  'secrets that expire soon, by name': 'secret_expires_within=30&sort=client_name',
  'secrets never used': 'secret_never_used=true',
};

/** @returns a row for each list, with and without its total */
export async function measureMillion({ registry, headers, databaseUrl, size, log }) {
  const connection = new pg.Client({ connectionString: databaseUrl });
  await connection.connect();
  try {
    await storeMany(connection, size.many, log);
    const rows = [];
    for (const [what, query] of Object.entries(LISTS)) {
      for (const count of [false, true]) {
        const row = await measureList({ connection, registry, headers, size, query, count });
        const name = `${what}${count ? ', with its total' : ''}`;
        rows.push({ what: name, ...row });
        log(`${name}: p99 ${row['p99 ms']} ms`);
      }
    }
    return rows;
  } finally {
    await connection.end();
  }
}

async function measureList({ connection, registry, headers, size, query, count }) {
  const fixed = query.replace('{day}', new Date(Date.now() - 86_400_000).toISOString());
  const path = (index) => {
    const number = 1 + ((index * 7919) % size.many);
    return `/client?limit=50${count ? '&count=true' : ''}&${fixed.replace('{n}', String(number))}`;
  };
  const cursors = fixed.includes('{n}')
    ? []
    : await cursorsOf({ connection, registry, headers, path: path(0) });
  const request = (index) => {
    const cursor = cursors[index % (cursors.length + 1)];
    return { path: cursor === undefined ? path(index) : `${path(index)}&cursor=${cursor}`, headers };
  };
  const plan = { connections: 1, request, status: 200, url: registry };
  await load({ ...plan, seconds: 0.5 });
  const { perSecond, p50Ms, p99Ms } = await load({ ...plan, seconds: size.seconds / 2 });
  const rounded = (value) => Math.round(value * 10) / 10;
  return { 'per second': Math.round(perSecond), 'p50 ms': rounded(p50Ms), 'p99 ms': rounded(p99Ms) };
}

/** The first page's cursor, moved to random Clients; empty if there is only one page. */
async function cursorsOf({ connection, registry, headers, path }) {
  const response = await fetch(registry + path, { headers });
  const { next } = /** @type {{ next?: string }} */ (await response.json());
  if (next === undefined) return [];
  const [list, seq] = JSON.parse(Buffer.from(next, 'base64url').toString());
  const sort = (new URLSearchParams(path).get('sort') ?? 'created_at').replace('-', '');
  const column = sort === 'client_name' ? 'name_key' : sort;
  const { rows } = await connection.query(
    `SELECT ${column} AS key, client_id AS id FROM client TABLESAMPLE SYSTEM (1) ORDER BY random() LIMIT ${DEPTHS}`,
  );
  return rows.map(({ key, id }) => {
    const position = key instanceof Date ? key.getTime() : key;
    return Buffer.from(JSON.stringify([list, seq, position, id])).toString('base64url');
  });
}

/** Stores varied Clients: names, hosts, states, kinds, secrets, times. */
async function storeMany(connection, clients, log) {
  const started = performance.now();
  const indexes = await dropIndexes(connection);
  for (let first = 1; first <= clients; first += BATCH) {
    await connection.query(STORE_CLIENTS, [first, Math.min(clients, first + BATCH - 1)]);
    log(`${first + BATCH - 1} of ${clients} Clients, ${Math.round((performance.now() - started) / 1000)} s`);
  }
  for (const definition of indexes) await connection.query(definition);
  log(`their indexes, ${Math.round((performance.now() - started) / 1000)} s`);
  await connection.query(STORE_SECRETS);
  await connection.query('VACUUM ANALYZE');
}

/** Recreating indexes at the end takes a third of the time. @returns their definitions */
async function dropIndexes(connection) {
  const { rows } = await connection.query(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE tablename = 'client' AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
  );
  for (const { name } of rows) await connection.query(`DROP INDEX ${name}`);
  return rows.map(({ definition }) => definition);
}

const STORE_CLIENTS = `
  INSERT INTO client (client_id, enabled, metadata, cookie_name, seq, created_at, updated_at, warnings)
  SELECT 'many-' || md5(n::text), n % 97 <> 0,
         jsonb_build_object(
           'client_name', initcap(word) || ' ' || CASE n % 3 WHEN 0 THEN 'Portal' WHEN 1 THEN 'Mobile' ELSE 'Jobs' END || ' ' || n,
           'client_uri', 'https://app' || n || '.' || word || '.example/',
           'redirect_uris', (SELECT jsonb_agg('https://app' || n || '.' || word || '.example/cb' || i)
                             FROM generate_series(1, 1 + n % 4) i),
           'application_type', CASE WHEN n % 11 = 0 THEN 'native' ELSE 'web' END,
           'response_types', jsonb_build_array('code'),
           'grant_types', CASE WHEN n % 7 = 0 THEN jsonb_build_array('client_credentials')
                          WHEN n % 2 = 0 THEN jsonb_build_array('authorization_code', 'refresh_token')
                          ELSE jsonb_build_array('authorization_code') END,
           'token_endpoint_auth_method', CASE WHEN n % 5 = 0 THEN 'none' ELSE 'client_secret_basic' END,
           'code_challenge_method', CASE WHEN n % 13 = 0 THEN 'none' ELSE 'S256' END,
           'redirect_uri_validation_method', CASE WHEN n % 29 = 0 THEN 'prefix_match' ELSE 'full_match' END),
         'SvcClient_AAAAAAAAAAAAAAAA', nextval('client_change_seq'),
         now() - make_interval(secs => (n * 7919::bigint) % 10000000), now() - make_interval(secs => (n * 104729::bigint) % 5000000),
         CASE WHEN n % 13 = 0 THEN ARRAY['weak_pkce'] ELSE '{}'::text[] END
  FROM generate_series($1::int, $2::int) n
  CROSS JOIN LATERAL (SELECT (ARRAY['kestrel', 'heron', 'osprey', 'merlin', 'plover', 'curlew', 'dunlin', 'siskin'])[1 + n % 8]
                             || CASE WHEN n % 32 = 0 THEN '' ELSE (n % 4000)::text END AS word) w`;

const STORE_SECRETS = `
  INSERT INTO client_secret (client_id, hash, pepper_id, hint, created_at, expires_at, last_used_at)
  SELECT client_id, sha256(client_id::bytea), '0123456789abcdef', 'abcd', created_at,
         CASE WHEN seq % 50 = 0 THEN now() + make_interval(days => (seq % 400)::int) END,
         CASE WHEN seq % 3 > 0 THEN now() - make_interval(mins => (seq % 100000)::int) END
  FROM client WHERE client_id LIKE 'many-%'`;
