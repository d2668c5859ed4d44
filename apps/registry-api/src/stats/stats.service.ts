import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { formatLabel } from '@svc/client-metadata';
import {
  type ClientStats,
  toClientStats,
  AGE_COUNTS,
  FACET_COUNTS,
  LABEL_COUNTS,
  MANAGER_COUNTS,
  SECRET_COUNTS,
} from './client-stats.js';

/** Counting a million clients takes most of a second. */
const CACHE_MS = 10_000;

@Injectable()
export class StatsService {
  private cached: { readonly stats: Promise<ClientStats>; readonly until: number } | undefined;

  constructor(private readonly dataSource: DataSource) {}

  /** At most 10 seconds old. Concurrent requests share one count. */
  async read(now: number = Date.now()): Promise<ClientStats> {
    if (this.cached && now < this.cached.until) return this.cached.stats;
    const stats = this.count(new Date(now));
    this.cached = { stats, until: now + CACHE_MS };
    // A failure is returned to the waiting requests, but not cached.
    stats.catch(() => {
      this.cached = undefined;
    });
    return stats;
  }

  private async count(at: Date): Promise<ClientStats> {
    const [facets, [ages], [secrets], labels, managers] = await Promise.all([
      FACET_COUNTS.run(this.dataSource, []),
      AGE_COUNTS.run(this.dataSource, []),
      SECRET_COUNTS.run(this.dataSource, []),
      LABEL_COUNTS.run(this.dataSource, []),
      MANAGER_COUNTS.run(this.dataSource, []),
    ]);
    if (!ages || !secrets) throw new Error('a count has no row');
    return {
      as_of: at.toISOString(),
      ...toClientStats(facets, ages.registered, secrets),
      labels: labels.map(({ key, value, clients }) => ({ label: formatLabel(key, value), clients })),
      managers: managers.map(({ managedBy, clients }) => ({
        ...(managedBy !== null && { managed_by: managedBy }),
        clients,
      })),
    };
  }
}
