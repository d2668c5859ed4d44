import type { RequestUse } from '@svc/client-metadata';
import type { DataSource } from 'typeorm';
import { PreparedStatement } from '../database/prepared-statement.js';

/** `$1` client_id `$2` a use, as JSON */
const LAST_ACCEPTED = new PreparedStatement<{ at: Date | null; since: Date | null }>(
  'usage_last_accepted',
  `SELECT (SELECT max(last_at) FROM client_usage WHERE client_id = $1 AND use = $2::text::jsonb) AS at,
          (SELECT since FROM usage_recording) AS since`,
);

/** When a Client was last used in one way, and since when that is recorded. */
export async function lastAccepted(
  dataSource: DataSource,
  clientId: string,
  use: RequestUse,
): Promise<{ last_worked_at?: string; recorded_since?: string }> {
  const [{ at = null, since = null } = {}] = await LAST_ACCEPTED.run(dataSource, [
    clientId,
    JSON.stringify(use),
  ]);
  return {
    ...(at && { last_worked_at: at.toISOString() }),
    ...(since && { recorded_since: since.toISOString() }),
  };
}
