import { Counter, Gauge, type Metrics } from '@svc/service-kit';
import type { DataSource } from 'typeorm';
import { poolOf } from '../database/transaction.js';

export type CheckResult = 'valid' | 'invalid';

const CHECK_RESULTS: readonly CheckResult[] = ['valid', 'invalid'];

const CHANGE_KINDS = [
  'registered',
  'updated',
  'enabled',
  'disabled',
  'secret_rotated',
  'secret_expiring',
  'deleted',
  'restored',
];

/** The registry's own metrics, besides those of its process and its requests. */
export class RegistryMetrics {
  private readonly secretChecks: Counter<'result'>;
  private readonly assertionChecks: Counter<'result'>;
  private readonly authorizationRequestChecks: Counter<'result'>;
  private readonly clientChanges: Counter<'kind'>;
  private readonly prunedChanges: Counter;
  private readonly usageWritten: Counter;
  private readonly usageDropped: Counter;

  constructor(private readonly registry: Metrics['registry']) {
    this.secretChecks = this.counter('client_secret_checks_total', 'Client secrets checked, by result.', {
      result: CHECK_RESULTS,
    });
    this.assertionChecks = this.counter(
      'client_assertion_checks_total',
      'Client assertions checked, by result.',
      {
        result: CHECK_RESULTS,
      },
    );
    this.authorizationRequestChecks = this.counter(
      'authorization_request_checks_total',
      'Authorization requests checked, by result.',
      { result: CHECK_RESULTS },
    );
    this.clientChanges = this.counter(
      'client_changes_total',
      'Client changes made by this process, by kind.',
      {
        kind: CHANGE_KINDS,
      },
    );
    this.prunedChanges = this.counter(
      'changes_pruned_total',
      'Changes deleted after the retention period.',
      {},
    );
    this.usageWritten = this.counter(
      'usage_rows_written_total',
      'Usage counts that this process has written to the database.',
      {},
    );
    this.usageDropped = this.counter(
      'usage_dropped_total',
      'Checks that were not counted because too many different ones waited to be written.',
      {},
    );
  }

  countSecretCheck(result: CheckResult): void {
    this.secretChecks.inc({ result });
  }

  countAssertionCheck(result: CheckResult): void {
    this.assertionChecks.inc({ result });
  }

  countAuthorizationRequestCheck(result: CheckResult): void {
    this.authorizationRequestChecks.inc({ result });
  }

  countChanges(kind: string, changes: number): void {
    this.clientChanges.inc({ kind }, changes);
  }

  countPruned(changes: number): void {
    this.prunedChanges.inc(changes);
  }

  countUsageWritten(rows: number): void {
    this.usageWritten.inc(rows);
  }

  countUsageDropped(): void {
    this.usageDropped.inc();
  }

  /** A gauge that is read on each scrape. @param read its value, or its values by `label` */
  watch(
    name: string,
    help: string,
    read: () => number | Readonly<Record<string, number>>,
    label?: string,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [this.registry],
      collect() {
        const values = read();
        if (typeof values === 'number') return this.set(values);
        for (const [value, reading] of Object.entries(values)) this.labels(value).set(reading);
      },
    });
  }

  /** Every series starts at 0, because rate() and increase() miss the first event of one that does not. */
  private counter<Label extends string>(
    name: string,
    help: string,
    labels: Partial<Record<Label, readonly string[]>>,
  ): Counter<Label> {
    const labelNames = Object.keys(labels) as Label[];
    const counter = new Counter<Label>({ name, help, labelNames, registers: [this.registry] });
    for (const label of labelNames) for (const value of labels[label] ?? []) counter.labels(value).inc(0);
    return counter;
  }
}

/** A pool that is too small shows as requests waiting for a connection. */
export function watchPool(metrics: RegistryMetrics, dataSource: DataSource): void {
  const pool = poolOf(dataSource);
  metrics.watch(
    'database_pool_connections',
    'Open connections to the database, by state.',
    () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount }),
    'state',
  );
  metrics.watch(
    'database_pool_max_connections',
    'Limit of open database connections.',
    () => pool.options.max,
  );
  metrics.watch(
    'database_pool_waiting_requests',
    'Requests waiting for a database connection.',
    () => pool.waitingRequests,
  );
}
