import { Inject, Injectable } from '@nestjs/common';
import type { Drift, LoadReport } from '@svc/library-sync';
import { Counter, exemplarLabels, Gauge, Histogram, type Metrics } from '@svc/service-kit';
import { METRICS } from '../http/providers.module.js';

/** Upper bounds in seconds: from a load without changes to one of 100,000 files. */
const LOAD_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

const CHANGES: readonly Drift['change'][] = ['changed', 'missing', 'unreadable'];

const WRITES = ['created', 'updated', 'deleted'] as const;

/** What is counted for a successful load. */
export type LoadSummary = Pick<LoadReport, 'changed' | 'seconds' | (typeof WRITES)[number]>;

/** The metrics of one library. */
export interface LibraryCounts {
  setDrift(drift: readonly Drift[]): void;
  countFailed(): void;
  countEnded(report: LoadSummary): void;
  /** A check found the source as it was loaded last. */
  countUnchanged(): void;
}

/** Empty for the unnamed library: its series have no such label. */
type Named = { readonly library?: string };

/**
 * Counts completed loads from all triggers, without dry runs, and checks of the source that made none necessary. The series
 * of the unnamed library have no label `library`, as if there were no others.
 */
@Injectable()
export class LibraryMetrics {
  private readonly loads: Counter<'result' | 'library'>;
  private readonly seconds: Histogram<'library'>;
  private readonly writes: Counter<'operation' | 'library'>;
  private readonly failures: Gauge<'library'>;
  private readonly lastSuccess: Gauge<'library'>;
  private readonly drift: Gauge<'change' | 'library'>;

  constructor(@Inject(METRICS) { registry }: Metrics) {
    const registers = [registry];
    this.loads = new Counter({
      name: 'library_loads_total',
      help: 'Library loads and rollbacks over HTTP, by hook and by interval, and checks that found no change, by result.',
      labelNames: ['result', 'library'],
      registers,
    });
    this.seconds = new Histogram({
      name: 'library_load_duration_seconds',
      help: 'Duration of successful loads.',
      buckets: LOAD_SECONDS,
      labelNames: ['library'],
      enableExemplars: true,
      registers,
    });
    this.writes = new Counter({
      name: 'library_nodes_written_total',
      help: 'Library nodes written by loads, by operation.',
      labelNames: ['operation', 'library'],
      registers,
    });
    this.failures = new Gauge({
      name: 'library_consecutive_failures',
      help: 'Failed loads since the last load, or check that found no change, that succeeded.',
      labelNames: ['library'],
      registers,
    });
    this.lastSuccess = new Gauge({
      name: 'library_last_success_timestamp_seconds',
      help: 'Time of the last successful load, or check that found no change; 0 before the first.',
      labelNames: ['library'],
      registers,
    });
    this.drift = new Gauge({
      name: 'library_drift_nodes',
      help: 'Library nodes that others changed since the last load, by change, as last seen with source.drift.',
      labelNames: ['change', 'library'],
      registers,
    });
  }

  /** Creates the series of a library: one that starts with its first event hides that event from rate() and increase(). */
  of(name: string | undefined): LibraryCounts {
    const named: Named = name === undefined ? {} : { library: name };
    for (const result of ['loaded', 'unchanged', 'failed']) this.loads.inc({ ...named, result }, 0);
    for (const operation of WRITES) this.writes.inc({ ...named, operation }, 0);
    this.seconds.zero(named);
    this.failures.set(named, 0);
    this.lastSuccess.set(named, 0);
    this.setDrift(named, []);
    return {
      setDrift: (drift) => this.setDrift(named, drift),
      countFailed: () => {
        this.loads.inc({ ...named, result: 'failed' });
        this.failures.inc(named);
      },
      countEnded: (report) => this.countEnded(named, report),
      countUnchanged: () => this.countSuccess(named, 'unchanged'),
    };
  }

  private setDrift(named: Named, drift: readonly Drift[]): void {
    for (const change of CHANGES)
      this.drift.set({ ...named, change }, drift.filter((one) => one.change === change).length);
  }

  private countEnded(named: Named, report: LoadSummary): void {
    this.countSuccess(named, report.changed ? 'loaded' : 'unchanged');
    this.seconds.observe({ labels: named, value: report.seconds, exemplarLabels: exemplarLabels() });
    for (const operation of WRITES) this.writes.inc({ ...named, operation }, report[operation]);
  }

  private countSuccess(named: Named, result: 'loaded' | 'unchanged'): void {
    this.loads.inc({ ...named, result });
    this.failures.set(named, 0);
    this.lastSuccess.setToCurrentTime(named);
  }
}
