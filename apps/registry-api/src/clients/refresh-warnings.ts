import {
  type Capabilities,
  type ClientMetadata,
  codesOf,
  WARNING_CODES,
  WARNING_EDITION,
  warningsOf,
} from '@svc/client-metadata';
import type { DataSource } from 'typeorm';
import { positionIn } from './change-position.js';
import { PreparedStatement } from '../database/prepared-statement.js';

/** Large enough to be fast, small enough for the statement timeout. */
const BATCH = 1_000;

const BASIS = new PreparedStatement<{ basis: string }>('warning_basis', 'SELECT basis FROM warning_basis');

/** `$1` basis */
const STORE_BASIS = new PreparedStatement<never>(
  'warning_basis_store',
  `INSERT INTO warning_basis (id, basis) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET basis = EXCLUDED.basis`,
);

/** `$1` the client_id to continue after */
const NEXT_CLIENTS = new PreparedStatement<{ clientId: string; revision: string; metadata: ClientMetadata }>(
  'clients_to_warn',
  `SELECT client_id AS "clientId", ${positionIn('client')} AS revision, metadata FROM client
   WHERE client_id > $1 ORDER BY client_id LIMIT ${BATCH}`,
);

/** `$1` JSON list of client_id, revision and warnings. A Client that changed in the meantime was validated with its change. */
const REFRESH = new PreparedStatement<never>(
  'clients_refresh_warnings',
  `UPDATE client c SET warnings = g.warnings
   FROM jsonb_to_recordset($1::jsonb) AS g(client_id text COLLATE "C", revision text, warnings text[])
   WHERE c.client_id = g.client_id AND ${positionIn('c')} = g.revision AND c.warnings IS DISTINCT FROM g.warnings`,
);

/**
 * Recomputes the warnings of all Clients when the settings or the rules have changed since the last time; an interrupted
 * run is repeated at the next start. This does not count as a change of a Client, in its ETag or in the feed.
 */
export async function refreshWarnings(dataSource: DataSource, capabilities: Capabilities): Promise<void> {
  const basis = JSON.stringify({ edition: WARNING_EDITION, codes: WARNING_CODES, capabilities });
  const [stored] = await BASIS.run(dataSource, []);
  if (stored?.basis === basis) return;
  for (let after: string | undefined = ''; after !== undefined;) {
    const clients: Awaited<ReturnType<typeof NEXT_CLIENTS.run>> = await NEXT_CLIENTS.run(dataSource, [after]);
    const rows = clients.map(({ clientId, revision, metadata }) => {
      return { client_id: clientId, revision, warnings: codesOf(warningsOf(metadata, capabilities)) };
    });
    await REFRESH.run(dataSource, [JSON.stringify(rows)]);
    after = clients.at(-1)?.clientId;
  }
  await STORE_BASIS.run(dataSource, [basis]);
}
