import { Injectable } from '@nestjs/common';
import { selectsAll } from '@svc/client-metadata';
import { DataSource } from 'typeorm';
import { type ChangePosition, isSamePosition } from '../clients/change-position.js';
import { readHorizon } from '../clients/change-statements.js';
import { selectClientOf } from '../clients/stored-client.js';
import { PreparedStatement, queryToRead } from '../database/prepared-statement.js';
import { StatementValues } from '../database/statement-values.js';
import { poolOf } from '../database/transaction.js';
import { hasErrorCode, RegistryError } from '../errors/registry-error.js';
import { CHANGE_COLUMNS, type ChangeRow, type FeedChangeRow } from './change.dto.js';
import { type FeedView, seenCondition } from './feed-view.js';

/** Changes in order. */
export interface ChangePage {
  readonly changes: readonly FeedChangeRow[];
  /** From where to continue; absent when there are no more now. */
  readonly next?: ChangePosition;
  /** The last change; never before the requested one. */
  readonly last: ChangePosition;
}

/** Changes scanned per page for a reader that does not see all: a page may be empty and still have a next one. */
const MOST_SCANNED = 10_000;

/** Changes scanned in search of the newest ones for such a reader. */
const MOST_SEARCHED = 100 * MOST_SCANNED;

/** Numbers of changes, as the driver gives them. */
interface NewestRow {
  readonly found: readonly string[];
  readonly end: string | null;
}

/** At least one row, which says how far changes were deleted, and the mark of the change to start after, if it exists. */
type PageRow = {
  readonly prunedTo: string;
  readonly sinceMark: string | null;
  /** The last change scanned; only for readers that do not see all. */
  readonly scannedTo?: string | null;
  readonly scannedMark?: string | null;
  readonly scanned?: number | null;
} & (FeedChangeRow | { readonly changeSeq: null });

const FOUND = `r.pruned_to AS "prunedTo", (SELECT mark FROM client_change WHERE seq = $1) AS "sinceMark"`;

const WITH_CLIENT = `
   LEFT JOIN LATERAL ${selectClientOf('ch."changedClientId"')} client ON true
   ORDER BY ch."changeSeq"`;

/**
 * `$1` the change to start after, null for the oldest that is kept `$2` the last one `$3` limit. Since this is one
 * statement, concurrent deletions cannot look like a gap.
 */
const PAGE = new PreparedStatement<PageRow>(
  'change_page',
  `SELECT ${FOUND}, ch.*, client.*
   FROM change_retention r
   LEFT JOIN LATERAL (
     SELECT ${CHANGE_COLUMNS} FROM client_change ch
     WHERE ch.seq > coalesce($1, r.pruned_to) AND ch.seq <= $2 ORDER BY ch.seq LIMIT $3
   ) ch ON true ${WITH_CLIENT}`,
);

/** The same for a reader that does not see all. @param seen the condition on `client_change ch` */
const seenPage = (seen: string) => `
  WITH scanned AS MATERIALIZED (
    SELECT ch.seq, ch.mark, ${seen} AS is_seen FROM client_change ch CROSS JOIN change_retention r
    WHERE ch.seq > coalesce($1::bigint, r.pruned_to) AND ch.seq <= $2::bigint ORDER BY ch.seq LIMIT ${MOST_SCANNED}
  ), ending AS (
    SELECT seq, mark, (SELECT count(*)::int FROM scanned) AS scanned FROM scanned ORDER BY seq DESC LIMIT 1
  )
  SELECT ${FOUND}, ending.seq AS "scannedTo", ending.mark AS "scannedMark", ending.scanned, ch.*, client.*
  FROM change_retention r
  LEFT JOIN ending ON true
  LEFT JOIN (
    SELECT ${CHANGE_COLUMNS} FROM client_change ch
    WHERE ch.seq IN (SELECT seq FROM scanned WHERE is_seen ORDER BY seq LIMIT $3::int)
  ) ch ON true ${WITH_CLIENT}`;

/** `$1` the last change `$2` how many changes are to follow; no row if there are fewer. */
const BEFORE_NEWEST = new PreparedStatement<{ seq: string; mark: string }>(
  'change_before_newest',
  'SELECT seq, mark FROM client_change WHERE seq <= $1 ORDER BY seq DESC OFFSET $2 LIMIT 1',
);

/**
 * The newest changes before `$1` that a reader with a partial view sees, and where the search stopped, unless it scanned them
 * all. `$2` limit
 */
const newestSeen = (seen: string) => `
  WITH scanned AS MATERIALIZED (
    SELECT ch.seq, ${seen} AS is_seen FROM client_change ch
    WHERE ch.seq < $1::bigint ORDER BY ch.seq DESC LIMIT ${MOST_SCANNED}
  )
  SELECT ARRAY(SELECT seq::text FROM scanned WHERE is_seen ORDER BY scanned.seq DESC LIMIT $2::int) AS found,
         (SELECT min(seq) FROM scanned HAVING count(*) = ${MOST_SCANNED}) AS end`;

/** `$1` numbers of changes */
const BY_NUMBER = new PreparedStatement<FeedChangeRow>(
  'changes_by_number',
  `SELECT ch.*, client.* FROM (SELECT ${CHANGE_COLUMNS} FROM client_change ch WHERE ch.seq = ANY ($1::bigint[])) ch
   ${WITH_CLIENT}`,
);

/** Reads changes in the order of their numbers, without ever skipping one. */
@Injectable()
export class ChangeReader {
  constructor(private readonly dataSource: DataSource) {}

