import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What an Idempotency-Key has done. Keys of different tokens have nothing to do with each other. */
@Entity('idempotency_key')
export class IdempotencyKey {
  /** Id of the token that sent the key. */
  @PrimaryColumn({ name: 'actor_id', type: 'text', collation: 'C' })
  actorId!: string;

  @PrimaryColumn({ type: 'text', collation: 'C' })
  key!: string;

  /** Of the request: of a registration the body's alone. */
  @Column({ type: 'bytea' })
  fingerprint!: Buffer;

  /** The Client that was registered, or got a new secret; null after other requests. */
  @Column({ name: 'client_id', type: 'text', collation: 'C', nullable: true })
  clientId!: string | null;

  /** What the answer to a repetition of any other request is made of, without secrets. */
  @Column({ type: 'jsonb', nullable: true })
  outcome!: unknown;

  @Index('idempotency_key_by_age')
  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
