import { Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge, type Metrics } from '@svc/service-kit';
import { METRICS } from '../../http/providers.module.js';
import type { SyncedLookup } from './sync-lookups.js';

/** What the server's syncs of declared lookups did. */
@Injectable()
export class SyncMetrics {
  private readonly syncs: Counter<'lookup' | 'result'>;
  private readonly failures: Gauge<'lookup'>;
  private readonly runFailed: Gauge;
  private readonly lastSuccess: Gauge<'lookup'>;
  private readonly records: Gauge<'lookup'>;
  private readonly modified: Gauge<'lookup' | 'source'>;
  private readonly known = new Map<string, SyncedLookup['sources']>();

  constructor(@Inject(METRICS) { registry }: Metrics) {
    const registers = [registry];
    this.syncs = new Counter({
      name: 'iplookup_syncs_total',
      help: 'Syncs of declared lookups by the server, by result.',
      labelNames: ['lookup', 'result'],
      registers,
    });
    this.failures = new Gauge({
      name: 'iplookup_sync_consecutive_failures',
      help: 'Failed syncs of a declared lookup since the last that succeeded.',
      labelNames: ['lookup'],
      registers,
    });
    this.runFailed = new Gauge({
      name: 'iplookup_sync_run_failed',
      help: '1 if the last run of syncs failed as a whole, such as for unreadable declarations; otherwise 0.',
      registers,
    });
    this.lastSuccess = new Gauge({
      name: 'iplookup_sync_last_success_timestamp_seconds',
      help: 'Time at which a declared lookup was last built, or found up to date.',
      labelNames: ['lookup'],
      registers,
    });
    this.records = new Gauge({
      name: 'iplookup_records',
      help: 'Distinct records of a declared lookup.',
      labelNames: ['lookup'],
      registers,
    });
    this.modified = new Gauge({
      name: 'iplookup_source_modified_timestamp_seconds',
      help: "Time at which a declared lookup's source was modified.",
      labelNames: ['lookup', 'source'],
      registers,
    });
  }

  countSynced({ lookup, result, sources, records }: SyncedLookup): void {
    this.declare(lookup);
    this.syncs.inc({ lookup, result });
    this.failures.set({ lookup }, 0);
    this.lastSuccess.setToCurrentTime({ lookup });
    if (records !== undefined) this.records.set({ lookup }, records);
    this.forgetSources(lookup);
    for (const { source, modified } of sources)
      this.modified.set({ lookup, source }, Date.parse(modified) / 1000);
    this.known.set(lookup, sources);
  }

  countFailed(lookup: string): void {
    this.declare(lookup);
    this.syncs.inc({ lookup, result: 'failed' });
    this.failures.inc({ lookup });
  }

  /** A run goes through all declared lookups, some of which may fail. */
  setRunFailed(hasFailed: boolean): void {
    this.runFailed.set(Number(hasFailed));
  }

  /** Forgets lookups that are no longer declared. */
  keepOnly(lookups: readonly string[]): void {
    for (const lookup of this.known.keys()) {
      if (lookups.includes(lookup)) continue;
      this.forgetSources(lookup);
      this.known.delete(lookup);
      for (const gauge of [this.failures, this.lastSuccess, this.records]) gauge.remove({ lookup });
      for (const result of RESULTS) this.syncs.remove({ lookup, result });
    }
  }

  /** A series that starts with its first event hides that event from rate() and increase(). */
  private declare(lookup: string): void {
    if (this.known.has(lookup)) return;
    this.known.set(lookup, []);
    for (const result of RESULTS) this.syncs.inc({ lookup, result }, 0);
  }

  private forgetSources(lookup: string): void {
    for (const { source } of this.known.get(lookup) ?? []) this.modified.remove({ lookup, source });
  }
}

const RESULTS = ['built', 'unchanged', 'failed'] as const;
