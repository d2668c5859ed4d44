import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { PreparedStatement } from '../database/prepared-statement.js';

/**
 * `$1` client_id `$2` hash of the jti `$3` when it expires. Returns a row unless it was used before. Each call also deletes a
 * few rows that expired over 10 minutes ago; if they were deleted earlier, a replica with a slow clock would accept those
 * assertions again.
 */
const USE = new PreparedStatement<{ isNew: boolean }>(
  'use_assertion',
  `WITH expired AS (
     DELETE FROM used_assertion WHERE (client_id, jti_hash) IN (
       SELECT client_id, jti_hash FROM used_assertion WHERE expires_at < now() - interval '10 minutes'
       ORDER BY expires_at LIMIT 10 FOR UPDATE SKIP LOCKED
     )
   )
   INSERT INTO used_assertion (client_id, jti_hash, expires_at) VALUES ($1, $2, $3)
   ON CONFLICT DO NOTHING RETURNING true AS "isNew"`,
);

/** Per Client, minute and process; bounds what is stored. */
const MAX_ASSERTIONS_PER_MINUTE = 6_000;

/** Clients counted at a time. */
const MAX_COUNTED = 10_000;

/** Remembers accepted assertions until they expire, for all registries on the database. */
export class UsedAssertions {
  private counts = new Map<string, number>();
  private countedSince = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly maxPerMinute = MAX_ASSERTIONS_PER_MINUTE,
  ) {}

  /** @param expiresAt seconds since 1970 @returns false if it was used before */
  async use(clientId: string, jti: string, expiresAt: number): Promise<boolean> {
    const hash = createHash('sha256').update(jti).digest();
    const rows = await USE.run(this.dataSource, [clientId, hash, new Date(expiresAt * 1000)]);
    if (rows.length > 0) this.counts.set(clientId, (this.counts.get(clientId) ?? 0) + 1);
    return rows.length > 0;
  }

  /**
   * Whether the Client has used too many in this minute. Repetitions do not count: they store nothing, and anyone with one
   * assertion could lock the Client out with them.
   */
  exceedsRate(clientId: string, now = performance.now()): boolean {
    this.startWindowIfDue(now);
    return (this.counts.get(clientId) ?? 0) >= this.maxPerMinute;
  }

  private startWindowIfDue(now: number): void {
    if (now - this.countedSince < 60_000 && this.counts.size < MAX_COUNTED) return;
    this.counts = new Map();
    this.countedSince = now;
  }
}
