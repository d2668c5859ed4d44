import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Which Client an Idempotency-Key has registered. Keys of different tokens have nothing to do with each other. */
@Entity('idempotency_key')
export class IdempotencyKey {
  /** Id of the token that sent the key. */
  @PrimaryColumn({ name: 'actor_id', type: 'text', collation: 'C' })
  actorId!: string;

  @PrimaryColumn({ type: 'text', collation: 'C' })
  key!: string;

  /** Of the registration's body. */
  @Column({ type: 'bytea' })
  fingerprint!: Buffer;

  @Column({ name: 'client_id', type: 'text', collation: 'C' })
  clientId!: string;

  @Index('idempotency_key_by_age')
  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
