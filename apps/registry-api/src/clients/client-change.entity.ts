import type { ClientMetadata } from '@svc/client-metadata';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Only `registered`, `updated`, `deleted` and `restored` change the metadata. */
export const CHANGE_KINDS = [
  'registered',
  'updated',
  'deleted',
  'restored',
  'enabled',
  'disabled',
  'secret_rotated',
  'secret_expiring',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** One change of one Client; its history outlives it. It never contains a secret. */
@Entity('client_change')
@Index('client_change_by_client', ['clientId', 'seq'])
export class ClientChange {
  /** From the sequence `client_change_seq`: unique among the changes of all Clients. */
  @PrimaryColumn({ type: 'bigint' })
  seq!: string;

  /** Random; empty for changes older than the column. */
  @Column({ type: 'text', default: () => 'new_change_mark()' })
  mark!: string;

  @Column({ name: 'client_id', type: 'text', collation: 'C' })
  clientId!: string;

  @Column({ type: 'text' })
  kind!: ChangeKind;

  @Column({ type: 'timestamptz', precision: 3 })
  at!: Date;

  /** Id of the token that made the change. */
  @Column({ name: 'actor_id', type: 'text' })
  actorId!: string;

  /** That token's name at the time. */
  @Column({ name: 'actor_name', type: 'text' })
  actorName!: string;

  /** Where the request came from. */
  @Column({ type: 'text' })
  address!: string;

  /** The metadata before; null for a registration or restoration, and where the metadata does not change. */
  @Column({ type: 'jsonb', nullable: true })
  before!: ClientMetadata | null;

  /** The metadata after; null for a deletion, and where the metadata does not change. */
  @Column({ type: 'jsonb', nullable: true })
  after!: ClientMetadata | null;

  /** The Client's labels after the change, or before its deletion; null on rows older than the column. */
  @Column({ type: 'jsonb', nullable: true })
  labels!: Record<string, string> | null;

  /** Those before the change; null where it did not change them. */
  @Column({ name: 'labels_before', type: 'jsonb', nullable: true })
  labelsBefore!: Record<string, string> | null;
}
