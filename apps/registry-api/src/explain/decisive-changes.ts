import { selectsAll } from '@svc/client-metadata';
import type { DataSource } from 'typeorm';
import { CHANGE_COLUMNS, type ChangeRow } from '../changes/change.dto.js';
import { seenCondition } from '../changes/feed-view.js';
import { PreparedStatement, queryToRead } from '../database/prepared-statement.js';
import { StatementValues } from '../database/statement-values.js';
import type { Reach } from '../http/current-caller.js';
import type { DecisiveMetadata } from './replay-changes.js';

/** A change that checks may depend on. */
export type DecisiveChangeRow = ChangeRow & {
  readonly before: DecisiveMetadata | null;
  readonly after: DecisiveMetadata | null;
};

/** What a check depends on, with the value to assume in changes by versions that lacked it. */
const MEMBERS: DecisiveMetadata = {
  redirect_uris: [],
  redirect_uri_validation_method: 'full_match',
  application_type: 'web',
  response_types: ['code'],
  code_challenge_method: 'none',
};

/** @param column metadata; null stays null */
function decisive(column: string): string {
  const members = Object.entries(MEMBERS)
    .map(([name, value]) => `'${name}', coalesce(${column}->'${name}', '${JSON.stringify(value)}')`)
    .join(', ');
  return `CASE WHEN ${column} IS NOT NULL THEN jsonb_build_object(${members}) END`;
}

/** Changes that a read searches: comparing those of a long history takes seconds. */
const MAX_SEARCHED = 10_000;

/** @param seen a condition on `client_change ch` */
function changesOf(seen: string): string {
  return `
    SELECT ${CHANGE_COLUMNS}, ${decisive('ch.before')} AS before, ${decisive('ch.after')} AS after
    FROM (
      SELECT * FROM client_change WHERE client_id = $1 AND seq < coalesce($2::bigint, 9223372036854775807)
      ORDER BY seq DESC LIMIT ${MAX_SEARCHED}
    ) ch
    WHERE ${seen}
      AND (ch.kind IN ('registered', 'deleted', 'enabled', 'disabled')
           OR (ch.kind = 'updated' AND (${decisive('ch.before')}) IS DISTINCT FROM (${decisive('ch.after')})))
    ORDER BY ch.seq DESC LIMIT $3`;
}

/** `$1` client_id `$2` the change before which to begin, null for the latest `$3` limit */
const CHANGES = new PreparedStatement<DecisiveChangeRow>('explain_changes', changesOf('true'));

/** The changes of a Client that checks may depend on and the caller sees, latest first. */
export async function readDecisiveChanges(
  dataSource: DataSource,
  clientId: string,
  { id, selector }: Reach,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<DecisiveChangeRow[]> {
  const given = [clientId, before ?? null, limit];
  if (selectsAll(selector)) return CHANGES.run(dataSource, given);
  const values = StatementValues.of(given);
  const text = changesOf(seenCondition(selector, values));
  return queryToRead(dataSource, 'explain_changes_seen', text, values.list, id);
}
