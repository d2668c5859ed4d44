import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EventKind } from './security-event.js';

/** A stored security event. Rows are only added, and deleted from the oldest on once they reach the configured age. */
@Entity('security_event')
@Index('security_event_by_time', ['at'])
@Index('security_event_by_kind', ['kind', 'seq'])
@Index('security_event_by_actor', ['actorId', 'seq'])
@Index('security_event_by_subject', ['subject', 'seq'])
export class SecurityEventRow {
  /** From 1, without gaps. */
  @PrimaryColumn({ type: 'bigint' })
  seq!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  at!: Date;

  @Column({ type: 'text' })
  kind!: EventKind;

  @Column({ name: 'actor_id', type: 'text' })
  actorId!: string;

  @Column({ name: 'actor_name', type: 'text' })
  actorName!: string;

  /** Where id and name are from; see `EventActor`. */
  @Column({ name: 'actor_source', type: 'text' })
  actorSource!: string;

  @Column({ type: 'text' })
  address!: string;

  /** What it was done to: the id of a token or Client; empty if there is none. */
  @Column({ type: 'text' })
  subject!: string;

  /** As the MAC covers it: byte for byte. */
  @Column({ type: 'json' })
  details!: Readonly<Record<string, unknown>>;

  /** Which pepper the key of the MAC is derived from. */
  @Column({ name: 'key_id', type: 'text' })
  keyId!: string;

  @Column({ type: 'bytea' })
  mac!: Buffer;
}

/** Both ends of the chain. One row. */
@Entity('security_event_chain')
export class SecurityEventChain {
  @PrimaryColumn({ type: 'smallint' })
  id!: number;

  /** The last event; 0 before the first. */
  @Column({ name: 'head_seq', type: 'bigint' })
  headSeq!: string;

  @Column({ name: 'head_mac', type: 'bytea' })
  headMac!: Buffer;

  @Column({ name: 'head_key_id', type: 'text' })
  headKeyId!: string;

  /** A MAC of its own, so that an earlier event cannot be passed off as the last one. */
  @Column({ name: 'head_proof', type: 'bytea' })
  headProof!: Buffer;

  /** The last event that was deleted because of its age; 0: none. */
  @Column({ name: 'anchor_seq', type: 'bigint' })
  anchorSeq!: string;

  @Column({ name: 'anchor_mac', type: 'bytea' })
  anchorMac!: Buffer;

  @Column({ name: 'anchor_key_id', type: 'text' })
  anchorKeyId!: string;

  /** Proves that the registry deleted the events up to here. */
  @Column({ name: 'anchor_proof', type: 'bytea' })
  anchorProof!: Buffer;

  /** Those of the last start, secrets as fingerprints. */
  @Column({ type: 'jsonb', nullable: true })
  settings!: unknown;
}
