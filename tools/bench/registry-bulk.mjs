// Export and import of all Clients, each against a program that does nothing but move the same rows: it reads them page
// by page by the same statement and writes them as JSON; it stores them ready-made, many at once, in tables with the
// same columns, indexes and content. None of these floors validates, hashes, checks a token or uses HTTP.
import { readFileSync } from 'node:fs';
import pg from 'pg';

const { SELECT_CLIENT } = await import(
  new URL('../../apps/registry-api/compiled/clients/stored-client.js', import.meta.url).href
);

/** Rows per statement of the floors. */
const PAGE = 500;

const TABLES = ['client', 'client_secret', 'client_change'];

/** @returns rows, and the ratio of each to its floor */
export async function measureBulk({ registry, token, size, databaseUrl, pid, log }) {
  const connection = new pg.Client({ connectionString: databaseUrl });
  await connection.connect();
  try {
    const exported = await measureExport({ registry, token, size });
    const read = await secondsOf(() => readAll(connection));
    log(`export: ${exported.seconds} s, bare read ${read} s`);
    await copyTables(connection);
    const imported = await measureImport({ registry, token, size, pid });
    const stored = await storeAgain(connection, size.clients);
    log(`import: ${imported.seconds} s, bare inserts ${stored} s`);
    for (const table of TABLES) await connection.query(`DROP TABLE bare_${table}`);
    return {
      rows: [
        exported,
        { what: 'export, bare pg and JSON.stringify', seconds: read },
        imported,
        { what: 'import, bare inserts of the same rows', seconds: stored },
      ],
      ratios: {
        'export to bare read': read / exported.seconds,
        'import to bare inserts': stored / imported.seconds,
      },
    };
  } finally {
    await connection.end();
  }
}

async function measureExport({ registry, token, size }) {
  let lines = 0;
  const seconds = await secondsOf(async () => {
    const response = await fetch(`${registry}/clients/export`, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/x-ndjson' },
    });
    for await (const chunk of response.body ?? []) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
    }
  });
  if (lines < size.clients) throw new Error(`the export has ${lines} lines for ${size.clients} Clients`);
  return { what: `export of ${lines} Clients`, seconds };
}

async function readAll(connection) {
  const text = `${SELECT_CLIENT} WHERE c.client_id > $1 ORDER BY c.client_id LIMIT ${PAGE}`;
  let bytes = 0;
  for (let after = ''; after !== undefined;) {
    const { rows } = await connection.query({ name: 'page', text, values: [after] });
    for (const row of rows) bytes += Buffer.byteLength(JSON.stringify(row));
    after = rows.at(-1)?.clientId;
  }
  return bytes;
}

/** Imports new Clients, whose secrets are in the response. */
async function measureImport({ registry, token, size, pid }) {
  const lines = Array.from({ length: size.clients }, (_, index) =>
    JSON.stringify({
      client_id: `imported-${index}`,
      client_name: `Imported ${index}`,
      client_uri: `https://imported${index}.example/`,
      redirect_uris: [`https://imported${index}.example/cb`, `https://imported${index}.example/silent`],
      code_challenge_method: 'S256',
    }),
  );
  let registered;
  const seconds = await secondsOf(async () => {
    const response = await fetch(`${registry}/clients/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
      body: lines.join('\n'),
    });
    const answer = await response.text();
    ({ registered } = JSON.parse(answer));
    if (registered !== size.clients)
      throw new Error(`${registered} of ${size.clients} clients were imported: ${answer.slice(0, 500)}`);
  });
  return { what: `import of ${registered} Clients`, seconds, 'peak MB': memoryOf(pid).peak };
}

/** Tables with the same indexes and rows as the registry's, but no triggers and no foreign keys. */
async function copyTables(connection) {
  for (const table of TABLES) {
    await connection.query(`CREATE TABLE bare_${table} (LIKE ${table} INCLUDING ALL EXCLUDING IDENTITY)`);
    await connection.query(`INSERT INTO bare_${table} SELECT * FROM ${table}`);
  }
  await connection.query('VACUUM ANALYZE');
}

/** Stores the imported rows again, in one transaction. */
async function storeAgain(connection, clients) {
  const pages = [];
  for (const table of TABLES) {
    const { rows } = await connection.query(
      `SELECT to_jsonb(t) AS row FROM ${table} t WHERE client_id LIKE 'imported-%'`,
    );
    if (rows.length < clients) throw new Error(`${rows.length} rows in ${table} for ${clients} Clients`);
    while (rows.length > 0) pages.push([table, JSON.stringify(rows.splice(0, PAGE).map(({ row }) => row))]);
  }
  return secondsOf(async () => {
    await connection.query('BEGIN');
    for (const [table, page] of pages) {
      const text = `INSERT INTO bare_${table} SELECT * FROM jsonb_populate_recordset(null::${table}, $1::jsonb)`;
      await connection.query({ name: `store_${table}`, text, values: [page] });
    }
    await connection.query('COMMIT');
  });
}

/** Resident memory of a process in MB (10^6 bytes), now and at its peak. */
export function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name) =>
    Math.round((Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024) / 1e6);
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

async function secondsOf(work) {
  const started = performance.now();
  await work();
  return Math.round((performance.now() - started) / 10) / 100;
}
