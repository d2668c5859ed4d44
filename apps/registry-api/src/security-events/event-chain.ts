import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { PreparedStatement } from '../database/prepared-statement.js';
import type { Transaction } from '../database/transaction.js';
import { type EventKeys, isSameMac } from '../secrets/event-keys.js';
import { REGISTRY, type SecurityEvent } from './security-event.js';

/** An event with its place in the chain. */
export interface ChainedEvent extends Required<SecurityEvent> {
  readonly seq: number;
  readonly mac: Buffer;
}

/** The last event, locked until the transaction ends: adding events waits here. */
const LOCK_HEAD = new PreparedStatement<HeadRow>(
  'security_events_lock',
  `SELECT head_seq AS seq, head_mac AS mac, head_key_id AS "keyId", head_proof AS proof
   FROM security_event_chain WHERE id = 1 FOR UPDATE`,
);

interface HeadRow {
  readonly seq: string;
  readonly mac: Buffer;
  readonly keyId: string;
  readonly proof: Buffer;
}

/** `$1` to `$10` the columns of the rows, in order `$11` key id `$12` proof. The last row becomes the head. */
const APPEND = new PreparedStatement<never>(
  'security_events_append',
  `WITH added AS (
     INSERT INTO security_event (seq, at, kind, actor_id, actor_name, actor_source, address, subject, details, key_id, mac)
     SELECT seq, at, kind, actor_id, actor_name, actor_source, address, subject, details::json, $11::text, mac
     FROM unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                 $9::text[], $10::bytea[])
       AS e(seq, at, kind, actor_id, actor_name, actor_source, address, subject, details, mac)
     RETURNING seq, mac
   )
   UPDATE security_event_chain SET head_seq = last.seq, head_mac = last.mac, head_key_id = $11, head_proof = $12
   FROM (SELECT seq, mac FROM added ORDER BY seq DESC LIMIT 1) last WHERE id = 1`,
);

/** Appends events to the chain. */
export class EventChain {
  /** Ids of peppers that other replicas use and this one does not know; each is logged once. */
  private readonly unknownKeys = new Set<string>();

  constructor(
    private readonly keys: EventKeys,
    private readonly logger: Logger,
  ) {}

  /**
   * Must be the last thing that a transaction does: no other lock is taken after that of the chain's head, so there are no
   * deadlocks, and others wait only for the commit.
   */
  async append(transaction: Transaction, events: readonly SecurityEvent[]): Promise<ChainedEvent[]> {
    const [head] = await LOCK_HEAD.run(transaction, []);
    if (!head) throw new Error('the table security_event_chain has no row');
    const finding = this.findingOf(head);
    const all = finding ? [finding, ...events] : events;
    const chained: ChainedEvent[] = [];
    let last: ChainEnd = { seq: Number(head.seq), mac: head.mac };
    for (const event of all) {
      const next = chain(this.keys, event, last);
      chained.push(next);
      last = next;
    }
    await APPEND.run(transaction, [
      ...columnsOf(chained),
      this.keys.current.id,
      this.keys.current.mac(endProof('head', last.seq, last.mac)),
    ]);
    return chained;
  }

  /**
   * The event to add first if the stored head is not ours or cannot be verified, because the next event covers the head up. For
   * the latter, it has a hash of the head's proof: the proof itself would let others restore that head once they have removed
   * the events after it.
   */
  private findingOf({ seq, mac, keyId, proof }: HeadRow): SecurityEvent | undefined {
    if (seq === '0' && mac.length === 0) return undefined;
    const head = { after: Number(seq), key_id: keyId };
    const key = this.keys.find(keyId);
    if (!key) {
      this.warnOf(keyId);
      const details = { ...head, proof_sha256: createHash('sha256').update(proof).digest('hex') };
      return { kind: 'record_unverified', actor: REGISTRY, details };
    }
    if (isSameMac(key.mac(endProof('head', Number(seq), mac)), proof)) return undefined;
    return { kind: 'record_broken', actor: REGISTRY, details: { reason: 'wrong_proof', ...head } };
  }

  private warnOf(keyId: string): void {
    if (this.unknownKeys.has(keyId)) return;
    this.unknownKeys.add(keyId);
    this.logger.warn(
      { pepper: keyId },
      'the audit log ends with an event that was recorded with a pepper that is not configured here; ' +
        'configure the same peppers for all replicas',
    );
  }
}

/** The last event of the chain, which the next one builds on. */
export type ChainEnd = Pick<ChainedEvent, 'seq' | 'mac'>;

function chain({ current }: EventKeys, event: SecurityEvent, last: ChainEnd): ChainedEvent {
  const { kind, subject = '', details = {}, at = new Date() } = event;
  const { id, name, source, address } = event.actor;
  const actor = { id: clean(id), name: clean(name), source: clean(source), address: clean(address) };
  const complete = { kind, actor, subject: clean(subject), details, at, seq: last.seq + 1 };
  return { ...complete, mac: current.mac(eventContent(textsOf(complete), last.mac)) };
}

/** In the order in which the MAC covers them. */
function textsOf({ seq, at, kind, actor, subject, details }: Omit<ChainedEvent, 'mac'>): string[] {
  const { id, name, source, address } = actor;
  return [String(seq), at.toISOString(), kind, id, name, source, address, subject, JSON.stringify(details)];
}

/**
 * What the MAC of an event covers: netstrings, so that no two events have the same bytes. `docs/security.md` documents it,
 * and `verify/` implements it a second time.
 */
export function eventContent(texts: readonly string[], former: Buffer): Buffer {
  return netstrings(['svc-registry security event 1', ...texts, former.toString('hex')]);
}

/** What the proof of an end of the chain covers. */
export function endProof(end: 'head' | 'anchor', seq: number, mac: Buffer): Buffer {
  return netstrings([`svc-registry security event ${end} 1`, String(seq), mac.toString('hex')]);
}

/** `<length in bytes>:<bytes>,` */
function netstrings(texts: readonly string[]): Buffer {
  return Buffer.from(texts.map((text) => `${Buffer.byteLength(text)}:${text},`).join(''));
}

const MAX_TEXT = 512;

/** PostgreSQL stores neither NUL nor lone surrogates. */
function clean(text: string): string {
  return Buffer.from(text.slice(0, MAX_TEXT).replaceAll('\0', '\ufffd')).toString();
}

function columnsOf(events: readonly ChainedEvent[]): unknown[][] {
  return [
    events.map(({ seq }) => seq),
    events.map(({ at }) => at),
    events.map(({ kind }) => kind),
    events.map(({ actor }) => actor.id),
    events.map(({ actor }) => actor.name),
    events.map(({ actor }) => actor.source),
    events.map(({ actor }) => actor.address),
    events.map(({ subject }) => subject),
    events.map(({ details }) => JSON.stringify(details)),
    events.map(({ mac }) => mac),
  ];
}
