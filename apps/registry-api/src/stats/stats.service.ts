import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type ClientStats, toClientStats } from './client-stats.js';
import { AGE_COUNTS, FACET_COUNTS, SECRET_COUNTS } from './stats-statements.js';

/** How long a count is reused, in milliseconds: counting a million Clients takes most of a second. */
const KEPT_MS = 10_000;

@Injectable()
export class StatsService {
  private kept: { readonly stats: Promise<ClientStats>; readonly until: number } | undefined;

  constructor(private readonly dataSource: DataSource) {}

  /** At most 10 seconds old. Concurrent requests share one count. */
  async read(now: number = Date.now()): Promise<ClientStats> {
    if (this.kept && now < this.kept.until) return this.kept.stats;
    const stats = this.count(new Date(now));
    this.kept = { stats, until: now + KEPT_MS };
    // A failure reaches those who wait for it, and is not kept.
    stats.catch(() => {
      this.kept = undefined;
    });
    return stats;
  }

  private async count(at: Date): Promise<ClientStats> {
    const [facets, [ages], [secrets]] = await Promise.all([
      FACET_COUNTS.run(this.dataSource, []),
      AGE_COUNTS.run(this.dataSource, []),
      SECRET_COUNTS.run(this.dataSource, []),
    ]);
    if (!ages || !secrets) throw new Error('a count has no row');
    return { as_of: at.toISOString(), ...toClientStats(facets, ages.registered, secrets) };
  }
}
