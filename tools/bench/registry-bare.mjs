// The floor of the registry's benchmark: a bare Fastify and pg, without tokens, checks, logs or headers, on the same
// tables. It sends the same bytes, read by the same prepared statement, and registers in a plain transaction.
//   node registry-bare.mjs <database url>
import { createHmac, randomBytes } from 'node:crypto';
import fastify from 'fastify';
import pg from 'pg';

const { SELECT_CLIENT } = await import(
  new URL('../../apps/registry-api/compiled/clients/stored-client.js', import.meta.url).href
);

const pool = new pg.Pool({ connectionString: process.argv[2], max: 16 });
const app = fastify();
const find = { name: 'find', text: `${SELECT_CLIENT} WHERE c.client_id = $1` };

app.get('/client/:client_id', async (request, reply) => {
  const { client_id: clientId } = /** @type {{ client_id: string }} */ (request.params);
  const { rows } = await pool.query({ ...find, values: [clientId] });
  const [row] = rows;
  if (!row) return reply.status(404).send({});
  return toAnswer(row);
});

const insert = {
  client: {
    name: 'client',
    text: `INSERT INTO client (client_id, metadata, cookie_name, seq, created_at, updated_at, warnings)
           VALUES ($1, $2, $3, nextval('client_change_seq'), $4, $4, '{}') RETURNING seq`,
  },
  secret: {
    name: 'secret',
    text: `INSERT INTO client_secret (client_id, hash, pepper_id, hint, created_at) VALUES ($1, $2, 'p', $3, $4)`,
  },
  change: {
    name: 'change',
    text: `INSERT INTO client_change (seq, client_id, kind, at, actor_id, actor_name, address, after)
           VALUES ($1, $2, 'registered', $3, 'a', 'bare', '127.0.0.1', $4)`,
  },
};

app.post('/client', async (request, reply) => {
  const clientId = randomBytes(16).toString('base64url');
  const secret = randomBytes(32).toString('base64url');
  const hash = createHmac('sha256', 'pepper').update(secret).digest();
  const metadata = { ...DEFAULTS, .../** @type {object} */ (request.body) };
  const text = JSON.stringify(metadata);
  const at = new Date();
  const connection = await pool.connect();
  try {
    await connection.query('BEGIN');
    const { rows } = await connection.query({ ...insert.client, values: [clientId, text, COOKIE, at] });
    await connection.query({ ...insert.secret, values: [clientId, hash, secret.slice(-4), at] });
    await connection.query({ ...insert.change, values: [rows[0].seq, clientId, at, text] });
    await connection.query('COMMIT');
  } finally {
    connection.release();
  }
  const secrets = [{ hint: secret.slice(-4), createdAt: at }];
  const times = { createdAt: at, updatedAt: at, secrets };
  const answer = toAnswer({ clientId, metadata, cookieName: COOKIE, ...times });
  return reply.status(201).send({ ...answer, client_secret: secret });
});

const COOKIE = 'SvcClient_AAAAAAAAAAAAAAAA';
const DEFAULTS = {
  application_type: 'web',
  response_types: ['code'],
  grant_types: ['authorization_code'],
  token_endpoint_auth_method: 'none',
  code_challenge_method: 'none',
  redirect_uri_validation_method: 'full_match',
};

function toAnswer(row) {
  return {
    client_id: row.clientId,
    client_id_issued_at: Math.floor(row.createdAt.getTime() / 1000),
    enabled: true,
    client_secret_hint: row.secrets[0].hint,
    client_secret_expires_at: 0,
    client_secrets: row.secrets.map(({ hint, createdAt }) => ({
      hint,
      created_at: new Date(createdAt).toISOString(),
    })),
    ...row.metadata,
    cookie_name: row.cookieName,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    warnings: [],
  };
}

console.log(JSON.stringify({ url: await app.listen({ port: 0, host: '127.0.0.1' }) }));
