import type { ClientMetadata, ClientUse } from '@svc/client-metadata';
import { PreparedStatement } from '../database/prepared-statement.js';

/** Changes of one Client that are read; with more, it is not settled enough for recommendations. */
export const MAX_CHANGES = 100;

/** `$1` client_ids `$2` the first day */
export const USES_OF_CLIENTS = new PreparedStatement<{
  clientId: string;
  use: ClientUse;
  count: number;
  lastAt: Date;
}>(
  'recommendation_uses',
  `SELECT client_id AS "clientId", use, sum(count)::float8 AS count, max(last_at) AS "lastAt" FROM client_usage
   WHERE client_id = ANY ($1::text[]) AND period >= $2 GROUP BY client_id, use`,
);

/** `$1` client_ids */
export const LAST_USES_OF_CLIENTS = new PreparedStatement<{ clientId: string; usedAt: Date | null }>(
  'recommendation_last_uses',
  `SELECT client_id AS "clientId", used_at AS "usedAt" FROM client_last_use WHERE client_id = ANY ($1::text[])`,
);

/** `$1` client_ids `$2` time */
export const CHANGES_OF_CLIENTS = new PreparedStatement<{
  clientId: string;
  kind: string;
  before: ClientMetadata | null;
  after: ClientMetadata | null;
}>(
  'recommendation_changes',
  `SELECT ch.client_id AS "clientId", ch.kind, ch.before, ch.after
   FROM unnest($1::text[]) AS id CROSS JOIN LATERAL (
     SELECT client_id, kind, before, after FROM client_change WHERE client_id = id AND at >= $2
     ORDER BY seq DESC LIMIT ${MAX_CHANGES}
   ) ch`,
);

/** `$1` the first day `$2` when it begins */
export const SEEN_USES = new PreparedStatement<{ requests: boolean; secrets: boolean }>(
  'recommendation_seen_uses',
  `SELECT EXISTS (
            SELECT FROM client_usage WHERE period >= $1 AND use->>'kind' = 'request' AND NOT use ? 'refusal'
          ) AS requests,
          EXISTS (SELECT FROM client_secret WHERE last_used_at >= $2) AS secrets`,
);