  /** The last change that can be read now. */
  async last(): Promise<ChangePosition> {
    return (await readHorizon(this.dataSource)).last;
  }

  /** The newest `count` changes that the reader sees; for one that does not see all, among the last `MOST_SEARCHED`. */
  async newest(count: number, view: FeedView): Promise<ChangePage> {
    const { last } = await readHorizon(this.dataSource);
    if (selectsAll(view.selector)) {
      const [row] = await BEFORE_NEWEST.run(this.dataSource, [last.seq, count]);
      return this.page(row && { seq: Number(row.seq), mark: row.mark }, count, view);
    }
    const found = await this.findNewest(count, last, view);
    return { changes: await BY_NUMBER.run(this.dataSource, [found]), last };
  }

  /**
   * At most `limit` changes that the reader sees after `since`, or from the oldest one that is kept.
   *
   * @throws {RegistryError} `changes_gone` when some of them are no longer kept, or there is no change `since`: it was lost
   *   in a failover or undone by a restore
   * @throws {RegistryError} `invalid_position` when `since` is only the number of a change
   */
  async page(since: ChangePosition | undefined, limit: number, view: FeedView): Promise<ChangePage> {
    const startedAt = performance.now();
    try {
      return await this.pageOnce(since, limit, view);
    } catch (error) {
      // A connection left open to a former primary lacks the changes made on its successor.
      const pool = poolOf(this.dataSource);
      if (!hasErrorCode(error, 'changes_gone') || !pool.renew(startedAt)) throw error;
      const page = await this.pageOnce(since, limit, view);
      pool.renewalHelped();
      return page;
    }
  }

  private async pageOnce(
    since: ChangePosition | undefined,
    limit: number,
    view: FeedView,
  ): Promise<ChangePage> {
    const { last, issued } = await readHorizon(this.dataSource);
    if (since !== undefined && since.seq > issued) throw changesGone(NO_SUCH_CHANGE);
    const values = [since?.seq ?? null, last.seq, limit + 1];
    const rows = await (selectsAll(view.selector)
      ? PAGE.run(this.dataSource, values)
      : this.query<PageRow>('change_page_seen', seenPage, view, values));
    if (since !== undefined) assertExists(since, rows[0]);
    const found = rows.filter((row) => row.changeSeq !== null);
    const changes = found.slice(0, limit);
    const end = changes.at(-1);
    const next = found.length > limit && end ? positionOf(end) : scannedTo(rows[0]);
    return {
      changes,
      ...(next && { next }),
      last: since !== undefined && since.seq > last.seq ? since : last,
    };
  }

  /** Backwards, and in several statements, so that none of them takes long. */
  private async findNewest(count: number, last: ChangePosition, view: FeedView): Promise<string[]> {
    const numbers: string[] = [];
    let before: string | null = String(last.seq + 1);
    for (let looked = 0; before !== null && numbers.length < count && looked < MOST_SEARCHED;) {
      const values: unknown[] = [before, count - numbers.length];
      const rows: NewestRow[] = await this.query('change_newest_seen', newestSeen, view, values);
      numbers.push(...(rows[0]?.found ?? []));
      before = rows[0]?.end ?? null;
      looked += MOST_SCANNED;
    }
    return numbers;
  }

  private async query<Row>(
    name: string,
    textOf: (seen: string) => string,
    { id, selector }: FeedView,
    given: readonly unknown[],
  ): Promise<Row[]> {
    const values = StatementValues.of(given);
    const text = textOf(seenCondition(selector, values));
    return queryToRead<Row>(this.dataSource, name, text, values.list, id);
  }
}

/** @throws {RegistryError} `changes_gone`, `invalid_position` */
function assertExists(since: ChangePosition, row: PageRow | undefined): void {
  const prunedTo = Number(row?.prunedTo);
  if (since.seq < prunedTo) throw changesGone('the changes that follow are no longer kept');
  // Earlier versions, which issued no marks, deleted the last change, too.
  const isPrunedTo = isSamePosition(since, { seq: prunedTo, mark: '' });
  if (isPrunedTo) return;
  const mark = row?.sinceMark ?? undefined;
  if (since.mark === '' && mark) throw invalidPosition(since);
  if (mark !== since.mark) throw changesGone(NO_SUCH_CHANGE);
}

export function positionOf({ changeSeq, changeMark }: ChangeRow): ChangePosition {
  return { seq: Number(changeSeq), mark: changeMark };
}

/** Where a page stopped scanning; undefined if it scanned everything. */
function scannedTo(row: PageRow | undefined): ChangePosition | undefined {
  if (row?.scanned !== MOST_SCANNED) return undefined;
  return { seq: Number(row.scannedTo), mark: row.scannedMark ?? '' };
}

const NO_SUCH_CHANGE = 'there is no such change, perhaps because the database was restored or failed over';

/** Without its mark, a change cannot be distinguished from a lost one with the same number. */
function invalidPosition({ seq }: ChangePosition): RegistryError {
  const message = `${seq} is only the number of a change; send its position, which is its \`cursor\``;
  const violations = [{ field: '/since', code: 'cursor', message }];
  return new RegistryError('invalid_position', message, { violations });
}

/** Some of the changes asked for cannot be read. @param reason why, for the caller */
export function changesGone(reason: string): RegistryError {
  return new RegistryError(
    'changes_gone',
    `${reason}; read all clients again (GET /clients/export) and continue from the Change-Seq returned with them`,
  );
}
