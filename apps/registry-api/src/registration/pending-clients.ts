import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PreparedStatement } from '../database/prepared-statement.js';
import { ScheduledWork } from '../database/scheduled-work.js';
import type { Transaction } from '../database/transaction.js';
import { RegistryMetrics } from '../metrics/registry-metrics.js';
import { RegistrationPolicy } from '../settings/registry-settings.js';

const COUNT = new PreparedStatement<{ pending: number }>(
  'clients_pending',
  'SELECT count(*)::int AS pending FROM client WHERE pending',
);

/** How many Clients await approval. */
export async function countPending(on: DataSource | Transaction): Promise<number> {
  const [row] = await COUNT.run(on, []);
  return row?.pending ?? 0;
}

/** Shows in the metrics how many Clients await approval. */
@Injectable()
export class PendingClients extends ScheduledWork {
  private pending = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly policy: RegistrationPolicy,
    private readonly metrics: RegistryMetrics,
  ) {
    super('count clients that await approval', { everyMs: 15_000, firstAfterMs: 1_000 });
  }

  override onModuleInit(): void {
    if (!this.policy.open) return;
    this.metrics.watch(
      'clients_pending',
      'Clients from open registration that await approval, as of the last count.',
      () => this.pending,
    );
    super.onModuleInit();
  }

  protected override async run(): Promise<undefined> {
    this.pending = await countPending(this.dataSource);
  }
}
