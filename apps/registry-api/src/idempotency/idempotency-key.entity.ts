import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A used Idempotency-Key. Each token has its own keys. */
@Entity('idempotency_key')
export class IdempotencyKey {
  /** Id of the caller's token. */
  @PrimaryColumn({ name: 'actor_id', type: 'text', collation: 'C' })
  actorId!: string;

  @PrimaryColumn({ type: 'text', collation: 'C' })
  key!: string;

  /** Fingerprint of the request; for a registration, of its body alone. */
  @Column({ type: 'bytea' })
  fingerprint!: Buffer;

  /** The Client that was registered, or got a new secret; null for other requests. */
  @Column({ name: 'client_id', type: 'text', collation: 'C', nullable: true })
  clientId!: string | null;

  /** What else a repeated response is built from, without secrets. */
  @Column({ type: 'jsonb', nullable: true })
  outcome!: unknown;

  @Index('idempotency_key_by_age')
  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
