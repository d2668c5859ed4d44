import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PreparedStatement } from '../database/prepared-statement.js';
import { ScheduledWork } from '../database/scheduled-work.js';
import { inTransaction, type Transaction } from '../database/transaction.js';
import { RetentionPolicy } from '../settings/registry-settings.js';
import { endProof } from './event-chain.js';
import { type AnchorRow, confirmOld, READ_OLD } from './old-events.js';
import { REGISTRY } from './security-event.js';
import { SecurityEvents } from './security-events.js';

/** How long security events are kept. */
export class EventRetention extends RetentionPolicy {}

/** Per transaction, so that none takes long. */
const BATCH = 2_000;

const EVERY_MS = 30 * 60_000;

/** Adding events waits for it. */
const LOCK_ANCHOR = new PreparedStatement<AnchorRow>(
  'security_events_lock_anchor',
  `SELECT anchor_seq AS seq, anchor_mac AS mac, anchor_key_id AS "keyId", anchor_proof AS proof
   FROM security_event_chain WHERE id = 1 FOR UPDATE`,
);

/** `$1` reason `$2` the event after which the record is broken */
const FIND_REPORT = new PreparedStatement<{ seq: string }>(
  'security_events_find_report',
  `SELECT seq FROM security_event
   WHERE kind = 'record_broken' AND details->>'reason' = $1 AND details->>'after' = $2 LIMIT 1`,
);

/** `$1` the last event to delete */
const DELETE_OLD = new PreparedStatement<never>(
  'security_events_delete',
  'DELETE FROM security_event WHERE seq <= $1',
);

/** `$1` seq `$2` mac `$3` key id `$4` proof */
const MOVE_ANCHOR = new PreparedStatement<never>(
  'security_events_anchor',
  `UPDATE security_event_chain SET anchor_seq = $1, anchor_mac = $2, anchor_key_id = $3, anchor_proof = $4
   WHERE id = 1`,
);

/**
 * Deletes security events once they reach the configured age, up to the first that is not as the registry stored it. The chain
 * then begins at an anchor, with a proof.
 */
@Injectable()
export class EventPruner extends ScheduledWork {
  private readonly warnings = new Logger(EventPruner.name);
  /** Peppers that the log says are missing. */
  private readonly unknownKeys = new Set<string>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly retention: EventRetention,
    private readonly events: SecurityEvents,
  ) {
    super('delete old security events', { everyMs: EVERY_MS });
  }

  /** @returns how many events it deleted */
  async prune(now: Date): Promise<number> {
    return this.inBatches(BATCH, async () => this.pruneOnce(this.retention.keptFrom(now)));
  }

  protected async run(now: Date): Promise<string | undefined> {
    const removed = await this.prune(now);
    return removed > 0 ? `deleted ${removed} old security events` : undefined;
  }

  private async pruneOnce(keptFrom: Date): Promise<number> {
    return inTransaction(this.dataSource, async (transaction) => {
      const [anchor] = await LOCK_ANCHOR.run(transaction, []);
      const old = await READ_OLD.run(transaction, [keptFrom, BATCH]);
      if (!anchor || old.length === 0) return 0;
      const { keys } = this.events;
      const { last, broken, unknownKey } = confirmOld(keys, anchor, old);
      if (broken) await this.report(transaction, broken, last.seq);
      if (unknownKey !== undefined) this.warnOf(unknownKey);
      const deleted = last.seq - Number(anchor.seq);
      if (deleted === 0) return 0;
      const proof = keys.current.mac(endProof('anchor', last.seq, last.mac));
      await DELETE_OLD.run(transaction, [last.seq]);
      await MOVE_ANCHOR.run(transaction, [last.seq, last.mac, keys.current.id, proof]);
      return deleted;
    });
  }

  /** Once, however often it is found, and by how many replicas. */
  private async report(transaction: Transaction, reason: string, after: number): Promise<void> {
    const reports = await FIND_REPORT.run(transaction, [reason, String(after)]);
    if (reports.length > 0) return;
    this.events.add(transaction, { kind: 'record_broken', actor: REGISTRY, details: { reason, after } });
  }

  private warnOf(keyId: string): void {
    if (this.unknownKeys.has(keyId)) return;
    this.unknownKeys.add(keyId);
    this.warnings.warn(
      `old security events are kept because they were recorded with the pepper ${keyId}, which SECRET_PEPPER does not list; ` +
        'add it after the current one',
    );
  }
}
