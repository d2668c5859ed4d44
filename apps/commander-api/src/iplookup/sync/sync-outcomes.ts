import { Inject, Injectable } from '@nestjs/common';
import { AuditLog, BY_INTERVAL, reasonCode } from '../../audit/audit-log.js';
import { LOGGER, type Logger } from '../../http/providers.module.js';
import type { SyncedLookup } from './sync-lookups.js';
import { SyncMetrics } from './sync-metrics.js';

/** A source may have many. */
const LOGGED_NOTES = 20;

/** Logs, audits and counts the outcomes of syncing declared lookups. */
@Injectable()
export class SyncOutcomes {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly audit: AuditLog,
    private readonly metrics: SyncMetrics,
  ) {}

  synced(synced: SyncedLookup): void {
    this.metrics.countSynced(synced);
    if (synced.result !== 'built') return;
    const { lookup, reasons, records, bytes } = synced;
    const notes = synced.notes?.slice(0, LOGGED_NOTES);
    this.logger.info({ iplookup: { lookup, reasons, records, bytes, notes } }, 'lookup synced');
    const details = { records, bytes };
    this.audit.record('lookup.sync', BY_INTERVAL, { outcome: 'succeeded', target: lookup, details });
  }

  /** @param hasFormer true if there is a lookup from before */
  failed(lookup: string, error: unknown, hasFormer: boolean): void {
    this.metrics.countFailed(lookup);
    const fields = { lookup, reason: (error as Error).message };
    const outcome = hasFormer ? 'the previous lookup was kept' : 'no lookup was written';
    this.logger.warn(fields, `lookup sync failed: ${outcome}`);
    const reason = reasonCode(error);
    this.audit.record('lookup.sync', BY_INTERVAL, { outcome: 'failed', target: lookup, reason });
  }

  /** @param error why not all declared lookups were tried; undefined if they were */
  runEnded(error?: unknown): void {
    this.metrics.setRunFailed(error !== undefined);
    if (error !== undefined)
      this.logger.error({ reason: (error as Error).message }, 'declared lookups are not synced');
  }

  /** @param names of the lookups that are declared */
  keepOnly(names: readonly string[]): void {
    this.metrics.keepOnly(names);
  }
}
