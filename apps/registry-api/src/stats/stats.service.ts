import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type ClientStats, toClientStats } from './client-stats.js';
import { AGE_COUNTS, FACET_COUNTS, SECRET_COUNTS } from './stats-statements.js';

/** How long an answer serves, in milliseconds: counting a million Clients takes the better part of a second. */
const KEPT_MS = 10_000;

/** Statistics and the time they were made. */
export interface DatedStats extends ClientStats {
  /** RFC 3339, in UTC. */
  readonly as_of: string;
}

@Injectable()
export class StatsService {
  private kept: { readonly stats: Promise<DatedStats>; readonly until: number } | undefined;

  constructor(private readonly dataSource: DataSource) {}

  /** At most 10 seconds old. However many ask at once, the Clients are counted once. */
  async read(now: number = Date.now()): Promise<DatedStats> {
    if (this.kept && now < this.kept.until) return this.kept.stats;
    const stats = this.count(new Date(now));
    this.kept = { stats, until: now + KEPT_MS };
    // A failure is told to those who wait, and not kept.
    stats.catch(() => {
      this.kept = undefined;
    });
    return stats;
  }

  private async count(at: Date): Promise<DatedStats> {
    const [facets, [ages], [secrets]] = await Promise.all([
      FACET_COUNTS.run(this.dataSource, []),
      AGE_COUNTS.run(this.dataSource, []),
      SECRET_COUNTS.run(this.dataSource, []),
    ]);
    if (!ages || !secrets) throw new Error('a count has no row');
    return { as_of: at.toISOString(), ...toClientStats(facets, ages.registered, secrets) };
  }
}
