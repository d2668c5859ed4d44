import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type ChangePosition, isSamePosition } from '../clients/change-position.js';
import { readHorizon } from '../clients/change-statements.js';
import { SELECT_CLIENT } from '../clients/stored-client.js';
import { PreparedStatement } from '../database/prepared-statement.js';
import { poolOf } from '../database/transaction.js';
import { hasErrorCode, RegistryError } from '../errors/registry-error.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import { CHANGE_COLUMNS, type FeedChangeRow, toFeedChange, type FeedChange } from './change.dto.js';

/** Changes in order. */
export interface ChangePage {
  readonly changes: readonly FeedChange[];
  /** Whether more follow. */
  readonly hasMore: boolean;
  /** The last change; never before the requested one. */
  readonly last: ChangePosition;
}

/**
 * `$1` the change to start after, null for the oldest that is kept `$2` the last one `$3` limit `$4` the mark of `$1`. At
 * least one row, which says how far changes were deleted, and whether the change to start after exists: since this is one
 * statement, concurrent deletions cannot look like a gap.
 */
const PAGE = new PreparedStatement<
  { prunedTo: string; sinceExists: boolean } & (FeedChangeRow | { readonly changeSeq: null })
>(
  'change_page',
  `SELECT r.pruned_to AS "prunedTo", EXISTS (SELECT FROM client_change WHERE seq = $1 AND mark = $4) AS "sinceExists",
          ch.*, client.*
   FROM change_retention r
   LEFT JOIN LATERAL (
     SELECT ${CHANGE_COLUMNS} FROM client_change ch
     WHERE ch.seq > coalesce($1, r.pruned_to) AND ch.seq <= $2 ORDER BY ch.seq LIMIT $3
   ) ch ON true
   LEFT JOIN LATERAL (${SELECT_CLIENT} WHERE c.client_id = ch."changedClientId") client ON true
   ORDER BY ch."changeSeq"`,
);

/** `$1` the last change `$2` how many changes are to follow; no row when there are not as many. */
const BEFORE_NEWEST = new PreparedStatement<{ seq: string; mark: string }>(
  'change_before_newest',
  'SELECT seq, mark FROM client_change WHERE seq <= $1 ORDER BY seq DESC OFFSET $2 LIMIT 1',
);

/** Reads changes in the order of their numbers, without ever skipping one. */
@Injectable()
export class ChangeReader {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: RegistrySettings,
  ) {}

  /** The last change that can be read now. */
  async last(): Promise<ChangePosition> {
    return (await readHorizon(this.dataSource)).last;
  }

  /** The change after which the newest `count` changes follow; undefined if no more than those are kept. */
  async beforeNewest(count: number): Promise<ChangePosition | undefined> {
    const { last } = await readHorizon(this.dataSource);
    const [row] = await BEFORE_NEWEST.run(this.dataSource, [last.seq, count]);
    return row && { seq: Number(row.seq), mark: row.mark };
  }

  /**
   * At most `limit` changes after `since`, or from the oldest one that is kept.
   *
   * @throws {RegistryError} `changes_gone` when some of them are no longer kept, or there is no change `since`: it was lost
   *   in a failover or undone by a restore
   */
  async page(since: ChangePosition | undefined, limit: number): Promise<ChangePage> {
    const startedAt = performance.now();
    try {
      return await this.pageOnce(since, limit);
    } catch (error) {
      // A connection that was left to a former primary lacks what its successor took.
      const pool = poolOf(this.dataSource);
      if (!hasErrorCode(error, 'changes_gone') || !pool.renew(startedAt)) throw error;
      const page = await this.pageOnce(since, limit);
      pool.renewalHelped();
      return page;
    }
  }

  private async pageOnce(since: ChangePosition | undefined, limit: number): Promise<ChangePage> {
    const { last, issued } = await readHorizon(this.dataSource);
    if (since !== undefined && since.seq > issued) throw changesGone(NO_SUCH_CHANGE);
    const rows = await PAGE.run(this.dataSource, [
      since?.seq ?? null,
      last.seq,
      limit + 1,
      since?.mark ?? null,
    ]);
    const prunedTo = Number(rows[0]?.prunedTo);
    if (since !== undefined) {
      if (since.seq < prunedTo) throw changesGone('the changes that follow are no longer kept');
      // Earlier versions, which issued no marks, deleted the last change, too.
      const isPrunedTo = isSamePosition(since, { seq: prunedTo, mark: '' });
      if (!isPrunedTo && rows[0]?.sinceExists !== true) throw changesGone(NO_SUCH_CHANGE);
    }
    const found = rows.filter((row) => row.changeSeq !== null);
    const changes = found.slice(0, limit).map((row) => toFeedChange(row, this.settings.capabilities));
    return {
      changes,
      hasMore: found.length > limit,
      last: since !== undefined && since.seq > last.seq ? since : last,
    };
  }
}

const NO_SUCH_CHANGE = 'there is no such change, perhaps because the database was restored or failed over';

/** Some of the changes asked for cannot be read. @param reason why, for the caller */
export function changesGone(reason: string): RegistryError {
  return new RegistryError(
    'changes_gone',
    `${reason}; read all Clients again (GET /clients/export) and continue from the Change-Seq returned with them`,
  );
}
