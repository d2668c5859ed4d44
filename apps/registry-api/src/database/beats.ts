import { randomUUID } from 'node:crypto';
import type { Pool, QueryResult } from 'pg';

/** Between two beats, in milliseconds. */
const BEAT_MS = 250;

/** Beats that are remembered: a standby that is further behind is not read from. */
const MAX_BEATS = 2_400;

/** In milliseconds: without an acknowledged beat for this long, the primary is away. Below the age limit for credentials. */
const AWAY_MS = 700;

/** A number written to this process's row. A standby that has it has everything committed before it was sent. */
export interface Beat {
  /** When it was first sent, in the time of `performance.now()`. */
  readonly sentAt: number;
  /** The last change of the feed that was complete before. */
  readonly change: { readonly seq: number; readonly position: string };
}

/** Before the first change of the feed. */
const NO_CHANGE: Beat['change'] = { seq: 0, position: '0' };

/**
 * Writes a row on the primary again and again, which standbys replay in the order of commits. Other measures of a
 * standby's lag need privileges, are silent while the primary is, or mislead after a failover, when servers disagree
 * about the past.
 */
export class Beats {
  private readonly beats = new Map<number, Beat>();
  private readonly process = randomUUID();
  /** The last acknowledged one. */
  private last: Beat | undefined;
  /** The number of the last acknowledged beat. */
  private acknowledged = 0;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(private readonly primary: Pick<Pool, 'query'>) {}

  /** Resolves after the first beat, whether or not it was acknowledged. */
  async start(): Promise<void> {
    await this.beat();
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
  get isPrimaryAway(): boolean {
    return this.last === undefined || performance.now() - this.last.sentAt > AWAY_MS;
  }

  /** The last beat that the server of a connection has; undefined if it has none, or only an old one. */
  async readFrom(connection: Pick<Pool, 'query'>): Promise<Beat | undefined> {
    const { rows } = await connection.query<{ beat: string }>({
      name: 'standby_beat',
      text: 'SELECT beat FROM standby_beat WHERE process = $1',
      values: [this.process],
    });
    return this.beats.get(Number(rows[0]?.beat));
  }

  private async beat(): Promise<void> {
    const sentAt = performance.now();
    const number = this.acknowledged + 1;
    // A primary may fail after a commit that it did not acknowledge: standbys have it nevertheless.
    const isFirstAttempt = !this.beats.has(number);
    if (isFirstAttempt) this.beats.set(number, { sentAt, change: this.last?.change ?? NO_CHANGE });
    try {
      this.last = { sentAt, change: await this.write(number) };
      if (isFirstAttempt) this.beats.set(number, this.last);
      this.acknowledged = number;
      this.beats.delete(number - MAX_BEATS);
    } catch {
      // The pool logs an outage.
    }
    if (this.isClosed) return;
    const pause = Math.max(0, BEAT_MS - (performance.now() - sentAt));
    this.timer = setTimeout(() => void this.beat(), pause).unref();
  }

  /**
   * One round trip. Its commit does not wait for synchronous standbys: it must not look as if the primary were away when
   * one of them is frozen.
   */
  private async write(beat: number): Promise<Beat['change']> {
    const results = (await this.primary.query(
      `BEGIN; SET LOCAL synchronous_commit = local;
       ${beat === 1 ? `DELETE FROM standby_beat WHERE at < now() - interval '1 day';` : ''}
       WITH change AS MATERIALIZED (SELECT seq, concat_ws('-', seq, nullif(mark, '')) AS position FROM change_position())
       INSERT INTO standby_beat (process, beat, at) SELECT '${this.process}', ${beat}, now() FROM change
       ON CONFLICT (process) DO UPDATE SET beat = excluded.beat, at = excluded.at
       RETURNING (SELECT seq FROM change), (SELECT position FROM change);
       COMMIT`,
    )) as unknown as QueryResult<{ seq: string; position: string }>[];
    const { seq, position } = results.at(-2)!.rows[0]!;
    return { seq: Number(seq), position };
  }
}
