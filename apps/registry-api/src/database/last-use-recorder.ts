import type { DataSource } from 'typeorm';
import { PreparedStatement } from './prepared-statement.js';
import { inTransaction, type Transaction } from './transaction.js';

/** How long a use may wait to be written, together with others. */
const WRITE_EVERY_MS = 2_000;

/** Uses that wait; while the database takes no writes, further ones are dropped. */
const MAX_WAITING = 10_000;

/** Rows with `id` and `last_used_at` columns. */
export interface UsedRows {
  readonly table: string;
  /** SQL type of `id`. */
  readonly idType: 'text' | 'bigint';
  /** `last_used_at` is written at most this often, in milliseconds: writing it at each use would cost too much. */
  readonly stepMs: number;
  /** Called within the transaction that stores uses, with those that were the first of their rows. */
  readonly onFirstUse?: (transaction: Transaction, uses: readonly FirstUse[]) => void;
}

/** Who uses a row, for reports of its first use. */
export interface RowUser {
  readonly name: string;
  readonly address: string;
}

/** The first use of a row. */
export interface FirstUse extends RowUser {
  readonly id: string;
  readonly at: Date;
}

const UNKNOWN_USER: RowUser = { name: '', address: '' };

type Use = Omit<FirstUse, 'id'>;

/** A row, as it was when it was read. */
export interface UsedRow {
  readonly id: string;
  /** Null: never. */
  readonly lastUsedAt: Date | null;
}

/**
 * Records when rows were last used, off the path of the requests that use them: many uses are written with one
 * statement. A process that is killed, or cannot write for long, loses some, which does no harm.
 */
export class LastUseRecorder {
  private waiting = new Map<string, Use>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private isClosed = false;
  private readonly statement: PreparedStatement<{ id: string; isFirst: boolean }>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: UsedRows,
  ) {
    this.statement = recordUse(rows);
  }

  /** Records that a row is used now. */
  record({ id, lastUsedAt }: UsedRow, { name, address } = UNKNOWN_USER): void {
    const at = new Date();
    if (lastUsedAt === null || at.getTime() - lastUsedAt.getTime() > this.rows.stepMs) {
      this.queue(id, { at, name, address });
    }
  }

  /** Writes what waits. Later uses are not recorded. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.writing;
    await this.write();
  }

  private queue(id: string, use: Use): void {
    if (this.isClosed || this.waiting.size >= MAX_WAITING) return;
    this.waiting.set(id, use);
    this.timer ??= setTimeout(() => {
      this.writing = this.write();
    }, WRITE_EVERY_MS).unref();
  }

  private async write(): Promise<void> {
    const uses = this.waiting;
    this.waiting = new Map();
    this.timer = undefined;
    if (uses.size === 0) return;
    try {
      await this.store(uses);
    } catch {
      // The pool logs an outage. Later uses of the same rows take precedence over these.
      for (const [id, use] of uses) if (!this.waiting.has(id)) this.queue(id, use);
    }
  }

  private async store(uses: ReadonlyMap<string, Use>): Promise<void> {
    const values = [[...uses.keys()], [...uses.values()].map(({ at }) => at)];
    const { onFirstUse } = this.rows;
    if (!onFirstUse) {
      await this.statement.run(this.dataSource, values);
      return;
    }
    await inTransaction(this.dataSource, async (transaction) => {
      const stored = await this.statement.run(transaction, values);
      const first = stored.filter(({ isFirst }) => isFirst).map(({ id }) => ({ id, ...uses.get(id)! }));
      if (first.length > 0) onFirstUse(transaction, first);
    });
  }
}

/** `$1` ids `$2` when each was used. Skips rows that another process is writing. */
function recordUse({ table, idType, stepMs }: UsedRows): PreparedStatement<{ id: string; isFirst: boolean }> {
  return new PreparedStatement(
    `${table}_record_use`,
    `UPDATE ${table} t SET last_used_at = used.at
     FROM (
       SELECT id, u.at, last_used_at AS former FROM unnest($1::${idType}[], $2::timestamptz[]) AS u(id, at) JOIN ${table} USING (id)
       FOR UPDATE OF ${table} SKIP LOCKED
     ) used
     WHERE t.id = used.id AND (t.last_used_at IS NULL OR t.last_used_at < used.at - interval '${stepMs} ms')
     RETURNING t.id::text AS id, used.former IS NULL AS "isFirst"`,
  );
}
