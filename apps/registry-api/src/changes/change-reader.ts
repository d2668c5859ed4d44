import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { readHorizon } from '../clients/change-horizon.js';
import { SELECT_CLIENT } from '../clients/stored-client.js';
import { PreparedStatement } from '../database/prepared-statement.js';
import { RegistryError } from '../errors/registry-error.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import { CHANGE_COLUMNS, type FeedChangeRow, toFeedChange } from './change-document.js';
import type { FeedChange } from './change.dto.js';

/** Changes in order. */
export interface ChangePage {
  readonly changes: readonly FeedChange[];
  /** Whether more follow. */
  readonly hasMore: boolean;
  /** The last change; never below the requested one. */
  readonly lastSeq: number;
}

/**
 * `$1` the change to start after, null for the oldest that is kept `$2` the last one `$3` limit. At least one row, which
 * says how far changes were deleted: since this is one statement, concurrent deletions cannot look like a gap.
 */
const PAGE = new PreparedStatement<{ prunedTo: string } & (FeedChangeRow | { readonly changeSeq: null })>(
  'change_page',
  `SELECT r.pruned_to AS "prunedTo", ch.*, client.*
   FROM change_retention r
   LEFT JOIN LATERAL (
     SELECT ${CHANGE_COLUMNS} FROM client_change ch
     WHERE ch.seq > coalesce($1, r.pruned_to) AND ch.seq <= $2 ORDER BY ch.seq LIMIT $3
   ) ch ON true
   LEFT JOIN LATERAL (${SELECT_CLIENT} WHERE c.client_id = ch."changedClientId") client ON true
   ORDER BY ch."changeSeq"`,
);

/** Reads changes in the order of their numbers, without ever skipping one. */
@Injectable()
export class ChangeReader {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: RegistrySettings,
  ) {}

  /** The last change that can be read now. */
  async lastSeq(): Promise<number> {
    return (await readHorizon(this.dataSource)).lastSeq;
  }

  /**
   * At most `limit` changes after `since`, or from the oldest one that is kept.
   *
   * @throws {RegistryError} `changes_gone` when some of them are no longer kept, or `since` was never issued
   */
  async page(since: number | undefined, limit: number): Promise<ChangePage> {
    const { lastSeq, issued } = await readHorizon(this.dataSource);
    if (since !== undefined && since > issued) throw changesGone(`no change has the number ${since} yet`);
    const rows = await PAGE.run(this.dataSource, [since ?? null, lastSeq, limit + 1]);
    const prunedTo = Number(rows[0]?.prunedTo);
    if (since !== undefined && since < prunedTo)
      throw changesGone(`changes up to ${prunedTo} are no longer kept`);
    const found = rows.filter((row) => row.changeSeq !== null);
    const changes = found.slice(0, limit).map((row) => toFeedChange(row, this.settings.capabilities));
    return { changes, hasMore: found.length > limit, lastSeq: Math.max(lastSeq, since ?? prunedTo) };
  }
}

/** Some of the changes asked for cannot be read. @param reason why, for the caller */
export function changesGone(reason: string): RegistryError {
  return new RegistryError(
    'changes_gone',
    `${reason}; read all Clients again (GET /clients/export) and continue from the seq returned with them`,
  );
}
