import pg from 'pg';

/** The ids of all Clients in a database. @param url its connection URL */
export async function storedClientIds(url: string): Promise<Set<string>> {
  const connection = new pg.Client({ connectionString: url });
  await connection.connect();
  try {
    const { rows } = await connection.query<{ client_id: string }>('SELECT client_id FROM client');
    return new Set(rows.map(({ client_id }) => client_id));
  } finally {
    await connection.end();
  }
}
