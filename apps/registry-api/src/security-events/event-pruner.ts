import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PreparedStatement } from '../database/prepared-statement.js';
import { ScheduledWork } from '../database/scheduled-work.js';
import { inTransaction } from '../database/transaction.js';
import { RetentionPolicy } from '../settings/registry-settings.js';
import { endProof } from './event-chain.js';
import { SecurityEvents } from './security-events.js';

/** How long security events are kept. */
export class EventRetention extends RetentionPolicy {}

/** Per transaction, so that none takes long. */
const BATCH = 2_000;

const EVERY_MS = 30 * 60_000;

/** Adding events waits for it. */
const LOCK_CHAIN = new PreparedStatement<{ anchorSeq: string }>(
  'security_events_lock_anchor',
  'SELECT anchor_seq AS "anchorSeq" FROM security_event_chain WHERE id = 1 FOR UPDATE',
);

/** `$1` the time from which events are kept `$2` limit. The last event before the first that is young enough. */
const LAST_OLD = new PreparedStatement<{ seq: string; mac: Buffer }>(
  'security_events_last_old',
  `WITH oldest AS (SELECT seq, at, mac FROM security_event ORDER BY seq LIMIT $2)
   SELECT seq, mac FROM oldest
   WHERE seq < coalesce((SELECT min(seq) FROM oldest WHERE at >= $1), 9223372036854775807)
   ORDER BY seq DESC LIMIT 1`,
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

/** Deletes security events once they reach the configured age. The chain then begins at an anchor, with a proof. */
@Injectable()
export class EventPruner extends ScheduledWork {
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
      const [chain] = await LOCK_CHAIN.run(transaction, []);
      const [last] = await LAST_OLD.run(transaction, [keptFrom, BATCH]);
      if (!chain || !last) return 0;
      const { current } = this.events.keys;
      const proof = current.mac(endProof('anchor', Number(last.seq), last.mac));
      await DELETE_OLD.run(transaction, [last.seq]);
      await MOVE_ANCHOR.run(transaction, [last.seq, last.mac, current.id, proof]);
      return Number(last.seq) - Number(chain.anchorSeq);
    });
  }
}
