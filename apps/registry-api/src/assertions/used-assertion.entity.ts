import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A client assertion that was accepted, until it expires: it is not accepted again. */
@Entity('used_assertion')
export class UsedAssertion {
  /** Not a reference: the assertions of a deleted Client stay used. */
  @PrimaryColumn({ name: 'client_id', type: 'text', collation: 'C' })
  clientId!: string;

  /** SHA-256 of its jti. */
  @PrimaryColumn({ name: 'jti_hash', type: 'bytea' })
  jtiHash!: Buffer;

  @Index('used_assertion_by_expiry')
  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt!: Date;
}
