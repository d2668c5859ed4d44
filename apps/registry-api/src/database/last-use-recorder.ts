import type { DataSource } from 'typeorm';
import { PreparedStatement } from './prepared-statement.js';

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
}

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
  private waiting = new Map<string, Date>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private isClosed = false;
  private readonly statement: PreparedStatement<never>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: UsedRows,
  ) {
    this.statement = recordUse(rows);
  }

  /** Records that a row is used now. */
  record({ id, lastUsedAt }: UsedRow): void {
    const now = new Date();
    if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() > this.rows.stepMs) this.queue(id, now);
  }

  /** Writes what waits. Later uses are not recorded. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.writing;
    await this.write();
  }

  private queue(id: string, at: Date): void {
    if (this.isClosed || this.waiting.size >= MAX_WAITING) return;
    this.waiting.set(id, at);
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
      await this.statement.run(this.dataSource, [[...uses.keys()], [...uses.values()]]);
    } catch {
      // The pool logs an outage. Later uses of the same rows count more than these.
      for (const [id, at] of uses) if (!this.waiting.has(id)) this.queue(id, at);
    }
  }
}

/** `$1` ids `$2` when each was used. A row that another process is writing to is left to it. */
function recordUse({ table, idType, stepMs }: UsedRows): PreparedStatement<never> {
  return new PreparedStatement(
    `${table}_record_use`,
    `UPDATE ${table} t SET last_used_at = used.at
     FROM (
       SELECT id, u.at FROM unnest($1::${idType}[], $2::timestamptz[]) AS u(id, at) JOIN ${table} USING (id)
       FOR UPDATE OF ${table} SKIP LOCKED
     ) used
     WHERE t.id = used.id AND (t.last_used_at IS NULL OR t.last_used_at < used.at - interval '${stepMs} ms')`,
  );
}
