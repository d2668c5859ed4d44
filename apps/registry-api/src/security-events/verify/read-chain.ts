import type { DataSource } from 'typeorm';
import { inTransaction } from '../../database/transaction.js';

/** An event as it is stored, in the texts that its MAC covers. */
export interface StoredEvent {
  readonly seq: string;
  readonly at: string;
  readonly kind: string;
  readonly actorId: string;
  readonly actorName: string;
  readonly actorSource: string;
  readonly address: string;
  readonly subject: string;
  readonly details: string;
  readonly keyId: string;
  readonly mac: Buffer;
}

/** One end of the record. */
export interface EndRow {
  readonly seq: string;
  readonly mac: Buffer;
  readonly keyId: string;
  readonly proof: Buffer;
}

export interface ChainEnds {
  /** The last event that was deleted because of its age; 0: none. */
  readonly anchor: EndRow;
  readonly head: EndRow;
}

const BATCH = 1_000;

/** Events that are added or deleted meanwhile do not count. */
const ONE_STATE = 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY';

const ENDS = `
  SELECT anchor_seq, anchor_mac, anchor_key_id, anchor_proof, head_seq, head_mac, head_key_id, head_proof
  FROM security_event_chain WHERE id = 1`;

/** By position, and by nothing else: rows in another order, or twice, would not fit into the chain. */
const EVENTS = `
  SELECT e.seq::text AS seq, coalesce(to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), at::text) AS at,
         kind, actor_id AS "actorId", actor_name AS "actorName", actor_source AS "actorSource", address, subject,
         details::text AS details, key_id AS "keyId", mac
  FROM security_event e WHERE e.seq > $1 ORDER BY e.seq LIMIT ${BATCH}`;

/** Reads the record in one state, while others add to it. @param begin gets the ends first, then all events in order */
export async function readChain<T>(
  dataSource: DataSource,
  begin: (ends: ChainEnds) => { take(events: readonly StoredEvent[]): void; finish(): T },
): Promise<T> {
  return inTransaction(dataSource, async (transaction) => {
    await transaction.query(ONE_STATE);
    const { rows } = await transaction.query<Record<string, never>>(ENDS);
    const [row] = rows;
    if (!row) throw new Error('the table security_event_chain has no row');
    const verifier = begin({ anchor: endOf(row, 'anchor'), head: endOf(row, 'head') });
    for (let after = '-9223372036854775808'; ;) {
      const page = await transaction.query<StoredEvent>(EVENTS, [after]);
      verifier.take(page.rows);
      const last = page.rows.at(-1);
      if (!last || page.rows.length < BATCH) return verifier.finish();
      after = last.seq;
    }
  });
}

function endOf(row: Readonly<Record<string, unknown>>, end: 'anchor' | 'head'): EndRow {
  return {
    seq: row[`${end}_seq`] as string,
    mac: row[`${end}_mac`] as Buffer,
    keyId: row[`${end}_key_id`] as string,
    proof: row[`${end}_proof`] as Buffer,
  };
}
