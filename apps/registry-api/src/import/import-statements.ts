import { PreparedStatement } from '../database/prepared-statement.js';

/**
 * For this transaction only. A statement of an import may take longer than others, waiting for somebody's change of the
 * same Clients; and the table that it fills is another one from batch to batch, so plans are not kept.
 */
export const ALLOW_FOR_LENGTH = new PreparedStatement<object>(
  'import_settings',
  `SELECT set_config('statement_timeout', '60s', true), set_config('plan_cache_mode', 'force_custom_plan', true)`,
);

/** Two imports at once would wait for each other's Clients. It ends with the transaction. */
export const TRY_TO_BE_THE_ONLY_ONE = new PreparedStatement<{ readonly isOnlyOne: boolean }>(
  'import_lock',
  `SELECT pg_try_advisory_xact_lock(hashtextextended('svc-registry import', 0)) AS "isOnlyOne"`,
);

/** Ids in their order. `$1` the id to go on after, `$2` how many */
export const NEXT_IDS = new PreparedStatement<{ readonly clientId: string }>(
  'import_next_ids',
  `SELECT client_id AS "clientId" FROM client WHERE client_id > $1 ORDER BY client_id LIMIT $2`,
);
