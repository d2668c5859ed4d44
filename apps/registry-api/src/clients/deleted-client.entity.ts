import type { ClientMetadata, TemporaryUri } from '@svc/client-metadata';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A deleted Client that can be restored, without its secrets. Everything but its restoration ignores it. */
@Entity('deleted_client')
@Index('deleted_client_by_time', ['deletedAt'])
@Index('deleted_client_by_change', ['seq'])
export class DeletedClient {
  @PrimaryColumn({ name: 'client_id', type: 'text', collation: 'C' })
  clientId!: string;

  @Column({ type: 'jsonb' })
  metadata!: ClientMetadata;

  @Column({ type: 'jsonb' })
  labels!: Record<string, string>;

  @Column({ name: 'temporary_uris', type: 'jsonb', nullable: true })
  temporaryUris!: TemporaryUri[] | null;

  @Column({ name: 'cookie_name', type: 'text' })
  cookieName!: string;

  @Column({ name: 'managed_by', type: 'text', collation: 'C', nullable: true })
  managedBy!: string | null;

  @Column({ name: 'registered_by', type: 'text', nullable: true })
  registeredBy!: string | null;

  @Column({ name: 'registered_by_name', type: 'text', nullable: true })
  registeredByName!: string | null;

  /** Whether it awaits approval. */
  @Column({ type: 'boolean', default: false })
  pending!: boolean;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** Sequence number of the deletion, a bigint. */
  @Column({ type: 'bigint' })
  seq!: string;

  /** Random mark of the deletion. */
  @Column({ type: 'text' })
  mark!: string;

  @Column({ name: 'deleted_at', type: 'timestamptz', precision: 3 })
  deletedAt!: Date;

  /** Id of the token that deleted it. */
  @Column({ name: 'deleted_by', type: 'text' })
  deletedBy!: string;

  /** That token's name at the time. */
  @Column({ name: 'deleted_by_name', type: 'text' })
  deletedByName!: string;
}
