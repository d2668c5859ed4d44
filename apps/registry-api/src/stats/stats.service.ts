import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { selectorCondition } from '../clients/selector-conditions.js';
import { queryToRead } from '../database/prepared-statement.js';
import { StatementValues } from '../database/statement-values.js';
import type { Reach } from '../http/current-caller.js';
import { type ClientSelector, formatLabel } from '@svc/client-metadata';
import { type ClientStats, toClientStats, toUsageStats } from './client-stats.js';
import {
  AGE_COUNTS,
  type Count,
  FACET_COUNTS,
  LABEL_COUNTS,
  MANAGER_COUNTS,
  PENDING_COUNT,
  SECRET_COUNTS,
  USAGE_COUNTS,
} from './stats-statements.js';

/** Counting a million clients takes most of a second. */
const CACHE_MS = 10_000;

/** Selectors whose counts are kept. */
const MAX_CACHED = 200;

interface CachedStats {
  readonly stats: Promise<ClientStats>;
  readonly until: number;
}

@Injectable()
export class StatsService {
  /** By selector. */
  private readonly cached = new Map<string, CachedStats>();

  constructor(private readonly dataSource: DataSource) {}

  /** Counts the Clients that the caller reaches. At most 10 seconds old; concurrent requests share one count. */
  async read({ selector }: Reach, now: number = Date.now()): Promise<ClientStats> {
    const key = JSON.stringify(selector);
    const known = this.cached.get(key);
    if (known && now < known.until) return known.stats;
    if (this.cached.size >= MAX_CACHED) this.cached.clear();
    const stats = this.count(selector, new Date(now));
    this.cached.set(key, { stats, until: now + CACHE_MS });
    // A failure is returned to the waiting requests, but not cached.
    stats.catch(() => this.cached.delete(key));
    return stats;
  }

  private async run<Row>({ name, text }: Count<Row>, selector: ClientSelector): Promise<Row[]> {
    const values = new StatementValues();
    const reached = selectorCondition(selector, values);
    // Has no owner: callers share a count, which must not wait for other reads by whichever caller came first.
    return queryToRead<Row>(this.dataSource, name, text(reached), values.list);
  }

  /** One statement after the other, so that a count takes one connection and one processor of the database. */
  private async count(selector: ClientSelector, at: Date): Promise<ClientStats> {
    const facets = await this.run(FACET_COUNTS, selector);
    const [ages] = await this.run(AGE_COUNTS, selector);
    const [secrets] = await this.run(SECRET_COUNTS, selector);
    const [usage] = await this.run(USAGE_COUNTS, selector);
    const [waiting] = await this.run(PENDING_COUNT, selector);
    const labels = await this.run(LABEL_COUNTS, selector);
    const managers = await this.run(MANAGER_COUNTS, selector);
    if (!ages || !secrets || !usage || !waiting) throw new Error('a count has no row');
    const stats = toClientStats(facets, ages.registered, secrets);
    return {
      as_of: at.toISOString(),
      ...stats,
      pending: waiting.pending,
      usage: toUsageStats(usage, stats.clients),
      labels: labels.map(({ key, value, clients }) => ({ label: formatLabel(key, value), clients })),
      managers: managers.map(({ managedBy, clients }) => ({
        ...(managedBy !== null && { managed_by: managedBy }),
        clients,
      })),
    };
  }
}
