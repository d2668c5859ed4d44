import { PreparedStatement } from '../database/prepared-statement.js';
import { type EventKeys, isSameMac } from '../secrets/event-keys.js';
import { type ChainEnd, endProof, eventContent } from './event-chain.js';

/** Where the record begins: the last event that was deleted because of its age, number 0 for none. */
export interface AnchorRow {
  readonly seq: string;
  readonly mac: Buffer;
  readonly keyId: string;
  readonly proof: Buffer;
}

interface OldRow {
  readonly seq: string;
  readonly keyId: string;
  readonly mac: Buffer;
  /** What the MAC covers. */
  readonly texts: readonly string[];
}

/** `$1` the time from which events are kept `$2` limit. The events before the first that is young enough, in order. */
export const READ_OLD = new PreparedStatement<OldRow>(
  'security_events_read_old',
  `WITH oldest AS (
     SELECT seq, at, kind, actor_id, actor_name, actor_source, address, subject, details, key_id, mac
     FROM security_event ORDER BY seq LIMIT $2
   )
   SELECT seq, key_id AS "keyId", mac,
     ARRAY[seq::text, coalesce(to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), at::text), kind,
           actor_id, actor_name, actor_source, address, subject, details::text] AS texts
   FROM oldest WHERE seq < coalesce((SELECT min(seq) FROM oldest WHERE at >= $1), 9223372036854775807)
   ORDER BY seq`,
);

/** How far the registry's own MACs confirm the record. */
export interface Confirmed {
  /** The last event that they confirm. */
  readonly last: ChainEnd;
  /** What follows it, or the anchor that precedes it, is not what the registry stored. */
  readonly broken?: 'wrong_anchor' | 'wrong_mac';
  /** What follows it, or the anchor that precedes it, is under a pepper that is not configured. */
  readonly unknownKey?: string;
}

/** Verifies the beginning of the record: without it, a changed time would have the registry itself remove an event. */
export function confirmOld(keys: EventKeys, anchor: AnchorRow, rows: readonly OldRow[]): Confirmed {
  let last: ChainEnd = { seq: Number(anchor.seq), mac: anchor.mac };
  if (last.seq !== 0) {
    const key = keys.find(anchor.keyId);
    if (!key) return { last, unknownKey: anchor.keyId };
    if (!isSameMac(key.mac(endProof('anchor', last.seq, last.mac)), anchor.proof))
      return { last, broken: 'wrong_anchor' };
  }
  for (const { seq, keyId, mac, texts } of rows) {
    const key = keys.find(keyId);
    if (!key) return { last, unknownKey: keyId };
    if (!isSameMac(key.mac(eventContent(texts, last.mac)), mac)) return { last, broken: 'wrong_mac' };
    last = { seq: Number(seq), mac };
  }
  return { last };
}
