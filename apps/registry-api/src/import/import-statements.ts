import { PreparedStatement } from '../database/prepared-statement.js';

/**
 * For this transaction only. A statement of an import may take longer than others, waiting for somebody's change of the
 * same Clients. And the tables that it fills grow from batch to batch: a plan that reads a small table from end to end,
 * of its own statements or of the checks and triggers behind them, would serve it worse and worse, yet planning anew for
 * each row would cost more than all else. So plans that were kept are dropped, and new ones go by the indexes.
 */
export const ALLOW_FOR_LENGTH = new PreparedStatement<object>(
  'import_settings',
  `SELECT set_config('statement_timeout', '60s', true), set_config('enable_seqscan', 'off', true)`,
);

/** The time for such a statement, and for its answer to come, in milliseconds. */
export const IMPORT_RESPONSE_TIMEOUT_MS = 62_000;

export const DROP_PLANS = new PreparedStatement<never>('import_drop_plans', 'DISCARD PLANS');

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
