import { randomUUID } from 'node:crypto';
import type { Pool, QueryResult } from 'pg';

/** Between two heartbeats, in milliseconds. */
const HEARTBEAT_MS = 250;

/** Heartbeats that are remembered: a standby that is further behind is not read from. */
const MAX_HEARTBEATS = 2_400;

/**
 * In milliseconds: without an acknowledged heartbeat for this long, the primary is unavailable. Below the age limit for
 * credentials.
 */
const UNAVAILABLE_AFTER_MS = 700;

/** A number written to this process's row. A standby that has it has everything committed before it was sent. */
export interface Heartbeat {
  /** When it was first sent, in the time of `performance.now()`. */
  readonly sentAt: number;
  /** The last change of the feed that was complete before. */
  readonly change: { readonly seq: number; readonly position: string };
}

/** Before the first change of the feed. */
const NO_CHANGE: Heartbeat['change'] = { seq: 0, position: '0' };

/**
 * Writes a row on the primary again and again, which standbys replay in the order of commits. Other measures of a
 * standby's lag need privileges, are silent while the primary is, or mislead after a failover, when servers disagree
 * about the past.
 */
export class Heartbeats {
  private readonly heartbeats = new Map<number, Heartbeat>();
  private readonly process = randomUUID();
  /** The last acknowledged one. */
  private last: Heartbeat | undefined;
  /** The number of the last acknowledged heartbeat. */
  private acknowledged = 0;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(private readonly primary: Pick<Pool, 'query'>) {}

  /** Resolves after the first heartbeat, whether or not it was acknowledged. */
  async start(): Promise<void> {
    await this.send();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    // Rows of processes that were killed are deleted when another one starts, a day later or more.
    await this.primary
      .query('DELETE FROM standby_beat WHERE process = $1', [this.process])
      .catch(() => undefined);
  }

  /** Whether the primary does not acknowledge what is written there. */
  get isPrimaryUnavailable(): boolean {
    return this.last === undefined || performance.now() - this.last.sentAt > UNAVAILABLE_AFTER_MS;
  }

  /** The last heartbeat that the server of a connection has; undefined if it has none, or only an old one. */
  async readFrom(connection: Pick<Pool, 'query'>): Promise<Heartbeat | undefined> {
    const { rows } = await connection.query<{ beat: string }>({
      name: 'standby_beat',
      text: 'SELECT beat FROM standby_beat WHERE process = $1',
      values: [this.process],
    });
    return this.heartbeats.get(Number(rows[0]?.beat));
  }

  private async send(): Promise<void> {
    const sentAt = performance.now();
    const number = this.acknowledged + 1;
    // A primary may fail after a commit that it did not acknowledge: standbys have it nevertheless.
    const isFirstAttempt = !this.heartbeats.has(number);
    if (isFirstAttempt) this.heartbeats.set(number, { sentAt, change: this.last?.change ?? NO_CHANGE });
    try {
      this.last = { sentAt, change: await this.write(number) };
      if (isFirstAttempt) this.heartbeats.set(number, this.last);
      this.acknowledged = number;
      this.heartbeats.delete(number - MAX_HEARTBEATS);
    } catch {
      // The pool logs an outage.
    }
    if (this.isClosed) return;
    const pause = Math.max(0, HEARTBEAT_MS - (performance.now() - sentAt));
    this.timer = setTimeout(() => void this.send(), pause).unref();
  }

  /**
   * One round trip. Its commit does not wait for synchronous standbys: it must not look as if the primary were unavailable
   * when one of them is frozen.
   */
  private async write(heartbeat: number): Promise<Heartbeat['change']> {
    const results = (await this.primary.query(
      `BEGIN; SET LOCAL synchronous_commit = local;
       ${heartbeat === 1 ? `DELETE FROM standby_beat WHERE at < now() - interval '1 day';` : ''}
       WITH change AS MATERIALIZED (SELECT seq, concat_ws('-', seq, nullif(mark, '')) AS position FROM change_position())
       INSERT INTO standby_beat (process, beat, at) SELECT '${this.process}', ${heartbeat}, now() FROM change
       ON CONFLICT (process) DO UPDATE SET beat = excluded.beat, at = excluded.at
       RETURNING (SELECT seq FROM change), (SELECT position FROM change);
       COMMIT`,
    )) as unknown as QueryResult<{ seq: string; position: string }>[];
    const { seq, position } = results.at(-2)!.rows[0]!;
    return { seq: Number(seq), position };
  }
}
