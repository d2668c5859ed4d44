import pg from 'pg';

/**
 * Puts Clients `client-1`, ... and their registrations into a database, faster than they could be registered.
 *
 * @param url its connection URL
 */
export async function storeClients(url: string, count: number): Promise<void> {
  const connection = new pg.Client({ connectionString: url });
  await connection.connect();
  try {
    await connection.query(
      `INSERT INTO client (client_id, metadata, cookie_name, seq, created_at, updated_at, warnings)
       SELECT 'client-' || n, ${METADATA}, 'cookie', nextval('client_change_seq'), now(), now(), '{}'
       FROM generate_series(1, $1::int) n`,
      [count],
    );
    await connection.query(
      `INSERT INTO client_change (seq, client_id, kind, at, actor_id, actor_name, address, after)
       SELECT seq, client_id, 'registered', created_at, 'drill', 'drill', '127.0.0.1', metadata
       FROM client WHERE client_id LIKE 'client-%'`,
    );
    await connection.query('VACUUM ANALYZE');
  } finally {
    await connection.end();
  }
}

const METADATA = `jsonb_build_object(
  'client_name', 'Client ' || n, 'redirect_uris', jsonb_build_array('https://app' || n || '.example/cb'),
  'application_type', 'web', 'response_types', jsonb_build_array('code'),
  'grant_types', jsonb_build_array('authorization_code'), 'token_endpoint_auth_method', 'none',
  'code_challenge_method', 'S256', 'redirect_uri_validation_method', 'full_match')`;
