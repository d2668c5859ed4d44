import { Inject, Injectable } from '@nestjs/common';
import type { Drift, LoadReport } from '@svc/library-sync';
import { Counter, exemplarLabels, Gauge, Histogram, type Metrics } from '@svc/service-kit';
import { METRICS } from '../http/providers.module.js';

/** Upper bounds in seconds: from a load without changes to one of 100,000 files. */
const LOAD_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

const CHANGES: readonly Drift['change'][] = ['changed', 'missing', 'unreadable'];

const WRITES = ['created', 'updated', 'deleted'] as const;

/** What is counted for a successful load. */
export type LoadCounts = Pick<LoadReport, 'changed' | 'seconds' | (typeof WRITES)[number]>;

/** Counts completed loads from all triggers, without dry runs. */
@Injectable()
export class LibraryMetrics {
  private readonly loads: Counter<'result'>;
  private readonly seconds: Histogram;
  private readonly writes: Counter<'operation'>;
  private readonly lastSuccess: Gauge;
  private readonly drift: Gauge<'change'>;

  constructor(@Inject(METRICS) { registry }: Metrics) {
    const registers = [registry];
    this.loads = new Counter({
      name: 'library_loads_total',
      help: 'Library loads and rollbacks over HTTP, by hook and by interval, by result.',
      labelNames: ['result'],
      registers,
    });
    this.seconds = new Histogram({
      name: 'library_load_duration_seconds',
      help: 'Duration of successful loads.',
      buckets: LOAD_SECONDS,
      enableExemplars: true,
      registers,
    });
    this.writes = new Counter({
      name: 'library_nodes_written_total',
      help: 'Library nodes written by loads, by operation.',
      labelNames: ['operation'],
      registers,
    });
    this.lastSuccess = new Gauge({
      name: 'library_last_success_timestamp_seconds',
      help: 'Time of the last successful load, even if it changed nothing; 0 before the first.',
      registers,
    });
    this.drift = new Gauge({
      name: 'library_drift_nodes',
      help: 'Library nodes that others changed since the last load, by change, as last seen with source.drift.',
      labelNames: ['change'],
      registers,
    });
    // A series that starts with its first event hides that event from rate() and increase().
    for (const result of ['loaded', 'unchanged', 'failed']) this.loads.inc({ result }, 0);
    for (const operation of WRITES) this.writes.inc({ operation }, 0);
    this.setDrift([]);
  }

  setDrift(drift: readonly Drift[]): void {
    for (const change of CHANGES)
      this.drift.set({ change }, drift.filter((one) => one.change === change).length);
  }

  countFailed(): void {
    this.loads.inc({ result: 'failed' });
  }

  /** `unchanged`: the destination was already up to date. */
  countEnded(report: LoadCounts): void {
    this.loads.inc({ result: report.changed ? 'loaded' : 'unchanged' });
    this.seconds.observe({ value: report.seconds, exemplarLabels: exemplarLabels() });
    for (const operation of WRITES) this.writes.inc({ operation }, report[operation]);
    this.lastSuccess.setToCurrentTime();
  }
}
