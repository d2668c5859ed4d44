import type { DataSource } from 'typeorm';
import type { PreparedStatement } from './prepared-statement.js';

/** How long a use may wait to be written, together with others. */
const WRITE_EVERY_MS = 2_000;

/** Uses that wait; while the database takes no writes, further ones are dropped. */
const MAX_WAITING = 10_000;

/**
 * Records when rows were last used, off the path of the requests that use them: many uses are written with one
 * statement. A process that is killed, or cannot write for long, loses some, which does no harm.
 */
export class LastUseRecorder {
  private waiting = new Map<string, Date>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  /** @param statement `$1` ids `$2` when each was used. It must not wait for rows that others change */
  constructor(
    private readonly dataSource: DataSource,
    private readonly statement: PreparedStatement<never>,
  ) {}

  record(id: string, at: Date): void {
    if (this.waiting.size >= MAX_WAITING) return;
    this.waiting.set(id, at);
    this.timer ??= setTimeout(() => {
      this.writing = this.write();
    }, WRITE_EVERY_MS).unref();
  }

  /** Writes what waits. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.writing;
    await this.write();
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
      for (const [id, at] of uses) if (!this.waiting.has(id)) this.record(id, at);
    }
  }
}
